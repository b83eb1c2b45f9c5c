//! The type [`Method`] of all solving methods with their settings, and their names.

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
    /// `lanes`: solves one puzzle in each lane of a vector.
    #[default]
    Lanes,
    /// `backtrack`: searches depth first with inference rules.
    Backtrack {
        /// The inference rules that are applied at each node.
        scheme: Scheme,
        /// The order in which cells are chosen for guesses.
        order: Order,
    },
    /// `elimination`: applies four techniques at each node.
    Elimination {
        /// The order in which the four techniques are repeated.
        rounds: Rounds,
    },
    /// `templates`: searches the placements of whole digits.
    Templates,
    /// `filter`: tries every candidate, and removes those that fail.
    Filter,
    /// `dlx`: solves the puzzle as an exact cover.
    Dlx,
}

/// The error for a name that no method has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no solver {name:?}; there are {}", Method::names().join(", "))]
pub struct UnknownMethod {
    /// The name that was requested.
    pub name: String,
}

impl Method {
    /// Every method with every combination of its settings.
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

    /// The names of all methods with all settings, as [`Method::all`] lists them.
    pub fn names() -> Vec<String> {
        Method::all().iter().map(Method::to_string).collect()
    }

    /// The name of the method without its settings, such as `backtrack`.
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

    /// The inference rules of the method; `None` if it has no such setting.
    pub const fn scheme(self) -> Option<Scheme> {
        match self {
            Method::Backtrack { scheme, .. } => Some(scheme),
            _ => None,
        }
    }

    /// The order in which the method chooses cells; `None` if it has no such setting.
    pub const fn order(self) -> Option<Order> {
        match self {
            Method::Backtrack { order, .. } => Some(order),
            _ => None,
        }
    }

    /// Makes a solver that uses this method. Only [`Method::Lanes`] uses `kernel`.
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

/// Writes the name of the method with its settings: `lanes`, `backtrack-singles-mrv`, `elimination-each`, …
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
        let names = Method::all()
            .into_iter()
            .find(|method| method.to_string() == name);
        names.ok_or_else(|| UnknownMethod {
            name: name.to_owned(),
        })
    }
}
