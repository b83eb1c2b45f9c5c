//! Chooses the instruction set for solving and grading.

use std::ffi::OsStr;
use std::sync::LazyLock;

use super::{Backtracker, LaneSolver, Solver};
use crate::vectors::Vectors;

/// The environment variable that selects the [`Kernel`] of a process.
pub const KERNEL_VARIABLE: &str = "PIPELINE_KERNEL";

/// The solver and the lowest techniques of the ladder, implemented for one instruction set of this machine.
///
/// Results do not depend on the kernel, with one exception: the scalar kernel searches in a different
/// order. Its `nodes` differ, and it may find a different first solution if there are several.
#[derive(Clone, Copy, Debug)]
pub struct Kernel(Implementation);

/// The error for a kernel that does not exist or that this machine cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{KERNEL_VARIABLE}={name}: this machine has {available}")]
pub struct UnknownKernel {
    /// The name that was requested.
    pub name: String,
    /// The names of the kernels that this machine can run, separated by commas.
    pub available: String,
}

#[derive(Clone, Copy, Debug)]
enum Implementation {
    Lanes(&'static str, Vectors),
    Scalar,
}

impl Default for Kernel {
    fn default() -> Kernel {
        Kernel::fastest()
    }
}

impl Kernel {
    /// All kernels that this machine can run, the fastest first.
    pub fn available() -> Vec<Kernel> {
        let lanes = Vectors::available().into_iter();
        let lanes = lanes.map(|(name, vectors)| Kernel(Implementation::Lanes(name, vectors)));
        lanes.chain([Kernel(Implementation::Scalar)]).collect()
    }

    /// The fastest kernel of this machine.
    pub fn fastest() -> Kernel {
        static FASTEST: LazyLock<Kernel> = LazyLock::new(|| Kernel::available()[0]);
        *FASTEST
    }

    /// The kernel that [`KERNEL_VARIABLE`] names, or the fastest one if the variable is not set.
    ///
    /// # Errors
    /// This machine has no kernel of this name.
    pub fn from_env() -> Result<Kernel, UnknownKernel> {
        std::env::var_os(KERNEL_VARIABLE)
            .filter(|name| !name.is_empty())
            .map_or_else(|| Ok(Kernel::fastest()), |name| Kernel::from_name(&name))
    }

    fn from_name(name: &OsStr) -> Result<Kernel, UnknownKernel> {
        let available_kernels = Kernel::available();
        let requested_kernel = available_kernels
            .iter()
            .find(|kernel| name == kernel.name());
        requested_kernel.copied().ok_or_else(|| {
            let names: Vec<_> = available_kernels
                .iter()
                .map(|kernel| kernel.name())
                .collect();
            UnknownKernel {
                name: name.display().to_string(),
                available: names.join(", "),
            }
        })
    }

    /// The name of the kernel: `avx512`, `avx2`, `portable` or `scalar`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Implementation::Lanes(name, _) => name,
            Implementation::Scalar => "scalar",
        }
    }

    /// The instruction set of the lanes; `None` for the scalar kernel.
    pub(crate) fn vectors(self) -> Option<Vectors> {
        match self.0 {
            Implementation::Lanes(_, vectors) => Some(vectors),
            Implementation::Scalar => None,
        }
    }

    /// The solver that uses this kernel's instruction set.
    pub fn solver(self) -> Box<dyn Solver> {
        match self.0 {
            Implementation::Lanes(_, vectors) => Box::new(LaneSolver(vectors)),
            Implementation::Scalar => Box::new(Backtracker),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_found_by_its_name_and_no_other_is() {
        for kernel in Kernel::available() {
            let kernel_of_name = Kernel::from_name(OsStr::new(kernel.name()));
            assert_eq!(kernel_of_name.map(Kernel::name).ok(), Some(kernel.name()));
        }
        for name in ["", "AVX2", "scalar "] {
            let error = Kernel::from_name(OsStr::new(name)).map(Kernel::name);
            assert_eq!(error.map_err(|error| error.name), Err(name.to_owned()));
        }
    }
}
