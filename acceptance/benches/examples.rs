//! Every format: its example, grown to a megabyte, read and rendered, beside a parse into `serde_json::Value` and a
//! write of the same bytes.

#![expect(clippy::print_stderr, reason = "a bench that cannot run says why")]

use acceptance::sessions::grown;
use core::error::Error;
use core::hint::black_box;
use core::time::Duration;
use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use cutctx_formats::{Fate, ReadRequest, Session};
use cutctx_types::{CharRatioEstimator, Role, TranscriptTurn};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{fs, io};

const BYTES: usize = 1_000_000;
const STUB: &str = "[gone]";

fn examples(criterion: &mut Criterion) {
    for path in files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut group = criterion.benchmark_group(format!("examples/{name}"));
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
        if let Err(error) = one_file(&mut group, &path) {
            eprintln!("{name} is left out: {error}");
        }
        group.finish();
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

fn one_file(group: &mut BenchmarkGroup<'_, WallTime>, path: &Path) -> Result<(), Box<dyn Error>> {
    let example = fs::read_to_string(path)?;
    let bytes = grown(&example, BYTES).ok_or("its records are no list")?.into_bytes();
    let session = read(bytes.clone())?;
    eprintln!("{}: {} turns", path.display(), session.transcript().len());
    let fates: Vec<Fate<'_>> = session.transcript().turns().iter().map(masked).collect();
    render(&session, &fates)?;
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("Value", |bencher| bencher.iter(|| by_value(black_box(&bytes))));
    group.bench_function("read and render", |bencher| {
        let both = |bytes| read(bytes).and_then(|session| render(&session, &fates));
        bencher.iter_batched(|| bytes.clone(), both, BatchSize::PerIteration);
    });
    Ok(())
}

/// Long results are masked.
fn masked(turn: &TranscriptTurn) -> Fate<'static> {
    let long = turn.role() == Role::Tool && turn.content().len() > 200 && !turn.pinned();
    if long { Fate::Masked(STUB) } else { Fate::Kept }
}

/// The first conversation of a file. Where a marker of an earlier compaction or a cleared history comes again, too, only
/// the last copy is context, and all others are ballast that is passed over.
fn read(bytes: Vec<u8>) -> Result<Session, Box<dyn Error>> {
    let estimator = CharRatioEstimator::default();
    Ok(Session::read_with(None, bytes, &ReadRequest::new(&estimator).of_conversation(0))?)
}

fn render(session: &Session, fates: &[Fate<'_>]) -> Result<(), Box<dyn Error>> {
    Ok(session.render(fates, &[])?.write_to(&mut io::sink())?)
}

/// Parses and writes document by document.
fn by_value(bytes: &[u8]) -> serde_json::Result<()> {
    for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
        serde_json::to_writer(io::sink(), &value?)?;
    }
    Ok(())
}

criterion_group!(benches, examples);
criterion_main!(benches);
