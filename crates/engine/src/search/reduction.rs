//! Late-move reductions as a table of integers.

use crate::parameter::Parameters;

/// How much less deep late moves are searched, by depth and number of the move: an integer table.
pub(crate) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    pub(crate) fn new(p: &Parameters) -> Self {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = LOGARITHMS[depth] * LOGARITHMS[number] / 100;
                let hundredths = p.reduction_base + product * 100 / p.reduction_divisor.max(1);
                *entry = (hundredths / 100).clamp(0, 60) as u8;
            }
        }
        Self(table)
    }

    #[inline(always)]
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// Natural logarithms in hundredths, so that no machine rounds differently.
const LOGARITHMS: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294,
    300, 304, 309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364,
    366, 369, 371, 374, 376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404,
    406, 408, 409, 411, 413, 414,
];
