//! Short sentences of other languages than English that take a grid back or refuse to answer.

/// Words of a fault, as they stand in a short sentence about a grid: "Das ist falsch", "这个答案不对".
const FAULTS: [&str; 41] = [
    // German, Dutch
    "falsch",
    "stimmt nicht",
    "nicht richtig",
    "nicht korrekt",
    "ungültig",
    "fehlerhaft",
    "onjuist",
    "klopt niet",
    "ongeldig", // French
    "c'est faux",
    "est fausse",
    "incorrecte",
    "pas correct",
    "pas juste",
    "invalide",
    // Spanish, Portuguese, Italian
    "incorrecto",
    "incorrecta",
    "es falso",
    "está mal",
    "no es correct",
    "no es válid",
    "inválid",
    "incorreto",
    "incorreta",
    "está errad",
    "não está cert",
    "sbagliat",
    "non è corrett",
    "è errat",
    // Russian, Polish, Turkish
    "неверн",
    "неправильн",
    "ошибочн",
    "niepoprawn",
    "nieprawidłow",
    "yanlış",
    // Chinese, Japanese, Korean
    "错",
    "不对",
    "不正确",
    "間違",
    "正しくない",
    "틀렸",
];
/// Words that deny a fault: "Das ist nicht falsch", "没错".
const DENIALS: [&str; 29] = [
    "nicht falsch",
    "kein",
    "ohne",
    "nichts",
    "geen",
    "aucun",
    "sans",
    "pas faux",
    "pas fausse",
    "pas incorrect",
    "ningun",
    "ningún",
    "sin",
    "nada",
    "no es incorrect",
    "no es falso",
    "não está errad",
    "nenhum",
    "sem",
    "nessun",
    "senza",
    "без",
    "нет",
    "не неверн",
    "没有",
    "不会",
    "没错",
    "不错",
    "間違いな",
];
/// Ways to a solution that a sentence denies, and not the solution: "Ich konnte es nicht lösen, ohne zu raten".
const LIMITS: [&str; 9] = [
    "ohne",
    "nur",
    "sans",
    "sin",
    "solo",
    "sem",
    "senza",
    "без",
    "только",
];
/// Words of a refusal.
const REFUSALS: [&str; 24] = [
    // German, Dutch
    "keine lösung",
    "nicht lösen",
    "nicht lösbar",
    "unlösbar",
    "geen oplossing", // French
    "pas de solution",
    "aucune solution",
    "pas pu résoudre",
    "ne peux pas résoudre",
    "est insoluble",
    // Spanish, Portuguese, Italian
    "no tiene solución",
    "no hay solución",
    "no puedo resolver",
    "no pude resolver",
    "não tem solução",
    "não consegui resolver",
    "non ha soluzione", // Russian
    "нет решения",
    "не могу решить", // Chinese, Japanese, Korean
    "无解",
    "無解",
    "无法解",
    "解けません",
    "풀 수 없",
];
/// Words for a draft.
const DRAFTS: [&str; 12] = [
    "entwurf",
    "erster versuch",
    "brouillon",
    "premier essai",
    "borrador",
    "primer intento",
    "rascunho",
    "bozza",
    "черновик",
    "草稿",
    "下書き",
    "初稿",
];
/// Words about other solutions: "No hay otra solución".
const OTHERS: [&str; 13] = [
    "andere", "weitere", "zweite", "autre", "otra", "outra", "altra", "друг", "其他", "另", "別の",
    "ほか", "다른",
];

/// The longest text before a grid that is searched for words, in bytes.
const LONGEST_LEAD: usize = 120;

/// The longest of these sentences, in words, and in characters where no spaces stand between words.
const LONGEST_SENTENCE: usize = 7;
const LONGEST_WITHOUT_SPACES: usize = 24;

/// Whether a sentence says that the grid before it is wrong.
pub(super) fn takes_back(sentence: &str) -> bool {
    is_short(sentence) && {
        let lower = sentence.to_lowercase().replace('’', "'");
        has(&lower, &FAULTS) && !has(&lower, &DENIALS)
    }
}

/// Whether the words before a grid call it a draft.
pub(super) fn announces_draft(lead: &[u8]) -> bool {
    let end = &lead[lead.len().saturating_sub(LONGEST_LEAD)..];
    has(&String::from_utf8_lossy(end).to_lowercase(), &DRAFTS)
}

/// Whether a sentence says that there is no solution, or that the writer has none.
pub(super) fn refuses(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    has(&lower, &REFUSALS) && !has(&lower, &OTHERS) && !has(&lower, &LIMITS)
}

fn is_short(sentence: &str) -> bool {
    sentence.split_whitespace().count() <= LONGEST_SENTENCE
        && (sentence.contains(' ') || sentence.chars().count() <= LONGEST_WITHOUT_SPACES)
}

/// Whether one of these words, or beginnings of words, is in a sentence. In scripts without spaces it may stand anywhere.
fn has(sentence: &str, words: &[&str]) -> bool {
    let is_found = |word: &&str| {
        let has_spaces = word.starts_with(|c: char| c < FIRST_WITHOUT_SPACES);
        sentence
            .match_indices(*word)
            .any(|(at, _)| !has_spaces || !sentence[..at].ends_with(char::is_alphanumeric))
    };
    words.iter().any(is_found)
}

/// The first character of the scripts of Chinese, Japanese and Korean, among others.
const FIRST_WITHOUT_SPACES: char = '\u{2e80}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_sentences_take_a_grid_back() {
        for text in [
            "Das ist falsch",
            "Das stimmt nicht",
            "C’est faux",
            "Esto es incorrecto",
            "Isso está errado",
            "È sbagliato",
            "Это неверно",
            "这是错误的",
            "这个答案不对",
            "これは間違いです",
            "틀렸습니다",
        ] {
            assert!(takes_back(text), "{text}");
        }
        for text in [
            "Das ist nicht falsch",
            "没错",
            "これで間違いない",
            "No es incorrecto",
            "The search was erratic",
            "Errata: none",
            "Das ist die richtige Lösung",
            "Es gibt keinen Fehler",
            "没有错误",
            "每行每列没有重复",
            "No hay ningún dígito incorrecto",
            "Это решение без ошибок",
            "Zuerst war r1c3 falsch, aber danach habe ich die Zelle mit 4 gefüllt",
        ] {
            assert!(!takes_back(text), "{text}");
        }
        for text in [
            "Es gibt keine Lösung",
            "这个数独无解",
            "No tiene solución",
            "Нет решения",
        ] {
            assert!(refuses(text), "{text}");
        }
        for text in [
            "Es gibt keine andere Lösung",
            "No hay otra solución",
            "没有其他解",
            "Die Lösung",
            "Ich konnte das Sudoku nicht lösen, ohne zu raten",
            "It looked insoluble at first",
        ] {
            assert!(!refuses(text), "{text}");
        }
    }
}
