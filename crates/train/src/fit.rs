//! Learning a network from samples: gradient descent (Adam) on the square of the error.
//!
//! The network gives the chance of the side to move; what it should give is a mixture of what a
//! search thought and how the game ended. The order of all sums is fixed, whatever the number of
//! cores: the same data and seed give the same network.

use std::thread;

use tablut_engine::{
    Network,
    network::{HIDDEN, INPUTS, LARGEST_WEIGHT, PLACES, REGIONS, RealNetwork, SCALE},
};
use tablut_rules::{BySide, Random, Side};

use crate::sample::{Sample, SampleSet};

/// How to learn.
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// How often each sample is seen; usually [`Course::passes`].
    pub passes: Option<usize>,
    /// Samples between two steps.
    pub batch: usize,
    /// The length of the first steps; it falls to a fiftieth by a cosine. Usually [`Course::rate`].
    pub rate: Option<f32>,
    /// How much the game's result counts beside the search's score, from 0 to 1.
    pub result: f32,
    /// The same for drawn games: a search takes every closed position for won, and the result alone tells which
    /// can be held.
    pub drawn: f32,
    /// What is left of a result for each ply until the end: a win that is near is worth more than one
    /// that is far, so that whoever is winning makes progress.
    pub fading: f32,
    /// Whether what is learnt with the king in one region counts for all: less to learn, and a file of a quarter of
    /// the size.
    pub is_one_region: bool,
    /// Whether only the heads learn, and the hidden layer stays as it is.
    pub is_heads_only: bool,
    /// What chance depends on.
    pub seed: u64,
    /// How many cores to use.
    pub threads: usize,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            passes: None,
            batch: 8_192,
            rate: None,
            result: 0.3,
            drawn: 0.3,
            fading: 0.995,
            is_one_region: false,
            is_heads_only: false,
            seed: 1,
            threads: 1,
        }
    }
}

/// How learning goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Passes made.
    pub pass: usize,
    /// The mean loss on the samples of the last pass, while it was learnt.
    pub learn: f64,
    /// The mean loss on games that were not learnt from.
    pub test: f64,
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "pass {}: loss {:.5}, on games held out {:.5}",
            self.pass, self.learn, self.test
        )
    }
}

/// A batch is cut into this many parts, whose gradients are summed in order.
const PARTS: usize = 8;

/// All numbers of a network one after the other: rows, hidden constants, both heads, both constants.
const NUMBERS: usize = INPUTS * HIDDEN + HIDDEN + 2 * HIDDEN + 2;

const BIAS: usize = INPUTS * HIDDEN;
const HEADS: usize = BIAS + HIDDEN;
const HEAD_BIAS: usize = HEADS + 2 * HIDDEN;

/// The number of a side's head.
const fn head(side: Side) -> usize {
    match side {
        Side::Attackers => 0,
        Side::Defenders => 1,
    }
}

fn chance(worth: f32) -> f32 {
    1.0 / (1.0 + (-worth).exp())
}

impl Course {
    /// The same course for the heads of a rescue: how games end is all that counts, not what a search thought of them.
    #[must_use]
    pub fn for_rescue(self) -> Self {
        Self {
            passes: self.passes.or(Some(12)),
            rate: self.rate.or(Some(0.004)),
            result: 1.0,
            drawn: 1.0,
            fading: 1.0,
            is_heads_only: true,
            ..self
        }
    }

    /// How often each sample is seen. A network that has learnt from other games soon knows these by heart.
    #[must_use]
    pub fn passes(&self, learns_on: bool) -> usize {
        self.passes.unwrap_or(if learns_on { 5 } else { 40 })
    }

    /// The length of the first steps.
    #[must_use]
    pub fn rate(&self, learns_on: bool) -> f32 {
        self.rate.unwrap_or(if learns_on { 0.001 } else { 0.002 })
    }

    /// The number that is learnt for an input.
    #[inline(always)]
    const fn input(&self, input: usize) -> usize {
        if self.is_one_region {
            input % PLACES
        } else {
            input
        }
    }

    /// What the network should give for a sample.
    fn target(&self, sample: &Sample) -> f32 {
        let score = chance(f32::from(sample.score) / SCALE as f32);
        let left = self.fading.powi(sample.plies_left.into());
        let result = 0.5 + (sample.result - 0.5) * left;
        let is_drawn = sample.result == 0.5;
        let share = if is_drawn { self.drawn } else { self.result };
        (1.0 - share) * score + share * result
    }
}

