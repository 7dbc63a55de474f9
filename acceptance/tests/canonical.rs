//! Canonical JSON against what the reference wrote for the same values.
//!
//! A chosen few lines live in `acceptance/vectors/canonical.jsonl` and always run. The whole set is part of an optional
//! folder of test data: the folder `CUTCTX_VECTORS`, or `vectors` in `CUTCTX_SHARED`, or `../shared/vectors` beside the
//! checkout; each may hold `canonical-json.jsonl` itself or in a folder `cutctx`.
//!
//! Lines without a tag must pass. Of the tagged ones those pass that can be said in Rust at all; the others are skipped,
//! each for a reason that is printed.

#![expect(clippy::expect_used, reason = "vectors that cannot be read fail the test, as they should")]

extern crate alloc;

use alloc::collections::BTreeMap;
use core::fmt;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use cutctx_types::{Coded as _, canonical_json, sha256_of};
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

#[test]
fn the_committed_vectors_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/canonical.jsonl");
    let tally = run(&path);
    println!("committed vectors: {tally}");
    assert!(tally.passed > 200, "the committed vectors are not all there: {tally}");
    tally.assert_no_failure();
}

#[test]
fn all_vectors_of_the_test_data_hold() {
    let Some(path) = test_data() else {
        println!(
            "SKIPPED: no folder of test data with a canonical-json.jsonl; set CUTCTX_VECTORS or CUTCTX_SHARED to run it"
        );
        return;
    };
    let tally = run(&path);
    println!("{}: {tally}", path.display());
    assert!(tally.passed > 0, "there are no vectors in {}", path.display());
    tally.assert_no_failure();
}

fn test_data() -> Option<PathBuf> {
    let shared = || {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
        env::var_os("CUTCTX_SHARED").map_or(beside, PathBuf::from).join("vectors")
    };
    let folder = env::var_os("CUTCTX_VECTORS").map_or_else(shared, PathBuf::from);
    let places = [folder.join("canonical-json.jsonl"), folder.join("cutctx/canonical-json.jsonl")];
    places.into_iter().find(|path| path.is_file())
}

/// A line of a file of vectors.
#[derive(Deserialize)]
struct Line {
    name: String,
    tags: Vec<String>,
    value: Value,
    canonical: Option<String>,
    sha256: Option<String>,
    expect_error: Option<ExpectedError>,
}

#[derive(Deserialize)]
struct ExpectedError {
    code: Option<String>,
    details: Option<Value>,
}

/// How a line went.
enum Outcome {
    Passed,
    Skipped(String),
    Failed(String),
}

fn run(path: &Path) -> Tally {
    let text = fs::read_to_string(path).expect("the vectors are readable");
    let mut tally = Tally::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let line: Line = serde_json::from_str(line).expect("a line of vectors is JSON of the known form");
        tally.add(&line, judge(&line));
    }
    tally
}

/// A tag excuses a line whose value cannot be said; it excuses no wrong answer.
fn judge(line: &Line) -> Outcome {
    match Said::read(&line.value) {
        Ok(value) => compare(line, &value),
        Err(reason) if line.tags.is_empty() => Outcome::Failed(format!("cannot be said in Rust: {reason}")),
        Err(reason) => Outcome::Skipped(reason),
    }
}

fn compare(line: &Line, value: &Said) -> Outcome {
    let written = canonical_json(value);
    match (&line.expect_error, written) {
        (None, Ok(json)) => {
            let hash = sha256_of(value).map(|digest| digest.to_hex()).ok();
            if line.canonical.as_ref() == Some(&json) && line.sha256 == hash {
                Outcome::Passed
            } else {
                Outcome::Failed(format!("written as {json}, hashed as {hash:?}"))
            }
        }
        (Some(expected), Err(error)) => {
            let code = Some(error.code().to_string());
            let details = serde_json::to_value(error.details()).ok();
            if expected.code != code {
                Outcome::Failed(format!("refused with {code:?}"))
            } else if expected.details == details {
                Outcome::Passed
            } else if line.tags.is_empty() {
                Outcome::Failed(format!("refused with {details:?}"))
            } else {
                Outcome::Skipped("the code is right, the details name what only Python has".into())
            }
        }
        (None, Err(error)) => Outcome::Failed(format!("refused: {error}")),
        (Some(_), Ok(json)) => Outcome::Failed(format!("not refused but written as {json}")),
    }
}

/// What passed, what was skipped for which reason, what failed.
#[derive(Default)]
struct Tally {
    passed: usize,
    skipped: BTreeMap<String, Vec<String>>,
    failed: Vec<String>,
}

impl Tally {
    fn add(&mut self, line: &Line, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed = self.passed.saturating_add(1),
            Outcome::Skipped(reason) => self.skipped.entry(reason).or_default().push(line.name.clone()),
            Outcome::Failed(reason) => self.failed.push(format!("{}: {reason}", line.name)),
        }
    }

    fn assert_no_failure(&self) {
        assert!(self.failed.is_empty(), "{self}");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped: usize = self.skipped.values().map(Vec::len).sum();
        write!(f, "{} passed, {skipped} skipped, {} failed", self.passed, self.failed.len())?;
        for (reason, names) in &self.skipped {
            write!(f, "\n  skipped, {reason}: {}", names.join(", "))?;
        }
        self.failed.iter().try_for_each(|failure| write!(f, "\n  FAILED {failure}"))
    }
}

/// A value as the vectors say it: a list of a name and what goes with it, so that no parser can blur it.
enum Said {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Self>),
    /// Members in the order in which they were put in; keys may be anything.
    Object(Vec<(Self, Self)>),
}

impl Said {
    /// Fails with the reason why Rust cannot say it.
    fn read(value: &Value) -> Result<Self, String> {
        let name = value.get(0).and_then(Value::as_str).unwrap_or_default();
        let with = value.get(1);
        let text = || with.and_then(Value::as_str).unwrap_or_default();
        match name {
            "n" => Ok(Self::Null),
            "b" => Ok(Self::Bool(with == Some(&Value::Bool(true)))),
            "i" => text().parse().map(Self::Int).map_err(|_| "a number beyond 128 bits".into()),
            "f" => from_hex(text()).map(|bits| Self::Float(f64::from_bits(bits))),
            "s" => Ok(Self::Text(text().into())),
            "a" => Ok(Self::List(items(with).iter().map(Self::read).collect::<Result<_, _>>()?)),
            "o" => Ok(Self::Object(items(with).iter().map(Self::read_member).collect::<Result<_, _>>()?)),
            "bytes" => Ok(Self::Bytes(from_hex(text())?.to_be_bytes().to_vec())),
            "deep" => Ok((1..with.and_then(Value::as_u64).unwrap_or_default())
                .fold(Self::List(vec![]), |inner, _| Self::List(vec![inner]))),
            "shared" => Ok(Self::List(vec![Self::ones(), Self::ones()])),
            "s16" => Err("a text with half a surrogate pair".into()),
            "datetime" => Err("a date of Python's library".into()),
            other => Err(format!("a Python value: {other}")),
        }
    }

    fn read_member(member: &Value) -> Result<(Self, Self), String> {
        let (key, value) = (member.get(0).unwrap_or(&Value::Null), member.get(1).unwrap_or(&Value::Null));
        let key = key.as_str().map_or_else(|| Self::read(key), |key| Ok(Self::Text(key.into())))?;
        Ok((key, Self::read(value)?))
    }

    fn ones() -> Self {
        Self::List(vec![Self::Int(1)])
    }
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn from_hex(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| "no hexadecimal number".into())
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i128(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Self::List(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
