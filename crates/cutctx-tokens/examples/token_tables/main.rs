//! Measures the counters and prints the tables of `docs/tokens.md`; `cargo xtask tokens` runs it.
//!
//! * `token_tables kinds`: the error of the estimators by kind of text.
//! * `token_tables corpus FOLDER`: their error on the texts of real sessions, and whether another implementation agrees.
//! * `token_tables usage FOLDER`: what providers really counted in such sessions.
//! * `token_tables speed`: megabytes a second.
//! * `token_tables once NAME BYTES`: counts so many bytes once, inside the function `measured_region`, which is what to
//!   count instructions in.
//! * `token_tables fit`: weights for the heuristic, fitted anew to `o200k_base`.
//! * `token_tables fit-to FILE`: the same, fitted to a `tokenizer.json` (with the feature `huggingface`).

#![expect(clippy::print_stdout, reason = "what it measured is what it is for")]
#![expect(
    clippy::float_arithmetic,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a measurement on a developer's desk, whose figures are shown with three digits"
)]

extern crate alloc;

mod errors;
mod fit;
mod speed;
mod texts;
mod usage;

use std::path::Path;

use cutctx_tokens::Tokenizer;

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["kinds"] => errors::kinds(),
        ["corpus", folder] => errors::corpus(Path::new(folder)),
        ["usage", folder] => usage::table(Path::new(folder)),
        ["speed"] => speed::table(),
        ["once", name, bytes] => speed::once(&Tokenizer::named(name)?, bytes.parse()?),
        ["fit"] => fit::weights(&Tokenizer::named("o200k_base")?),
        ["fit-to", file] => fit::weights(&Tokenizer::named(&format!("file:{file}"))?),
        _ => {
            return Err(
                "usage: token_tables kinds | corpus FOLDER | usage FOLDER | speed | once NAME BYTES | fit | fit-to FILE".into(),
            );
        }
    }
    Ok(())
}