/// Learns a network, from random numbers or on from another network; `on_pass` is called after each
/// pass and may end it by returning false.
pub fn fit(
    samples: &SampleSet,
    course: &Course,
    from: Option<&Network>,
    on_pass: &mut dyn FnMut(&Progress) -> bool,
) -> Network {
    let (passes, first_rate) = (course.passes(from.is_some()), course.rate(from.is_some()));
    let mut random = Random::new(course.seed);
    let mut numbers = match from {
        Some(network) => numbers_of(&network.real()),
        None => first_numbers(&mut random),
    };
    let (mut mean, mut spread) = (vec![0.0; NUMBERS], vec![0.0; NUMBERS]);
    let mut parts: Vec<Part> = (0..PARTS).map(|_| Part::new()).collect();
    let mut order: Vec<u32> = (0..samples.learn.len() as u32).collect();
    let batches = order.len().div_ceil(course.batch).max(1);
    let steps = (batches * passes) as f32;
    let mut step = 0;
    for pass in 1..=passes {
        shuffle(&mut order, &mut random);
        let mut loss = 0.0;
        for batch in order.chunks(course.batch) {
            let seed = random.next();
            let job = Batch {
                samples,
                numbers: &numbers,
                course,
                seed,
            };
            for_parts(&mut parts, batch, course.threads, |part, index, some| {
                part.learn(&job, index, some);
            });
            step += 1;
            let (first, rest) = parts.split_at_mut(1);
            let sum = &mut first[0];
            for part in rest {
                for (sum, slope) in sum.slopes.iter_mut().zip(&part.slopes) {
                    *sum += slope;
                }
                sum.loss += part.loss;
            }
            loss += sum.loss;
            let share = step as f32 / steps;
            let wave = (1.0 + (share * std::f32::consts::PI).cos()) / 2.0;
            let rate = first_rate * (0.02 + 0.98 * wave);
            let slopes = sum.slopes.iter().map(|slope| slope / batch.len() as f32);
            let fixed = if course.is_heads_only { HEADS } else { 0 };
            let slopes = slopes.skip(fixed);
            let numbers = &mut numbers[fixed..HEAD_BIAS + 2];
            adam(numbers, &mut mean, &mut spread, slopes, rate, step);
        }
        let progress = Progress {
            pass,
            learn: loss / samples.learn.len().max(1) as f64,
            test: test_loss(&mut parts, samples, &numbers, course),
        };
        if !on_pass(&progress) {
            break;
        }
    }
    if course.is_one_region {
        for region in 1..REGIONS {
            numbers.copy_within(..PLACES * HIDDEN, region * PLACES * HIDDEN);
        }
    }
    Network::round(samples.rules.set().id(), &real(&numbers))
}

/// The mean loss of a network in integers on the samples that are kept for tests.
#[must_use]
pub fn loss_of(network: &Network, samples: &SampleSet, course: &Course) -> f64 {
    let sum: f64 = samples
        .test
        .iter()
        .map(|sample| {
            let value = network.value_of(sample.inputs(None), sample.side);
            let error = chance(value as f32 / SCALE as f32) - course.target(sample);
            f64::from(error * error)
        })
        .sum();
    sum / samples.test.len().max(1) as f64
}

/// Small random numbers to begin with.
fn first_numbers(random: &mut Random) -> Vec<f32> {
    let mut numbers = vec![0.0; NUMBERS];
    let mut spread = |numbers: &mut [f32], size: f64| {
        for number in numbers {
            *number = ((random.fraction() * 2.0 - 1.0) * size) as f32;
        }
    };
    spread(&mut numbers[..BIAS], 0.15);
    // Most units are half open at first.
    numbers[BIAS..HEADS].fill(0.3);
    spread(&mut numbers[HEADS..HEAD_BIAS], 0.1);
    numbers
}

fn real(numbers: &[f32]) -> RealNetwork {
    let of = |side| HEADS + head(side) * HIDDEN;
    RealNetwork {
        rows: numbers[..BIAS].to_vec(),
        bias: numbers[BIAS..HEADS].to_vec(),
        heads: BySide::from_fn(|side| numbers[of(side)..of(side) + HIDDEN].to_vec()),
        head_bias: BySide::from_fn(|side| numbers[HEAD_BIAS + head(side)]),
    }
}

/// The inverse of [`real`].
fn numbers_of(real: &RealNetwork) -> Vec<f32> {
    let mut numbers = vec![0.0; NUMBERS];
    numbers[..BIAS].copy_from_slice(&real.rows);
    numbers[BIAS..HEADS].copy_from_slice(&real.bias);
    for side in Side::ALL {
        let from = HEADS + head(side) * HIDDEN;
        numbers[from..from + HIDDEN].copy_from_slice(&real.heads[side]);
        numbers[HEAD_BIAS + head(side)] = real.head_bias[side];
    }
    numbers
}

/// One step: each number moves by its mean slope, divided by how much the slope varies.
fn adam(
    numbers: &mut [f32],
    mean: &mut [f32],
    spread: &mut [f32],
    slopes: impl Iterator<Item = f32>,
    rate: f32,
    step: i32,
) {
    let m_part = 1.0 - 0.9_f32.powi(step);
    let s_part = 1.0 - 0.999_f32.powi(step);
    let state = mean.iter_mut().zip(spread);
    for ((number, (m, s)), slope) in numbers.iter_mut().zip(state).zip(slopes) {
        *m = 0.9 * *m + 0.1 * slope;
        *s = 0.999 * *s + 0.001 * slope * slope;
        *number -= rate * (*m / m_part) / ((*s / s_part).sqrt() + 1e-8);
        *number = number.clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
    }
}

