//! Vectors with one puzzle in each lane, for the solver and for grading.
//!
//! An algorithm is written once, as [`LaneWork`] that consists of [`LaneStep`]s over [`Words`]. [`Vectors`]
//! chooses among the instruction sets of this machine at run time. All unsafe code is in `avx2`,
//! `avx2_shorts`, `avx512`, `avx512_shorts` and `ssse3`.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_shorts;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod avx512_shorts;
mod bytes;
mod cells;
mod digits;
mod lanes;
mod nine;
mod plain;
mod portable;
mod shorts;
mod shuffles;
#[cfg(target_arch = "x86_64")]
mod ssse3;
mod words;

pub(crate) use bytes::{ByteWork, Bytes};
pub(crate) use cells::{CellWork, Cells};
pub(crate) use digits::{Counts, Digits, NineWords};
pub(crate) use lanes::{LaneStep, LaneWork, Lanes};
pub(crate) use plain::PlainWork;
pub(crate) use shorts::{ShortWork, Shorts};
pub(crate) use shuffles::Shuffles;
pub(crate) use words::Words;

/// The instruction set that this process uses for vectors, chosen at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Vectors {
    /// Vectors of sixteen 32-bit lanes, for processors with AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Avx512),
    /// Vectors of eight 32-bit lanes, for processors with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    /// Vectors of four 32-bit lanes in plain Rust, for every machine.
    Portable,
}

/// The fastest instruction set of this machine.
impl Default for Vectors {
    fn default() -> Vectors {
        Vectors::available()[0].1
    }
}

impl Vectors {
    /// All instruction sets that this machine has, each with its name, the fastest first. Tests run with
    /// each.
    pub(crate) fn available() -> Vec<(&'static str, Vectors)> {
        let mut available = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let avx512 = avx512::Avx512::detect().map(Vectors::Avx512);
            available.extend(avx512.map(|vectors| ("avx512", vectors)));
            let avx2 = avx2::Avx2::detect().map(Vectors::Avx2);
            available.extend(avx2.map(|vectors| ("avx2", vectors)));
        }
        available.push(("portable", Vectors::Portable));
        available
    }

    /// Runs an algorithm in 32-bit lanes of this instruction set.
    pub(crate) fn run<W: LaneWork>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512(avx512) => avx512::run(avx512, work),
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2(avx2) => avx2::run(avx2, work),
            Vectors::Portable => portable::run(work),
        }
    }

    /// Runs an algorithm that uses no vectors itself. AVX-512 machines run the code that is compiled for AVX2, so that
    /// it is compiled twice and not three times.
    pub(crate) fn run_plain<W: PlainWork>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512(avx512) => avx2::run_plain(avx512.avx2(), work),
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2(avx2) => avx2::run_plain(avx2, work),
            Vectors::Portable => work.run(),
        }
    }

    /// Runs an algorithm in 16-bit lanes of this instruction set.
    pub(crate) fn run_shorts<W: ShortWork>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512(avx512) => match avx512.shorts() {
                Ok(shorts) => avx512_shorts::run(shorts, work),
                Err(avx2) => avx2_shorts::run(avx2, work),
            },
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2(avx2) => avx2_shorts::run(avx2, work),
            Vectors::Portable => portable::run_shorts(work),
        }
    }
}
