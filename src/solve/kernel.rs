use std::ffi::OsStr;

use super::lanes::LaneSolver;
#[cfg(target_arch = "x86_64")]
use super::lanes::{Avx2, Avx512};
use super::{Backtracker, Solver};
use crate::error::Error;

/// The environment variable that names the [`Kernel`] of a run.
pub const KERNEL_VARIABLE: &str = "PIPELINE_KERNEL";

/// An implementation of the solver that this machine can run. What it finds, and in how many nodes,
/// does not depend on which of the lanes it is.
#[derive(Clone, Copy, Debug)]
pub struct Kernel(Of);

#[derive(Clone, Copy, Debug)]
enum Of {
    Lanes(&'static str, LaneSolver),
    Scalar,
}

impl Kernel {
    /// What this machine has, the fastest first.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            let avx512 = Avx512::detect().map(LaneSolver::Avx512);
            kernels.extend(avx512.map(|lanes| Of::Lanes("avx512", lanes)));
            let avx2 = Avx2::detect().map(LaneSolver::Avx2);
            kernels.extend(avx2.map(|lanes| Of::Lanes("avx2", lanes)));
        }
        kernels.push(Of::Lanes("portable", LaneSolver::Portable));
        kernels.push(Of::Scalar);
        kernels.into_iter().map(Kernel).collect()
    }

    /// The fastest that this machine has.
    pub fn fastest() -> Kernel {
        Kernel::available()[0]
    }

    /// The one that [`KERNEL_VARIABLE`] names, else the fastest.
    ///
    /// # Errors
    /// There is none of this name here.
    pub fn from_env() -> Result<Kernel, Error> {
        std::env::var_os(KERNEL_VARIABLE)
            .map_or_else(|| Ok(Kernel::fastest()), |name| Kernel::named(&name))
    }

    fn named(name: &OsStr) -> Result<Kernel, Error> {
        let available = Kernel::available();
        let found = available.iter().find(|kernel| name == kernel.name());
        found.copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(|kernel| kernel.name()).collect();
            let name = name.display();
            let names = names.join(", ");
            Error::Usage(format!(
                "{KERNEL_VARIABLE}={name}: this machine has {names}"
            ))
        })
    }

    /// `avx512`, `avx2`, `portable` or `scalar`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Of::Lanes(name, _) => name,
            Of::Scalar => "scalar",
        }
    }

    /// The solver.
    pub fn solver(self) -> Box<dyn Solver> {
        match self.0 {
            Of::Lanes(_, solver) => Box::new(solver),
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
            assert!(matches!(error, Err(Error::Usage(_))), "{name:?}");
        }
    }
}
