//! The kernel, the policies and the executors over 100 to 100,000 turns.

#![expect(clippy::print_stderr, reason = "a bench that cannot run says why")]

use acceptance::cases::Case;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const TURNS: [usize; 4] = [100, 1_000, 10_000, 100_000];
const CHARACTERS: [usize; 2] = [200, 4_000];

fn kernel(criterion: &mut Criterion) {
    for case in Case::ALL {
        let mut group = criterion.benchmark_group(case.name);
        for (turns, characters) in TURNS.into_iter().flat_map(|turns| CHARACTERS.map(|size| (turns, size))) {
            let rounds = match case.prepare(turns, characters) {
                Ok(rounds) => rounds,
                Err(error) => {
                    eprintln!("{} is left out: {error}", case.name);
                    continue;
                }
            };
            group.sample_size(if turns > 1_000 { 10 } else { 50 });
            group.throughput(Throughput::Elements(turns as u64));
            group.bench_function(BenchmarkId::new(format!("{characters} characters"), turns), |bencher| {
                bencher.iter_batched(&rounds, |round| round(), BatchSize::PerIteration);
            });
        }
        group.finish();
    }
}

criterion_group!(benches, kernel);
criterion_main!(benches);
