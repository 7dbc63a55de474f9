//! Reading, rendering and both, of made-up sessions of five megabytes, beside a parse into `serde_json::Value`.

#![expect(clippy::print_stderr, reason = "a bench that cannot run says why")]

use acceptance::sessions::SessionKind;
use core::error::Error;
use core::hint::black_box;
use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use cutctx_exec::fates_with_appended;
use cutctx_formats::Session;
use cutctx_invariants::{CompactionPlan, CompactionPolicy};
use cutctx_policies::{DropOldestPolicy, ObservationMaskingPolicy, PolicyChain};
use cutctx_types::{CharRatioEstimator, CompactionBudget};
use serde_json::Value;
use std::io;

const BYTES: usize = 5_000_000;

fn formats(criterion: &mut Criterion) {
    for kind in SessionKind::ALL {
        let mut group = criterion.benchmark_group(kind.name());
        group.sample_size(10);
        if let Err(error) = one_format(&mut group, kind) {
            eprintln!("{} is left out: {error}", kind.name());
        }
        group.finish();
    }
}

fn one_format(group: &mut BenchmarkGroup<'_, WallTime>, kind: SessionKind) -> Result<(), Box<dyn Error>> {
    let bytes = kind.bytes(BYTES)?;
    let session = read(bytes.clone())?;
    let plan = half(&session)?;
    render(&session, &plan)?;
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("Value", |bencher| bencher.iter(|| by_value(black_box(&bytes))));
    group.bench_function("read", |bencher| {
        bencher.iter_batched(|| bytes.clone(), read, BatchSize::PerIteration);
    });
    group.bench_function("render", |bencher| bencher.iter(|| render(&session, &plan)));
    group.bench_function("read and render", |bencher| {
        let both = |bytes| read(bytes).and_then(|session| render(&session, &plan));
        bencher.iter_batched(|| bytes.clone(), both, BatchSize::PerIteration);
    });
    Ok(())
}

fn read(bytes: Vec<u8>) -> Result<Session, Box<dyn Error>> {
    Ok(Session::read(bytes, &CharRatioEstimator::default())?)
}

/// Masks and drops down to half.
fn half(session: &Session) -> Result<CompactionPlan, Box<dyn Error>> {
    let chain =
        PolicyChain::new(vec![Box::new(ObservationMaskingPolicy::new()), Box::new(DropOldestPolicy::new())])?;
    let budget = CompactionBudget::new(session.transcript().token_estimate() / 2);
    Ok(chain.decide(session.transcript(), &budget)?)
}

fn render(session: &Session, plan: &CompactionPlan) -> Result<(), Box<dyn Error>> {
    Ok(session.render(&fates_with_appended(plan, 0), &[])?.write_to(&mut io::sink())?)
}

/// Parses and writes line by line.
fn by_value(bytes: &[u8]) -> serde_json::Result<()> {
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let value: Value = serde_json::from_slice(line)?;
        serde_json::to_writer(io::sink(), &value)?;
    }
    Ok(())
}

criterion_group!(benches, formats);
criterion_main!(benches);
