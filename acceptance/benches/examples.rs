//! Every format: its example, grown to a megabyte, read and rendered, beside a parse into `serde_json::Value` and a
//! write of the same bytes.

#![expect(clippy::print_stderr, reason = "a bench that cannot run says why")]

use acceptance::cases::Failure;
use acceptance::session_file::Way;
use acceptance::sessions::grown;
use core::time::Duration;
use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use std::fs;
use std::path::{Path, PathBuf};

const BYTES: usize = 1_000_000;

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

fn one_file(group: &mut BenchmarkGroup<'_, WallTime>, path: &Path) -> Result<(), Failure> {
    let example = fs::read_to_string(path)?;
    let bytes = grown(&example, BYTES).ok_or("its records are no list")?.into_bytes();
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    for (name, way) in [("Value", Way::Values), ("read and render", Way::Session)] {
        let rounds = way.rounds(&bytes)?;
        group.bench_function(name, |bencher| {
            bencher.iter_batched(&rounds, |round| round(), BatchSize::PerIteration);
        });
    }
    Ok(())
}

criterion_group!(benches, examples);
criterion_main!(benches);
