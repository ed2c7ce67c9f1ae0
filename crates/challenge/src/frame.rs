//! Frames: a four-byte length, most significant byte first, and that many bytes of payload.
//!
//! The reader is pure: bytes go in, frames come out, and what it keeps is never more than one frame
//! and the bytes that came with it. A length that cannot be is a frame of its own, because what it
//! means is for the referee to say.

/// The longest payload that is read, in bytes. A move has about forty, a state about seven hundred.
pub const LONGEST: usize = 64 * 1024;

const HEAD: usize = 4;

/// What a peer sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// A payload.
    Payload(Vec<u8>),
    /// A length below zero; nothing belongs to it.
    Negative,
    /// A length above [`LONGEST`]; the bytes that belong to it are passed over.
    TooLong(u32),
}

/// Cuts a stream of bytes into frames.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
    /// How many bytes of a frame that is too long are still to come.
    skip: u64,
}

impl Frames {
    /// Takes in what has arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        let skipped = self.skip.min(bytes.len() as u64);
        self.skip -= skipped;
        self.bytes.extend_from_slice(&bytes[skipped as usize..]);
    }

    /// The next frame, if all of it is there.
    pub fn pull(&mut self) -> Option<Frame> {
        let head: [u8; HEAD] = self.bytes.get(..HEAD)?.try_into().ok()?;
        let Ok(length) = u32::try_from(i32::from_be_bytes(head)) else {
            self.bytes.drain(..HEAD);
            return Some(Frame::Negative);
        };
        let end = HEAD + length as usize;
        if length as usize > LONGEST {
            let here = self.bytes.len().min(end);
            self.bytes.drain(..here);
            self.skip = (end - here) as u64;
            return Some(Frame::TooLong(length));
        }
        let payload = self.bytes.get(HEAD..end)?.to_vec();
        self.bytes.drain(..end);
        Some(Frame::Payload(payload))
    }

    /// How many bytes wait for the rest of their frame.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.bytes.len()
    }
}

/// A payload as a frame.
#[must_use]
pub fn frame(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), payload].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(text: &str) -> Option<Frame> {
        Some(Frame::Payload(text.into()))
    }

    #[test]
    fn a_frame_may_come_byte_by_byte() {
        let mut frames = Frames::default();
        let bytes = frame(b"alpha");
        for byte in &bytes[..bytes.len() - 1] {
            frames.push(&[*byte]);
            assert_eq!(frames.pull(), None);
        }
        frames.push(&bytes[bytes.len() - 1..]);
        assert_eq!(frames.pull(), payload("alpha"));
        assert_eq!(frames.pull(), None);
    }

    #[test]
    fn several_frames_may_come_at_once() {
        let mut frames = Frames::default();
        frames.push(&[frame(b"a"), frame(b""), frame("è".as_bytes()), vec![0, 0]].concat());
        assert_eq!(frames.pull(), payload("a"));
        assert_eq!(frames.pull(), payload(""));
        assert_eq!(frames.pull(), payload("è"));
        assert_eq!(frames.pull(), None);
        assert_eq!(frames.waiting(), 2);
    }

    #[test]
    fn lengths_that_cannot_be_are_told_and_what_follows_is_read() {
        let mut frames = Frames::default();
        frames.push(&(-5_i32).to_be_bytes());
        frames.push(&frame(b"next"));
        assert_eq!(frames.pull(), Some(Frame::Negative));
        assert_eq!(frames.pull(), payload("next"));
        let long = LONGEST as u32 + 1;
        frames.push(&long.to_be_bytes());
        assert_eq!(frames.pull(), Some(Frame::TooLong(long)));
        for _ in 0..=LONGEST {
            frames.push(b"x");
            assert_eq!(frames.waiting(), 0, "what is passed over is not kept");
        }
        frames.push(&frame(b"next"));
        assert_eq!(frames.pull(), payload("next"));
        frames.push(&i32::MAX.to_be_bytes());
        assert_eq!(frames.pull(), Some(Frame::TooLong(i32::MAX as u32)));
    }
}
