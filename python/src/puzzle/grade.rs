//! Grades and ratings as Python objects.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple, PyType};
use sudoku_core::board::Candidates;
use sudoku_core::grade::{
    Grade as CoreGrade, GradeColumn, GradeParts, GradeValue, HardestTechnique, Ladder, Rank, SEARCH,
};
use sudoku_core::rating::{Rater, Rating as CoreRating, RatingLimits, RatingOutcome, Ratings};

use sudoku_pipeline::error::MakerError;

use crate::errors::usage;
use crate::options::whole_number;

/// The ladder with all techniques, in order. Grades use it by default.
static LADDER: LazyLock<Ladder> = LazyLock::new(Ladder::default);

/// The ladder (ordered list of techniques) with this name, without the techniques above this rank.
pub(crate) fn ladder(
    py: Python<'_>,
    name: Option<&str>,
    max_rank: Option<&Bound<'_, PyAny>>,
) -> PyResult<Cow<'static, Ladder>> {
    let ladder = match name {
        None | Some("full") => Cow::Borrowed(&*LADDER),
        Some(name) => {
            let ladder = Ladder::named(name);
            Cow::Owned(ladder.map_err(|error| usage(py, &format!("ladder={name:?}: {error}")))?)
        }
    };
    let Some(highest) = max_rank else {
        return Ok(ladder);
    };
    let highest = whole_number(highest, "max_rank", 1, SEARCH.number().into())?;
    let highest = Rank::from_number(highest as u8).unwrap_or(SEARCH);
    Ok(Cow::Owned(ladder.into_owned().ending_at(highest)))
}

/// The ladder of these techniques, separated by commas, or of the other options; `None` if no option is given.
pub(super) fn ladder_of_options(
    py: Python<'_>,
    techniques: Option<&str>,
    name: Option<&str>,
    max_rank: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Cow<'static, Ladder>>> {
    let Some(techniques) = techniques else {
        let is_given = name.is_some() || max_rank.is_some();
        return is_given.then(|| ladder(py, name, max_rank)).transpose();
    };
    if name.is_some() || max_rank.is_some() {
        let message = "technique= names the only techniques, so give neither ladder= nor max_rank=";
        return Err(usage(py, message));
    }
    let find = |id: &str| {
        let technique = Rank::from_id(id).and_then(Rank::technique);
        technique.ok_or_else(|| {
            let message = format!(
                "technique={id:?}: {}; techniques() lists them",
                MakerError::UnknownTechnique(id.to_owned())
            );
            usage(py, &message)
        })
    };
    let only = techniques.split(',').map(|id| find(id.trim()));
    let only = only.collect::<PyResult<Vec<_>>>()?;
    Ok(Some(Cow::Owned(Ladder::from_techniques(only))))
}

/// The limits for computing a rating.
pub(super) fn limits(
    py: Python<'_>,
    se_max: Option<&Bound<'_, PyAny>>,
    se_work: Option<&Bound<'_, PyAny>>,
) -> PyResult<RatingLimits> {
    let mut limits = RatingLimits::default();
    if let Some(highest) = se_max {
        let text = highest.str()?.to_string();
        let highest = text.parse::<CoreRating>();
        limits.highest = highest.map_err(|error| usage(py, &format!("se_max={text}: {error}")))?;
    }
    if let Some(work) = se_work {
        limits.work = whole_number(work, "se_work", 1, u64::MAX)?;
    }
    Ok(limits)
}

/// The grade of a puzzle with exactly one solution.
#[pyclass(frozen, eq, module = "sudoku_pipeline")]
#[derive(PartialEq, Eq)]
pub(crate) struct Grade(CoreGrade);

impl Grade {
    /// The value of a column of grades.
    fn value<'py>(&self, py: Python<'py>, column: &GradeColumn) -> PyResult<Bound<'py, PyAny>> {
        match column.value {
            GradeValue::Id { read, .. } => read(&self.0).into_bound_py_any(py),
            GradeValue::U8(read) => read(&self.0).into_bound_py_any(py),
            GradeValue::U16(read) => read(&self.0).into_bound_py_any(py),
            GradeValue::U32(read) => read(&self.0).into_bound_py_any(py),
        }
    }

    /// The columns that are attributes of their own. The attribute `waves` has the number for each technique instead.
    fn attributes() -> impl Iterator<Item = &'static GradeColumn> {
        CoreGrade::COLUMNS
            .iter()
            .filter(|column| column.name != "waves")
    }

    /// Adds a property to the class for each column.
    pub(crate) fn add_properties(py: Python<'_>) -> PyResult<()> {
        let property = py.import("builtins")?.getattr("property")?;
        for column in Grade::attributes() {
            let read = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
                let grade = args.get_item(0)?.cast_into::<Grade>()?;
                grade.get().value(args.py(), column).map(Bound::unbind)
            };
            let read = PyCFunction::new_closure(py, None, None, read)?;
            let property = property.call1((read, py.None(), py.None(), column.doc))?;
            py.get_type::<Grade>().setattr(column.name, property)?;
        }
        Ok(())
    }
}

impl From<CoreGrade> for Grade {
    fn from(grade: CoreGrade) -> Grade {
        Grade(grade)
    }
}

