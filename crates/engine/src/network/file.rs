//! The file of a network.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TABLUTNN` |
//! | 2 | version of the file: 4 with a rescue, else 3 (boards were not turned in 1, and had no regions in 2) |
//! | 2 | hidden units |
//! | 1 + n | length and letters of the rule set's id |
//! | 1 | regions of the king: 1 if the network treats all alike, else 4 |
//! | regions × 243 × units × 2 | weights from each input: attackers, defenders, king, each by square as `View` turns it |
//! | units × 2 | the hidden layer without a piece |
//! | 2 × (units × 2 + 4) | a head for attackers to move and one for defenders: weights, constant |
//! | 1 + 2 × (units × 2 + 4) | only with a rescue: the side it is for (0 attackers, 1 defenders), and two more heads |
//! | 8 | a check sum over all before it (FNV-1a) |
//!
//! Numbers are little-endian and signed.

use std::fmt;

use tablut_rules::{BySide, Side};

use super::{HIDDEN, Head, INPUTS, Network, PLACES, REGIONS, Rescue, Row, UNIT, shared};

const MAGIC: &[u8; 8] = b"TABLUTNN";
const VERSION: u16 = 3;
const VERSION_WITH_RESCUE: u16 = 4;

/// The largest weight of a row, either way: sums of a full board stay within sixteen bits.
const LARGEST_IN_ROW: i16 = 2 * UNIT;

/// The largest weight of a head, either way.
const LARGEST_IN_HEAD: i16 = 127;

/// Why bytes are no network.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file does not begin like a network.
    Foreign,
    /// It was written by another version.
    Version(u16),
    /// It has another number of hidden units.
    Hidden(u16),
    /// It ends too early or too late, or the check sum does not fit.
    Damaged,
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("this is not a network of tablut-train"),
            Self::Version(version) => write!(
                f,
                "this network has format {version}; this program reads formats {VERSION} and {VERSION_WITH_RESCUE}"
            ),
            Self::Hidden(units) => write!(
                f,
                "this network has {units} hidden units; this program uses {HIDDEN}"
            ),
            Self::Damaged => f.write_str("this network is damaged: copy or make it again"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl Network {
    /// Writes the network.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let version = match self.rescue {
            Some(_) => VERSION_WITH_RESCUE,
            None => VERSION,
        };
        bytes.extend(version.to_le_bytes());
        bytes.extend((HIDDEN as u16).to_le_bytes());
        let id = &self.rules.as_bytes()[..self.rules.len().min(255)];
        bytes.push(id.len() as u8);
        bytes.extend(id);
        let put = |bytes: &mut Vec<u8>, row: &Row| {
            bytes.extend(row.iter().flat_map(|weight| weight.to_le_bytes()));
        };
        let first = &self.rows[..PLACES];
        let treats_all_alike = self.rows.chunks_exact(PLACES).all(|region| region == first);
        let regions = if treats_all_alike { 1 } else { REGIONS };
        bytes.push(regions as u8);
        for row in self.rows[..regions * PLACES].iter().chain([&self.bias]) {
            put(&mut bytes, row);
        }
        let put_heads = |bytes: &mut Vec<u8>, heads: &BySide<Head>| {
            for (_, head) in heads.iter() {
                put(bytes, &head.weights);
                bytes.extend(head.bias.to_le_bytes());
            }
        };
        put_heads(&mut bytes, &self.heads);
        if let Some(rescue) = &self.rescue {
            bytes.push(u8::from(rescue.side == Side::Defenders));
            put_heads(&mut bytes, &rescue.heads);
        }
        bytes.extend(check_sum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a network.
    ///
    /// # Errors
    /// Says why the bytes are none.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(NetworkError::Foreign);
        };
        let mut reader = Reader(rest);
        let version = u16::from_le_bytes(reader.take()?);
        if version != VERSION && version != VERSION_WITH_RESCUE {
            return Err(NetworkError::Version(version));
        }
        let units = u16::from_le_bytes(reader.take()?);
        if usize::from(units) != HIDDEN {
            return Err(NetworkError::Hidden(units));
        }
        let (body, sum) = bytes.split_last_chunk().ok_or(NetworkError::Damaged)?;
        if check_sum(body) != u64::from_le_bytes(*sum) {
            return Err(NetworkError::Damaged);
        }
        let [length] = reader.take()?;
        let id = reader.bytes(length.into())?;
        let rules = String::from_utf8(id.to_vec()).map_err(|_| NetworkError::Damaged)?;
        let [regions] = reader.take()?;
        let regions = usize::from(regions);
        if regions != 1 && regions != REGIONS {
            return Err(NetworkError::Damaged);
        }
        let mut rows = Vec::with_capacity(INPUTS);
        for _ in 0..regions * PLACES {
            rows.push(reader.row(LARGEST_IN_ROW)?);
        }
        for next in rows.len()..INPUTS {
            rows.push(rows[next - PLACES]);
        }
        let bias = reader.row(LARGEST_IN_ROW)?;
        let heads = reader.heads()?;
        let rescue = if version == VERSION_WITH_RESCUE {
            let side = match reader.take()? {
                [0] => Side::Attackers,
                [1] => Side::Defenders,
                _ => return Err(NetworkError::Damaged),
            };
            let heads = reader.heads()?;
            Some(Rescue { side, heads })
        } else {
            None
        };
        if reader.0.len() != size_of::<u64>() {
            return Err(NetworkError::Damaged);
        }
        Ok(Self {
            rules,
            rows: shared(rows).ok_or(NetworkError::Damaged)?,
            bias,
            heads,
            rescue,
        })
    }
}

/// What has not been read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(NetworkError::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], NetworkError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(NetworkError::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn row(&mut self, largest: i16) -> Result<Row, NetworkError> {
        let bytes = self.bytes(2 * HIDDEN)?;
        let mut row = [0; HIDDEN];
        for (weight, pair) in row.iter_mut().zip(bytes.chunks_exact(2)) {
            *weight = i16::from_le_bytes([pair[0], pair[1]]);
            if weight.unsigned_abs() > largest.unsigned_abs() {
                return Err(NetworkError::Damaged);
            }
        }
        Ok(row)
    }

    fn heads(&mut self) -> Result<BySide<Head>, NetworkError> {
        let mut head = || -> Result<Head, NetworkError> {
            Ok(Head {
                weights: self.row(LARGEST_IN_HEAD)?,
                bias: i32::from_le_bytes(self.take()?),
            })
        };
        Ok(BySide {
            attackers: head()?,
            defenders: head()?,
        })
    }
}

fn check_sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