fn shuffle(order: &mut [u32], random: &mut Random) {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
}

/// What the parts of a batch share.
struct Batch<'a> {
    samples: &'a SampleSet,
    numbers: &'a [f32],
    course: &'a Course,
    seed: u64,
}

/// The sums of one part of a batch.
struct Part {
    slopes: Vec<f32>,
    loss: f64,
}

/// Gives each part its share of some samples, on several threads.
fn for_parts(
    parts: &mut [Part],
    samples: &[u32],
    threads: usize,
    work: impl Fn(&mut Part, usize, &[u32]) + Sync,
) {
    let size = samples.len().div_ceil(PARTS).max(1);
    let work = &work;
    let share = PARTS.div_ceil(threads.clamp(1, PARTS));
    thread::scope(|scope| {
        for (thread, parts) in parts.chunks_mut(share).enumerate() {
            scope.spawn(move || {
                for (number, part) in parts.iter_mut().enumerate() {
                    let index = thread * share + number;
                    part.slopes.fill(0.0);
                    part.loss = 0.0;
                    work(
                        part,
                        index,
                        samples.chunks(size).nth(index).unwrap_or_default(),
                    );
                }
            });
        }
    });
}

/// The hidden layer and the chance for the inputs of a sample.
#[inline(always)]
fn forward(
    numbers: &[f32],
    inputs: impl Iterator<Item = usize>,
    side: Side,
    hidden: &mut [f32; HIDDEN],
) -> f32 {
    hidden.copy_from_slice(&numbers[BIAS..HEADS]);
    for input in inputs {
        let from = input * HIDDEN;
        for (sum, weight) in hidden.iter_mut().zip(&numbers[from..from + HIDDEN]) {
            *sum += weight;
        }
    }
    let from = HEADS + head(side) * HIDDEN;
    let weights = &numbers[from..from + HIDDEN];
    // Several sums side by side, as the compiler may not reorder one.
    let mut sums = [0.0_f32; 16];
    for (hidden, weights) in hidden.chunks_exact(16).zip(weights.chunks_exact(16)) {
        for (sum, (&unit, &weight)) in sums.iter_mut().zip(hidden.iter().zip(weights)) {
            let clipped = unit.clamp(0.0, 1.0);
            *sum += clipped * clipped * weight;
        }
    }
    chance(sums.iter().sum::<f32>() + numbers[HEAD_BIAS + head(side)])
}

impl Part {
    fn new() -> Self {
        Self {
            slopes: vec![0.0; NUMBERS],
            loss: 0.0,
        }
    }

    /// Adds the slopes of some samples, each in a random symmetry.
    fn learn(&mut self, job: &Batch<'_>, index: usize, samples: &[u32]) {
        let mut random = Random::part(job.seed, index as u64);
        let mut hidden = [0.0_f32; HIDDEN];
        let mut slope = [0.0_f32; HIDDEN];
        for &number in samples {
            let sample = &job.samples.learn[number as usize];
            let symmetries = &job.samples.symmetries;
            let symmetry = &symmetries[random.below(symmetries.len())];
            let inputs = sample.inputs(Some(symmetry));
            let inputs = inputs.map(|input| job.course.input(input));
            let found = forward(job.numbers, inputs.clone(), sample.side, &mut hidden);
            let error = found - job.course.target(sample);
            self.loss += f64::from(error * error);
            let out = 2.0 * error * found * (1.0 - found);
            let from = HEADS + head(sample.side) * HIDDEN;
            let weights = &job.numbers[from..from + HIDDEN];
            let slopes = &mut self.slopes[from..from + HIDDEN];
            for unit in 0..HIDDEN {
                let clipped = hidden[unit].clamp(0.0, 1.0);
                slopes[unit] += out * clipped * clipped;
                // Zero where the unit is shut or fully open.
                let is_open = f32::from(u8::from(hidden[unit] > 0.0 && hidden[unit] < 1.0));
                slope[unit] = out * weights[unit] * 2.0 * clipped * is_open;
            }
            self.slopes[HEAD_BIAS + head(sample.side)] += out;
            for from in inputs.map(|input| input * HIDDEN).chain([BIAS]) {
                let row = &mut self.slopes[from..from + HIDDEN];
                for (sum, slope) in row.iter_mut().zip(&slope) {
                    *sum += slope;
                }
            }
        }
    }
}

fn test_loss(parts: &mut [Part], samples: &SampleSet, numbers: &[f32], course: &Course) -> f64 {
    let all: Vec<u32> = (0..samples.test.len() as u32).collect();
    for_parts(parts, &all, course.threads, |part, _, some| {
        let mut hidden = [0.0; HIDDEN];
        for &number in some {
            let sample = &samples.test[number as usize];
            let inputs = sample.inputs(None).map(|input| course.input(input));
            let found = forward(numbers, inputs, sample.side, &mut hidden);
            let error = found - course.target(sample);
            part.loss += f64::from(error * error);
        }
    });
    parts.iter().map(|part| part.loss).sum::<f64>() / all.len().max(1) as f64
}