#[pymethods]
impl Grade {
    /// The fields as a dictionary, which json.dumps() accepts.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        for column in Grade::attributes() {
            fields.set_item(column.name, self.value(py, column)?)?;
        }
        fields.set_item("waves", self.waves(py)?)?;
        Ok(fields)
    }

    /// The number of waves of each technique, for those that were used.
    #[getter]
    fn waves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let waves = PyDict::new(py);
        for rank in Rank::all() {
            let count = self.0.waves[rank.index()];
            if count > 0 {
                waves.set_item(rank.id(), count)?;
            }
        }
        Ok(waves)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    /// Restores a grade from its parts, for unpickling.
    #[classmethod]
    fn _from_parts(_: &Bound<'_, PyType>, parts: GradeParts) -> PyResult<Grade> {
        let grade = CoreGrade::from_parts(parts);
        let grade =
            grade.ok_or_else(|| PyValueError::new_err("the parts are those of another version"))?;
        Ok(Grade(grade))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Grade>) -> PyResult<(Bound<'py, PyAny>, (GradeParts,))> {
        Ok((
            slf.get_type().getattr("_from_parts")?,
            (slf.get().0.to_parts(),),
        ))
    }

    fn __repr__(&self) -> String {
        let HardestTechnique { id, rank, level } = self.0.needed();
        let level = level.map_or_else(|| "None".to_owned(), |level| format!("'{}'", level.id()));
        let rank = rank.map_or_else(|| "None".to_owned(), |rank| rank.number().to_string());
        let effort = if self.0.beyond {
            "None".to_owned()
        } else {
            self.0.effort().to_string()
        };
        format!("Grade(technique='{id}', rank={rank}, level={level}, effort={effort})")
    }
}

/// The ratings of a puzzle by Sudoku Explainer 1.2.1.
#[pyclass(frozen, eq, module = "sudoku_pipeline")]
#[derive(PartialEq, Eq)]
pub(crate) struct Rating(RatingOutcome);

/// The parts of a pickled rating: the status, and ER, EP and ED if there are any.
type RatingParts = (String, Vec<String>);

impl Rating {
    /// Rates a board with exactly one solution.
    pub(super) fn from_board(board: &Candidates, limits: RatingLimits) -> Rating {
        thread_local! {
            static RATER: RefCell<Rater> = RefCell::default();
        }
        Rating(RATER.with_borrow_mut(|rater| rater.rate(board, limits)))
    }

    fn pickled_parts(&self) -> RatingParts {
        let ratings = self.0.ratings().map(|ratings| {
            let numbers = [ratings.puzzle, ratings.pearl, ratings.diamond];
            numbers.map(|number| number.to_string()).to_vec()
        });
        (self.0.id().to_owned(), ratings.unwrap_or_default())
    }

    fn number(&self, of: impl Fn(sudoku_core::rating::Ratings) -> CoreRating) -> Option<f64> {
        self.0.ratings().map(|ratings| of(ratings).as_f64())
    }
}

#[pymethods]
impl Rating {
    /// ER: the highest rating of any step; None unless the status is "rated".
    #[getter]
    fn er(&self) -> Option<f64> {
        self.number(|ratings| ratings.puzzle)
    }

    /// EP: the highest rating up to the first placement.
    #[getter]
    fn ep(&self) -> Option<f64> {
        self.number(|ratings| ratings.pearl)
    }

    /// ED: the rating of the first step.
    #[getter]
    fn ed(&self) -> Option<f64> {
        self.number(|ratings| ratings.diamond)
    }

    /// "rated"; "above" if a step needs more than se_max; "gave_up"; "beyond".
    #[getter]
    fn status(&self) -> &'static str {
        self.0.id()
    }

    /// The fields as a dictionary, which json.dumps() accepts.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        fields.set_item("er", self.er())?;
        fields.set_item("ep", self.ep())?;
        fields.set_item("ed", self.ed())?;
        fields.set_item("status", self.status())?;
        Ok(fields)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.pickled_parts().hash(&mut hasher);
        hasher.finish()
    }

    /// Restores a rating from its parts, for unpickling.
    #[classmethod]
    fn _from_parts(_: &Bound<'_, PyType>, parts: RatingParts) -> PyResult<Rating> {
        let (status, ratings) = parts;
        let version_error = || PyValueError::new_err("the parts are those of another version");
        let parse_rating = |text: &String| text.parse::<CoreRating>().map_err(|_| version_error());
        Ok(Rating(match (status.as_str(), ratings.as_slice()) {
            ("rated", [puzzle, pearl, diamond]) => RatingOutcome::Rated(Ratings {
                puzzle: parse_rating(puzzle)?,
                pearl: parse_rating(pearl)?,
                diamond: parse_rating(diamond)?,
            }),
            ("above", []) => RatingOutcome::Above,
            ("gave_up", []) => RatingOutcome::GaveUp,
            ("beyond", []) => RatingOutcome::Beyond,
            _ => return Err(version_error()),
        }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Rating>) -> PyResult<(Bound<'py, PyAny>, (RatingParts,))> {
        Ok((
            slf.get_type().getattr("_from_parts")?,
            (slf.get().pickled_parts(),),
        ))
    }

    fn __repr__(&self) -> String {
        let ratings = self.0.ratings().map(|ratings| {
            let (er, ep, ed) = (ratings.puzzle, ratings.pearl, ratings.diamond);
            format!("er={er}, ep={ep}, ed={ed}, ")
        });
        format!(
            "Rating({}status='{}')",
            ratings.unwrap_or_default(),
            self.0.id()
        )
    }
}
