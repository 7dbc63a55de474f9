//! Weights for the heuristic, fitted to the counts of a tokenizer.
//!
//! Least squares of relative errors over our own texts and their lines, by coordinates, with every weight held within
//! bounds and drawn a little towards what it is expected to be; texts that are estimated too low count more. With an
//! optional folder of test data (`CUTCTX_SHARED`) the texts of real sessions take part as well.

use cutctx_tokens::{Kind, Tokenizer, profile};
use cutctx_types::TokenEstimator;

use crate::texts;

/// How strongly a weight is drawn to what is expected.
const DRAW: f64 = 0.15;
/// The weight of all texts of sessions together, in texts of our own.
const SESSIONS: f64 = 180.0;

struct Row {
    /// Kinds that occur, and how often for each token of the text.
    parts: Vec<(usize, f64)>,
    weight: f64,
}

/// Prints the weights, in the order of the kinds.
pub(crate) fn weights(tokenizer: &Tokenizer) {
    let rows = rows(tokenizer);
    let digits = tokenizer.estimate("1234567890123456789012345678901") > 20;
    let bounds: Vec<(f64, f64, f64)> = Kind::ALL.iter().map(|kind| bounds(*kind, digits)).collect();
    let mut weights: Vec<f64> = bounds.iter().map(|(_, expected, _)| *expected).collect();
    for round in 0..6 {
        descend(&rows, &bounds, &mut weights, round > 0);
    }
    for (kind, weight) in Kind::ALL.iter().zip(&weights) {
        println!("{:>5}  {}", (weight * 1_000.0).round() as u32, kind.name());
    }
}

fn rows(tokenizer: &Tokenizer) -> Vec<Row> {
    let mut rows = Vec::new();
    for sample in texts::own() {
        rows.extend(row(&sample.text, tokenizer, 3.0, 1));
        let lines: Vec<&str> = sample.text.split_inclusive('\n').collect();
        let weight = 1.0 / lines.len() as f64;
        rows.extend(
            lines.iter().filter(|_| lines.len() > 3).filter_map(|line| row(line, tokenizer, weight, 8)),
        );
    }
    let Some(shared) = std::env::var_os("CUTCTX_SHARED") else { return rows };
    let sessions = texts::of_sessions(&std::path::Path::new(&shared).join("corpus"));
    let texts: Vec<String> = sessions.into_values().flatten().collect();
    let weight = SESSIONS / texts.len().max(1) as f64;
    rows.extend(texts.iter().filter_map(|text| row(text, tokenizer, weight, 15)));
    rows
}

fn row(text: &str, tokenizer: &Tokenizer, weight: f64, least: u64) -> Option<Row> {
    let tokens = tokenizer.estimate(text);
    let counts = profile(text).into_iter().enumerate().filter(|(_, count)| *count > 0);
    let parts = counts.map(|(kind, count)| (kind, count as f64 / tokens as f64)).collect();
    (tokens >= least).then_some(Row { parts, weight })
}

fn descend(rows: &[Row], bounds: &[(f64, f64, f64)], weights: &mut [f64], mind_low: bool) {
    let of = |row: &Row, weights: &[f64]| {
        row.parts.iter().map(|(kind, share)| share * weights[*kind]).sum::<f64>()
    };
    let mut ratios: Vec<f64> = rows.iter().map(|row| of(row, weights)).collect();
    let importance: Vec<f64> = rows
        .iter()
        .zip(&ratios)
        .map(|(row, ratio)| if mind_low && *ratio < 1.0 { row.weight * 2.5 } else { row.weight })
        .collect();
    let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); weights.len()];
    for (place, row) in rows.iter().enumerate() {
        row.parts.iter().for_each(|(kind, share)| columns[*kind].push((place, *share)));
    }
    for _ in 0..400 {
        let mut moved = 0.0_f64;
        for (kind, column) in columns.iter().enumerate() {
            let (least, expected, most) = bounds[kind];
            let (mut pull, mut hold) = (DRAW * (expected - weights[kind]), DRAW);
            for (place, share) in column {
                pull += importance[*place] * share * (1.0 - ratios[*place]);
                hold += importance[*place] * share * share;
            }
            let change = (weights[kind] + pull / hold).clamp(least, most) - weights[kind];
            weights[kind] += change;
            for (place, share) in column {
                ratios[*place] += change * share;
            }
            moved = moved.max(change.abs());
        }
        if moved < 1e-4 {
            return;
        }
    }
}

/// The least, the expected and the most that a kind may cost. The least of kinds that few texts have is what keeps a
/// text of nothing else from being estimated below seven tenths. `digits`: whether every digit is a token.
fn bounds(kind: Kind, digits: bool) -> (f64, f64, f64) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other kinds are free")]
    match kind {
        Kind::Ruler => (0.06, 0.06, 0.2),
        Kind::RulerFar if digits => (0.065, 0.065, 0.065),
        Kind::RulerFar => (0.025, 0.03, 0.035),
        Kind::Repeat => (0.36, 0.36, 0.4),
        Kind::SpaceNext => (0.008, 0.01, 0.05),
        Kind::BreakNext => (0.063, 0.2, 0.6),
        Kind::Tab => (0.06, 0.3, 1.0),
        Kind::DigitGroup => (0.9, 1.0, if digits { 1.2 } else { 1.05 }),
        Kind::Digit if digits => (0.0, 1.0, 1.2),
        Kind::Digit => (0.0, 0.0, 0.05),
        Kind::InnerFirst | Kind::WordFirst | Kind::Mark => (0.3, 0.6, 1.0),
        Kind::CyrillicRare => (0.6, 0.7, 1.4),
        Kind::CyrillicLate => (0.15, 0.2, 0.5),
        Kind::CyrillicFirst => (0.2, 0.8, 1.2),
        Kind::Cyrillic => (0.1, 0.25, 1.0),
        Kind::GreekFirst => (0.3, 0.7, 1.0),
        Kind::Greek => (0.2, 0.3, 1.0),
        Kind::ArabicFirst => (0.1, 0.4, 1.0),
        Kind::Arabic => (0.2, 0.4, 1.0),
        Kind::EastAsianMark => (0.4, 0.8, 1.0),
        Kind::Typographic => (0.7, 0.9, 2.0),
        Kind::LatinSign | Kind::Joiner => (0.7, 1.0, 2.0),
        Kind::Emoji | Kind::Symbol => (2.1, 2.1, 3.0),
        Kind::Combining => (1.4, 1.4, 2.5),
        Kind::Box => (0.3, 0.5, 2.0),
        Kind::TwoBytes => (1.4, 1.5, 2.0),
        Kind::ThreeBytes => (2.1, 2.2, 3.0),
        Kind::FourBytes => (2.8, 2.8, 4.0),
        Kind::Control => (0.8, 1.0, 1.2),
        Kind::Lao | Kind::Tibetan | Kind::Ethiopic | Kind::Odia => (0.3, 1.0, 3.0),
        _ => (0.0, 0.4, 3.0),
    }
}
