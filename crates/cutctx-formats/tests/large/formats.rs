//! Files of every format that is held in part, made at random from the lines that it may have.

use proptest::prelude::*;
use serde_json::Value;

use super::generated::text;
use super::same::check_of;
use super::templates::{ALL, Template};

/// Beginnings and ends that formats look at.
const EDGES: [&str; 12] = [
    "# AGENTS.md instructions for here\\n",
    "                                                                        # AGENTS.md instructions ",
    "\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n\\n<environment_context> ",
    "<environment_context>",
    "</environment_context>",
    "Caveat: The messages below",
    "/compact",
    "Wall time: 0.1 seconds\\nProcess exited with code 7\\nOutput:\\n",
    "{\\\"output\\\":\\\"",
    "\\\",\\\"metadata\\\":{\\\"exit_code\\\":1,\\\"duration_seconds\\\":0.1}}",
    "{\\\"a\\\":{\\\"b\\\":[",
    "a\\\"b\\\"c\\\"d\\\"e\\\"f\\\"g\\\"h\\\"i\\\"j\\\"k\\\"l\\\"m\\\"n",
];

/// A string as it stands in JSON, with something at an end that a format may look at.
fn said() -> impl Strategy<Value = String> {
    let edge = || prop::option::weighted(0.2, prop::sample::select(&EDGES[..]));
    (edge(), text(), edge()).prop_map(|(before, text, after)| {
        let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap();
        format!("\"{}{inside}{}\"", before.unwrap_or_default(), after.unwrap_or_default())
    })
}

/// Base64 text, or a link.
fn data() -> impl Strategy<Value = String> {
    let head = prop::sample::select(
        &[
            "",
            "",
            "data:image/png;base64,",
            "data:application/pdf;name=a;base64,",
            "https://a.example/b?c=",
            "data:",
        ][..],
    );
    (head, "[A-Za-z0-9+/]{1,9}", prop::sample::select(&[1_usize, 30, 200][..]), prop::bool::weighted(0.1))
        .prop_map(|(head, piece, times, escaped)| {
            let data = if escaped { piece + "\\/" } else { piece };
            format!("\"{head}{}\"", data.repeat(times))
        })
}

/// Arguments of a call: an object, or one in a string.
fn arguments() -> impl Strategy<Value = String> {
    let object =
        (said(), said()).prop_map(|(one, two)| format!(r#"{{ "a" : [{one}, 1.50],"output":{two}}}"#));
    let only = (prop::sample::select(&["output", "result", "error", "outp\\u0075t"][..]), said());
    let only = only.prop_map(|(key, text)| format!(r#"{{"{key}":{text}}}"#));
    let object = prop_oneof![2 => object, 2 => only, 1 => Just(String::from("{}"))];
    (object, 0..3_u8).prop_map(|(object, kind)| match kind {
        0 => Value::from(object).to_string(),
        _ => object,
    })
}

/// What fills the holes of a line.
#[derive(Debug, Clone)]
struct Holes {
    texts: Vec<String>,
    data: String,
    arguments: String,
}

fn holes() -> impl Strategy<Value = Holes> {
    let texts = prop::collection::vec(said(), 3);
    (texts, data(), arguments()).prop_map(|(texts, data, arguments)| Holes { texts, data, arguments })
}

/// A line of a template: `@1` to `@3` are texts, `@D` is data, `@A` arguments, `@N` the number of the line, `@P` that of
/// the line before.
fn filled(template: &str, number: usize, holes: &Holes) -> String {
    let mut line = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('@') {
        line.push_str(before);
        let (hole, behind) = after.split_at(1);
        match hole {
            "D" => line.push_str(&holes.data),
            "A" => line.push_str(&holes.arguments),
            "N" => line.push_str(&number.to_string()),
            "P" => line.push_str(&number.saturating_sub(1).to_string()),
            text => line.push_str(&holes.texts[text.parse::<usize>().unwrap() - 1]),
        }
        rest = behind;
    }
    line + rest
}

fn file(template: &Template, lines: &[(prop::sample::Index, Holes)]) -> String {
    let head = template.head.iter().map(|line| String::from(*line));
    let lines = lines.iter().enumerate().map(|(number, (index, holes))| {
        filled(template.lines[index.index(template.lines.len())], number + 1, holes)
    });
    head.chain(lines).map(|line| line + "\n").collect()
}

/// How many bytes the first two lines have: by one alone a file is no lines.
fn two_lines(file: &str) -> usize {
    file.split_inclusive('\n').take(2).map(str::len).sum()
}

/// The number of lines at most, and how many files are made of each format.
const LINES: usize = 20;
const FILES: u32 = 40;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(FILES))]

    #[test]
    fn any_file_of_any_format_is_the_same_both_ways(
        lines in prop::collection::vec((any::<prop::sample::Index>(), holes()), 3..LINES),
        seeds in prop::array::uniform3(any::<u64>()),
    ) {
        for template in &ALL {
            let file = file(template, &lines);
            let small = two_lines(&file);
            let conversation = template.records.then_some(lines.len() / 2);
            check_of(file.as_bytes(), small, &seeds, conversation);
        }
    }
}

/// Each line of a template alone, so that what fails is small, and so that each of them is read.
#[test]
fn every_line_of_every_format_is_held_in_part() {
    let long = |word: &str| format!("\"{}\"", word.repeat(200));
    let holes = Holes {
        texts: ["one text ", "another ", "a third "].map(long).into(),
        data: long("QUJD"),
        arguments: format!(r#"{{"a":{}}}"#, long("argument ")),
    };
    for template in &ALL {
        let mut saved = 0;
        for line in template.lines {
            let head = template.head.iter().flat_map(|line| [*line, "\n"]).collect::<String>();
            let lines: String = (1..4).map(|number| filled(line, number, &holes) + "\n").collect();
            let content = head.clone() + &lines;
            let conversation = template.records.then_some(1);
            let small = two_lines(&content);
            let in_part = check_of(content.as_bytes(), small, &[1, 2, 3, 4, 5], conversation);
            assert!(in_part, "{}: {line}", template.name);
            saved +=
                usize::from(super::same::held(content.as_bytes(), small, conversation) * 2 < content.len());
        }
        assert!(
            saved * 3 >= template.lines.len() * 2,
            "{}: {saved} of {}",
            template.name,
            template.lines.len()
        );
    }
}
