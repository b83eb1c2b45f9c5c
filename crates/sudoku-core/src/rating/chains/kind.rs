//! The kinds of chains of producers 25 to 32, with their base ratings: nishio 7.5, cell and region forcing
//! chains 8.0, dynamic chains 8.5, dynamic chains with simple rules 9.0, and with nested chains 9.5 to 11.0.
//! A bonus for the length is added.

use super::run::RunMode;
use crate::rating::values::names;

/// A kind of hints that follow from chains from several assumptions. Each kind is a producer (search) of Sudoku
/// Explainer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::rating) struct ChainKind {
    technique: &'static str,
    base: f64,
    mode: RunMode,
}

impl ChainKind {
    pub(in crate::rating) const NISHIO: ChainKind =
        ChainKind::new(names::NISHIO, 7.5, false, true, 0);
    pub(in crate::rating) const MULTIPLE: ChainKind =
        ChainKind::new(names::MULTIPLE, 8.0, true, false, 0);
    pub(in crate::rating) const DYNAMIC: ChainKind =
        ChainKind::new(names::DYNAMIC, 8.5, true, true, 0);
    pub(in crate::rating) const DYNAMIC_PLUS: ChainKind =
        ChainKind::new(names::DYNAMIC_PLUS, 9.0, true, true, 1);
    pub(in crate::rating) const NESTED_FORCING: ChainKind =
        ChainKind::new(names::NESTED_FORCING, 9.5, true, true, 2);
    pub(in crate::rating) const NESTED_MULTIPLE: ChainKind =
        ChainKind::new(names::NESTED_MULTIPLE, 10.0, true, true, 3);
    pub(in crate::rating) const NESTED_DYNAMIC: ChainKind =
        ChainKind::new(names::NESTED_DYNAMIC, 10.5, true, true, 4);
    pub(in crate::rating) const NESTED_DYNAMIC_FORCING: ChainKind =
        ChainKind::new(names::NESTED_DYNAMIC_FORCING, 11.0, true, true, 5);

    const fn new(
        technique: &'static str,
        base: f64,
        cells: bool,
        dynamic: bool,
        level: u8,
    ) -> ChainKind {
        let mode = RunMode {
            cells,
            dynamic,
            level,
        };
        ChainKind {
            technique,
            base,
            mode,
        }
    }

    /// The kind of chains whose hints have this technique name; `None` if there is none.
    pub(super) fn named(technique: &str) -> Option<ChainKind> {
        const ALL: [ChainKind; 8] = [
            ChainKind::NISHIO,
            ChainKind::MULTIPLE,
            ChainKind::DYNAMIC,
            ChainKind::DYNAMIC_PLUS,
            ChainKind::NESTED_FORCING,
            ChainKind::NESTED_MULTIPLE,
            ChainKind::NESTED_DYNAMIC,
            ChainKind::NESTED_DYNAMIC_FORCING,
        ];
        ALL.into_iter().find(|kind| kind.technique == technique)
    }

    /// The base rating of the kind. A bonus for the length is added to it.
    pub(in crate::rating) const fn base(self) -> f64 {
        self.base
    }

    pub(super) const fn mode(self) -> RunMode {
        self.mode
    }

    pub(super) const fn technique(self) -> &'static str {
        self.technique
    }

    pub(super) fn is_nishio(self) -> bool {
        !self.mode.cells
    }
}
