//! The functions that an expression may call.

use sqlparser::ast::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, ObjectNamePart,
};

use crate::table::filter::complain::{at, unsupported};
use crate::table::filter::kind::Kind;
use crate::table::filter::node::Node;
use crate::table::filter::resolve::{Resolver, Typed};
use crate::table::filter::{FilterError, Problem};

/// A call with its types settled; `None` where it has not the arguments that it takes.
type Call = Option<Result<Typed, FilterError>>;

/// How a function is called, and what it is.
struct Known {
    usage: &'static str,
    make: fn(&mut Resolver<'_>, &[&Expr]) -> Call,
}

const FUNCTIONS: [Known; 7] = [
    Known {
        usage: "abs(NUMBER)",
        make: |resolver, arguments| match arguments {
            [number] => Some(abs(resolver, number)),
            _ => None,
        },
    },
    Known {
        usage: "coalesce(VALUE, …)",
        make: |resolver, arguments| match arguments {
            [] => None,
            values => Some(coalesce(resolver, values)),
        },
    },
    Known {
        usage: "length(TEXT)",
        make: |resolver, arguments| of_text(resolver, arguments, Node::Length, Kind::Integer),
    },
    Known {
        usage: "lower(TEXT)",
        make: |resolver, arguments| of_text(resolver, arguments, Node::Lower, Kind::Text),
    },
    Known {
        usage: "substr(TEXT, FROM) or substr(TEXT, FROM, LENGTH)",
        make: |resolver, arguments| match arguments {
            [text, from] => Some(substr(resolver, text, from, None)),
            [text, from, length] => Some(substr(resolver, text, from, Some(length))),
            _ => None,
        },
    },
    Known {
        usage: "substring(TEXT, FROM) or substring(TEXT, FROM, LENGTH)",
        make: |resolver, arguments| match arguments {
            [text, from] => Some(substr(resolver, text, from, None)),
            [text, from, length] => Some(substr(resolver, text, from, Some(length))),
            _ => None,
        },
    },
    Known {
        usage: "upper(TEXT)",
        make: |resolver, arguments| of_text(resolver, arguments, Node::Upper, Kind::Text),
    },
];

impl Known {
    fn name(&self) -> &'static str {
        self.usage.split('(').next().unwrap_or(self.usage)
    }
}

/// A call of a function.
pub(crate) fn call(
    resolver: &mut Resolver<'_>,
    expression: &Expr,
    call: &Function,
) -> Result<Typed, FilterError> {
    let arguments = plain_arguments(call).ok_or_else(|| unsupported(expression))?;
    let name = match call.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value.to_lowercase(),
        _ => return Err(unsupported(expression)),
    };
    let Some(known) = FUNCTIONS.iter().find(|known| known.name() == name) else {
        let names: Vec<_> = FUNCTIONS.iter().map(Known::name).collect();
        let known = names.join(", ");
        return Err(at(expression, Problem::UnknownFunction { name, known }));
    };
    let usage = known.usage;
    (known.make)(resolver, &arguments)
        .unwrap_or_else(|| Err(at(expression, Problem::Arguments { usage })))
}

/// The arguments of a call that has nothing else.
fn plain_arguments(call: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &call.args else {
        return None;
    };
    let is_plain = matches!(call.parameters, FunctionArguments::None)
        && list.duplicate_treatment.is_none()
        && list.clauses.is_empty()
        && call.filter.is_none()
        && call.null_treatment.is_none()
        && call.over.is_none()
        && call.within_group.is_empty();
    let arguments = list.args.iter().map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => Some(expression),
        _ => None,
    });
    arguments.collect::<Option<Vec<_>>>().filter(|_| is_plain)
}

fn of_text(
    resolver: &mut Resolver<'_>,
    arguments: &[&Expr],
    make: fn(Box<Node>) -> Node,
    kind: Kind,
) -> Call {
    let [text] = arguments else { return None };
    Some(resolver.take(text, Kind::Text).map(|text| Typed {
        node: make(Box::new(text)),
        kind: Some(kind),
    }))
}

fn abs(resolver: &mut Resolver<'_>, number: &Expr) -> Result<Typed, FilterError> {
    let typed = resolver.number(number)?;
    Ok(match typed.kind {
        None => typed,
        Some(kind) => Typed {
            node: Node::Abs(kind, Box::new(typed.node)),
            kind: Some(kind),
        },
    })
}

fn coalesce(resolver: &mut Resolver<'_>, values: &[&Expr]) -> Result<Typed, FilterError> {
    let (kind, nodes) = resolver.same_kind(values)?;
    Ok(Typed {
        node: Node::Coalesce(nodes),
        kind: Some(kind),
    })
}

pub(crate) fn substr(
    resolver: &mut Resolver<'_>,
    text: &Expr,
    from: &Expr,
    length: Option<&Expr>,
) -> Result<Typed, FilterError> {
    let text = Box::new(resolver.take(text, Kind::Text)?);
    let from = Box::new(resolver.take(from, Kind::Integer)?);
    let length = length.map(|length| resolver.take(length, Kind::Integer));
    let length = length.transpose()?.map(Box::new);
    Ok(Typed {
        node: Node::Substr { text, from, length },
        kind: Some(Kind::Text),
    })
}
