//! How far estimates are from exact counts.

use std::path::Path;

use cutctx_tokens::{Encoding, Family, Heuristic};
use cutctx_types::{CharRatioEstimator, TokenEstimator};

use crate::texts;

/// Tokens below which the error of a text says little.
const FEW: u64 = 15;

/// The table by kind of our own texts.
pub(crate) fn kinds() {
    println!("| kind | bytes | tokens of `o200k_base` | `heuristic:openai` | `chars/4` |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let mut all = Errors::default();
    for sample in texts::own() {
        let exact = Encoding::O200kBase.count(&sample.text);
        let [ours, ratio] = estimates(&sample.text).map(|tokens| signed(exact, tokens));
        println!("| {} | {} | {exact} | {ours} | {ratio} |", sample.kind, sample.text.len());
        all.add(&sample.text, exact);
    }
    println!("\n{}", all.said());
}

/// The table by format of real sessions.
pub(crate) fn corpus(folder: &Path) {
    println!(
        "| format | texts | tokens | mean | 95 of 100 | in all | `chars/4`: mean | 95 of 100 | in all | other ids |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut all = Errors::default();
    for (format, texts) in texts::of_sessions(folder).into_iter().filter(|(_, texts)| !texts.is_empty()) {
        let mut errors = Errors::default();
        for text in &texts {
            let ids = Encoding::O200kBase.encode(text);
            let exact = u64::try_from(ids.len()).unwrap_or(u64::MAX);
            // The other implementation panics on a megabyte of white space.
            if text.len() < 500_000 {
                errors.differing +=
                    u64::from(ids != tiktoken_rs::o200k_base_singleton().encode_ordinary(text));
            }
            errors.add(text, exact);
        }
        println!("| {format} | {} |", errors.cells());
        all.merge(errors);
    }
    println!("| all | {} |\n\n{}", all.cells(), all.said());
}

fn estimates(text: &str) -> [u64; 2] {
    [Heuristic::new(Family::OpenAi).estimate(text), CharRatioEstimator::default().estimate(text)]
}

fn signed(exact: u64, estimate: u64) -> String {
    format!("{:+.0} %", (estimate as f64 / exact as f64 - 1.0) * 100.0)
}

/// Errors of both estimators.
#[derive(Default)]
struct Errors {
    texts: u64,
    exact: u64,
    sums: [u64; 2],
    ratios: [Vec<f64>; 2],
    differing: u64,
}

impl Errors {
    fn add(&mut self, text: &str, exact: u64) {
        self.texts += 1;
        self.exact += exact;
        for (place, estimate) in estimates(text).into_iter().enumerate() {
            self.sums[place] += estimate;
            if exact >= FEW {
                self.ratios[place].push(estimate as f64 / exact as f64);
            }
        }
    }

    fn merge(&mut self, other: Self) {
        self.texts += other.texts;
        self.exact += other.exact;
        self.differing += other.differing;
        for (place, ratios) in other.ratios.into_iter().enumerate() {
            self.sums[place] += other.sums[place];
            self.ratios[place].extend(ratios);
        }
    }

    fn cells(&self) -> String {
        let of = |place: usize| {
            let [mean, p95] = spread(&self.ratios[place]);
            format!("{mean:.1} % | {p95:.0} % | {}", signed(self.exact, self.sums[place]))
        };
        format!("{} | {} | {} | {} | {}", self.texts, self.exact, of(0), of(1), self.differing)
    }

    fn said(&self) -> String {
        let of = |place: usize| {
            let [mean, p95] = spread(&self.ratios[place]);
            let lowest = self.ratios[place].iter().copied().fold(f64::INFINITY, f64::min);
            let highest = self.ratios[place].iter().copied().fold(0.0, f64::max);
            format!(
                "mean error {mean:.1} %, 95 of 100 below {p95:.0} %, lowest ratio {lowest:.2}, highest {highest:.2}"
            )
        };
        format!("Over texts of at least {FEW} tokens, `heuristic:openai`: {}.\n`chars/4`: {}.", of(0), of(1))
    }
}

/// The mean error and the one that 95 of 100 are below, in percent.
fn spread(ratios: &[f64]) -> [f64; 2] {
    let mut errors: Vec<f64> = ratios.iter().map(|ratio| (ratio - 1.0).abs() * 100.0).collect();
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    [mean, errors.get(errors.len() * 95 / 100).copied().unwrap_or_default()]
}
