//! Counting our own texts: exactly, by rule of thumb, by a ratio.

use core::hint::black_box;
use std::fs;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cutctx_tokens::{Cached, Encoding, Family, Heuristic, Tokenizer};
use cutctx_types::TokenEstimator;

fn counters(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("tokens");
    group.throughput(Throughput::Bytes(u64::try_from(text.len()).unwrap_or_default()));
    for encoding in Encoding::ALL {
        let count = |bencher: &mut criterion::Bencher<'_>| bencher.iter(|| encoding.count(black_box(&text)));
        group.bench_function(encoding.name(), count);
    }
    for family in Family::ALL {
        let heuristic = Heuristic::new(*family);
        group.bench_function(heuristic.name(), |bencher| {
            bencher.iter(|| heuristic.estimate(black_box(&text)));
        });
    }
    let remembered = Cached::new(Tokenizer::from(Encoding::O200kBase));
    group.bench_function("remembered", |bencher| bencher.iter(|| remembered.estimate(black_box(&text))));
    group.finish();
}

/// All written texts of the tests in a row.
fn text() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kinds");
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(|file| Some(file.ok()?.path()));
    let mut paths: Vec<_> = files.collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect::<Vec<_>>().concat().repeat(8)
}

criterion_group!(benches, counters);
criterion_main!(benches);
