//! The rules for names once more, character by character and without haste.

use super::{Name, hash};

fn is_atom(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn is_joint(character: char) -> bool {
    "/.-:@~+#%&?$".contains(character)
}

/// All names of a text.
pub(super) fn names(text: &str) -> Vec<Name> {
    let characters: Vec<char> = text.chars().collect();
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(character) = characters.get(at) {
        let rest = characters.get(at..).unwrap();
        let in_run = rest.iter().take_while(|next| is_atom(**next) || is_joint(**next)).count();
        if in_run > 0 {
            let run: String = rest.iter().take(in_run).collect();
            names_of_run(&run, rest.get(in_run) == Some(&'('), &mut names);
            at = at.saturating_add(in_run);
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| characters.get(before));
        if "\"'`".contains(*character) && !before.is_some_and(|before| before.is_alphanumeric()) {
            names.extend(phrase(rest));
        }
        let is_escape = *character == '\\' && rest.get(1).is_some_and(|next| "nrt".contains(*next));
        at = at.saturating_add(if is_escape { 2 } else { 1 });
    }
    names
}

fn phrase(rest: &[char]) -> Option<Name> {
    let (quote, inner) = rest.split_first()?;
    let length = inner.iter().position(|next| next == quote).filter(|length| *length <= 80)?;
    let (inner, after) = inner.split_at(length);
    let inner: String = inner.iter().collect();
    let is_phrase = !inner.contains('\n') && inner.len() > 2 && inner.trim().contains(' ');
    let is_closed = !after.get(1).is_some_and(|next| next.is_alphanumeric());
    (is_phrase && is_closed).then(|| Name { hash: hash(inner.trim()), is_plain: false })
}

fn names_of_run(run: &str, is_called: bool, names: &mut Vec<Name>) {
    let atoms: Vec<&str> = run.split(is_joint).collect();
    for (number, atom) in (1_usize..).zip(&atoms) {
        names.extend(name_of_atom(atom, is_called && number == atoms.len()));
    }
    if atoms.iter().filter(|atom| !atom.is_empty()).count() > 1 {
        let whole = run.trim_end_matches(is_joint);
        let whole = whole.trim_start_matches(|next| is_joint(next) && !"/.~".contains(next));
        names_of_whole(whole, names);
    }
}

fn name_of_atom(atom: &str, is_called: bool) -> Option<Name> {
    let letters = atom.chars().filter(|next| *next != '_' && !next.is_numeric()).count();
    let digits = atom.chars().filter(|next| next.is_numeric()).count();
    let capitals = atom.chars().filter(|next| next.is_uppercase()).count();
    let inner = atom.trim_matches('_');
    let pairs = atom.chars().zip(atom.chars().skip(1));
    let is_identifier = (inner.len() > 2 && inner.contains('_'))
        || pairs.clone().any(|(left, right)| left.is_lowercase() && right.is_uppercase())
        || (letters > 0 && digits > 0 && letters.saturating_add(digits) >= 4)
        || (capitals >= 4 && capitals == letters);
    let is_name = is_identifier || (letters == 0 && digits >= 4) || (is_called && letters > 2);
    (is_name || letters >= 6).then(|| Name { hash: hash(atom), is_plain: !is_name })
}

fn names_of_whole(run: &str, names: &mut Vec<Name>) {
    let has_path = run.trim_start_matches('/').contains('/');
    let mut run = run;
    for _ in 0..2 {
        if let Some((shorter, line)) = run.rsplit_once(':').filter(|_| has_path) {
            let is_number = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
            run = if is_number { shorter } else { run };
        }
    }
    if run.len() >= 5 {
        let is_plain = run.chars().all(|next| next == '-' || next.is_alphabetic());
        names.push(Name { hash: hash(run), is_plain });
        let file = run.rsplit_once('/').map(|(_, file)| file).filter(|file| file.contains('.'));
        if let Some(file) = file.filter(|file| has_path && file.len() >= 5) {
            names.push(Name { hash: hash(file), is_plain: false });
        }
    }
}
