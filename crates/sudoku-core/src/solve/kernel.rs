//! How the solver and the ladder run on this machine.

use std::ffi::OsStr;

use super::{Backtracker, LaneSolver, Solver};
use crate::vectors::Vectors;

/// The environment variable that names the [`Kernel`] of a run.
pub const KERNEL_VARIABLE: &str = "PIPELINE_KERNEL";

/// An implementation of the solver and of the ladder's lowest rungs that this machine can run.
///
/// Results do not depend on the kernel, with one exception: the scalar kernel counts other nodes, and
/// may find another of several solutions first.
#[derive(Clone, Copy, Debug)]
pub struct Kernel(Of);

/// A kernel that this machine does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{KERNEL_VARIABLE}={name}: this machine has {available}")]
pub struct UnknownKernel {
    /// The name that was asked for.
    pub name: String,
    /// The names that this machine has, separated by commas.
    pub available: String,
}

#[derive(Clone, Copy, Debug)]
enum Of {
    Lanes(&'static str, Vectors),
    Scalar,
}

impl Default for Kernel {
    fn default() -> Kernel {
        Kernel::fastest()
    }
}

impl Kernel {
    /// What this machine has, the fastest first.
    pub fn available() -> Vec<Kernel> {
        let lanes = Vectors::available().into_iter();
        let lanes = lanes.map(|(name, vectors)| Kernel(Of::Lanes(name, vectors)));
        lanes.chain([Kernel(Of::Scalar)]).collect()
    }

    /// The fastest that this machine has.
    pub fn fastest() -> Kernel {
        Kernel::available()[0]
    }

    /// The one that [`KERNEL_VARIABLE`] names, else the fastest.
    ///
    /// # Errors
    /// There is none of this name here.
    pub fn from_env() -> Result<Kernel, UnknownKernel> {
        std::env::var_os(KERNEL_VARIABLE)
            .filter(|name| !name.is_empty())
            .map_or_else(|| Ok(Kernel::fastest()), |name| Kernel::named(&name))
    }

    fn named(name: &OsStr) -> Result<Kernel, UnknownKernel> {
        let available = Kernel::available();
        let found = available.iter().find(|kernel| name == kernel.name());
        found.copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|kernel| kernel.name()).collect();
            UnknownKernel {
                name: name.display().to_string(),
                available: names.join(", "),
            }
        })
    }

    /// `avx512`, `avx2`, `portable` or `scalar`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Of::Lanes(name, _) => name,
            Of::Scalar => "scalar",
        }
    }

    /// The vectors of its lanes, if it has any.
    pub(crate) fn vectors(self) -> Option<Vectors> {
        match self.0 {
            Of::Lanes(_, vectors) => Some(vectors),
            Of::Scalar => None,
        }
    }

    /// The solver.
    pub fn solver(self) -> Box<dyn Solver> {
        match self.0 {
            Of::Lanes(_, vectors) => Box::new(LaneSolver(vectors)),
            Of::Scalar => Box::new(Backtracker),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_found_by_its_name_and_no_other_is() {
        for kernel in Kernel::available() {
            let named = Kernel::named(OsStr::new(kernel.name()));
            assert_eq!(named.map(Kernel::name).ok(), Some(kernel.name()));
        }
        for name in ["", "AVX2", "scalar "] {
            let error = Kernel::named(OsStr::new(name)).map(Kernel::name);
            assert_eq!(error.map_err(|error| error.name), Err(name.to_owned()));
        }
    }
}
