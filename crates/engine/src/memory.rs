//! Memory for large tables, asked for so that a refusal is an error and not the end of the program.

use std::fmt;

use memmap2::MmapMut;

/// There was not enough memory for a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory {
    /// The size that was asked for.
    pub megabytes: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no memory for a table of {} megabytes; ask for a smaller one",
            self.megabytes
        )
    }
}

impl std::error::Error for NoMemory {}

/// How many entries of a size fit a number of megabytes, at least one; nothing if that is beyond all
/// addresses.
fn count(megabytes: usize, entry: usize) -> Option<usize> {
    let bytes = megabytes.checked_mul(1 << 20)?;
    Some((bytes / entry).max(1))
}

/// As many blank entries as fit a number of megabytes, at least one.
pub(crate) fn allocate<T: Default>(megabytes: usize) -> Result<Vec<T>, NoMemory> {
    let none = || NoMemory { megabytes };
    let count = count(megabytes, size_of::<T>()).ok_or_else(none)?;
    let mut entries = Vec::new();
    entries.try_reserve_exact(count).map_err(|_| none())?;
    entries.resize_with(count, T::default);
    Ok(entries)
}

/// Blank memory of a number of megabytes for a table that is read all over the place; a whole number
/// of entries, at least one.
///
/// In pages as large as the system has them: with small ones, finding the page made a whole search a
/// tenth slower.
pub(crate) fn map(megabytes: usize, entry: usize) -> Result<MmapMut, NoMemory> {
    let none = || NoMemory { megabytes };
    let count = count(megabytes, entry).ok_or_else(none)?;
    let memory = MmapMut::map_anon(count * entry).map_err(|_| none())?;
    // A system without large pages says no, and small ones do.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

/// The index of a key's entry among a number of entries: keys are spread over all of them evenly.
#[inline(always)]
pub(crate) const fn index_of(key: u64, count: usize) -> usize {
    ((key as u128 * count as u128) >> 64) as usize
}

/// Makes something with a table as large as can be had: half the size after every refusal.
///
/// # Panics
/// There is no memory for the smallest table either.
pub(crate) fn as_large_as_possible<T>(
    mut megabytes: usize,
    make: impl Fn(usize) -> Result<T, NoMemory>,
) -> T {
    loop {
        match make(megabytes) {
            Ok(made) => return made,
            Err(error) => {
                assert!(megabytes > 0, "{error}");
                megabytes /= 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_size_that_was_asked_for() {
        for megabytes in [1, 3, 8] {
            let table: Vec<[u64; 3]> = allocate(megabytes).expect("a few megabytes");
            let bytes = table.len() * size_of::<[u64; 3]>();
            let asked = megabytes << 20;
            assert!(bytes <= asked && asked - bytes < size_of::<[u64; 3]>());
        }
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused_and_halved_until_it_fits() {
        for megabytes in [usize::MAX, usize::MAX >> 21] {
            let error = allocate::<u64>(megabytes).expect_err("more than there is");
            assert!(error.to_string().contains(&megabytes.to_string()));
        }
        let made = as_large_as_possible(1000, |megabytes| {
            (megabytes <= 300)
                .then_some(megabytes)
                .ok_or(NoMemory { megabytes })
        });
        assert_eq!(made, 250);
    }
}
