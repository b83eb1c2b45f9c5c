//! The solving methods and their names.

use std::fmt;
use std::str::FromStr;

use super::elimination::Elimination;
use super::filter::FilterMethod;
use super::scheme::Backtrack;
use super::templates::Templates;
use super::{ExactCover, Order, Rounds, Scheme};
use crate::solve::{Kernel, Solver};

/// A solving method with its settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Solves one puzzle in each lane of a vector.
    #[default]
    Lanes,
    /// Searches depth first with inference rules.
    Backtrack {
        /// The inference rules.
        scheme: Scheme,
        /// The order of the cells.
        order: Order,
    },
    /// Applies four techniques at each node.
    Elimination {
        /// How they alternate.
        rounds: Rounds,
    },
    /// Searches the placements of each digit.
    Templates,
    /// Tries every candidate.
    Filter,
    /// Solves the puzzle as an exact cover.
    Dlx,
}

/// No method has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no solver {name:?}; there are {}", Method::names().join(", "))]
pub struct UnknownMethod {
    /// The unknown name.
    pub name: String,
}

impl Method {
    /// Every method with every setting.
    pub fn all() -> Vec<Method> {
        let schemes = Scheme::ALL.into_iter();
        let backtrack =
            schemes.flat_map(|scheme| Order::ALL.map(|order| Method::Backtrack { scheme, order }));
        let elimination = Rounds::ALL.map(|rounds| Method::Elimination { rounds });
        [Method::Lanes]
            .into_iter()
            .chain(backtrack)
            .chain(elimination)
            .chain([Method::Templates, Method::Filter, Method::Dlx])
            .collect()
    }

    /// The names of all methods with their settings.
    pub fn names() -> Vec<String> {
        Method::all().iter().map(Method::to_string).collect()
    }

    /// The name without the settings.
    pub const fn id(self) -> &'static str {
        match self {
            Method::Lanes => "lanes",
            Method::Backtrack { .. } => "backtrack",
            Method::Elimination { .. } => "elimination",
            Method::Templates => "templates",
            Method::Filter => "filter",
            Method::Dlx => "dlx",
        }
    }

    /// The scheme, if the method has one.
    pub const fn scheme(self) -> Option<Scheme> {
        match self {
            Method::Backtrack { scheme, .. } => Some(scheme),
            _ => None,
        }
    }

    /// The order of the cells, if it is a setting of the method.
    pub const fn order(self) -> Option<Order> {
        match self {
            Method::Backtrack { order, .. } => Some(order),
            _ => None,
        }
    }

    /// The solver. `kernel` is used by [`Method::Lanes`] only.
    pub fn solver(self, kernel: Kernel) -> Box<dyn Solver> {
        match self {
            Method::Lanes => kernel.solver(),
            Method::Backtrack { scheme, order } => Box::new(Backtrack { scheme, order }),
            Method::Elimination { rounds } => Box::new(Elimination { rounds }),
            Method::Templates => Box::new(Templates),
            Method::Filter => Box::new(FilterMethod),
            Method::Dlx => Box::new(ExactCover),
        }
    }
}

/// The name with the settings: `lanes`, `backtrack-singles-mrv`, `elimination-each`, …
impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())?;
        match self {
            Method::Backtrack { scheme, order } => write!(f, "-{}-{}", scheme.id(), order.id()),
            Method::Elimination { rounds } => write!(f, "-{}", rounds.id()),
            _ => Ok(()),
        }
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Method, UnknownMethod> {
        let found = Method::all()
            .into_iter()
            .find(|method| method.to_string() == name);
        found.ok_or_else(|| UnknownMethod {
            name: name.to_owned(),
        })
    }
}
