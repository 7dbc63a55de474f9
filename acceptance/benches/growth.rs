//! One message of ever more blocks, and one of ever more parallel calls: reading and rendering grows as they do.

#![expect(clippy::print_stderr, reason = "a bench that cannot run says why")]

use acceptance::session_file::Way;
use core::time::Duration;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const COUNTS: [usize; 3] = [100, 1_000, 10_000];

/// A document with a message of so many things.
type Made = fn(usize) -> String;

const DOCUMENTS: [(&str, Made); 4] = [
    ("blocks a message/openai-chat", |count| chat(&said(&listed(count, &part)))),
    ("blocks a message/anthropic-messages", |count| anthropic(&said(&listed(count, &part)))),
    ("calls a message/openai-chat", chat_calls),
    ("calls a message/anthropic-messages", anthropic_calls),
];

fn growth(criterion: &mut Criterion) {
    for (name, made) in DOCUMENTS {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
        for count in COUNTS {
            match Way::Session.rounds(made(count).as_bytes()) {
                Ok(rounds) => {
                    group.throughput(Throughput::Elements(count as u64));
                    group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
                        bencher.iter_batched(&rounds, |round| round(), BatchSize::PerIteration);
                    });
                }
                Err(error) => eprintln!("{name} of {count} is left out: {error}"),
            }
        }
        group.finish();
    }
}

fn chat(messages: &str) -> String {
    format!(r#"{{"model":"m","messages":[{{"role":"user","content":"measure all cables"}},{messages}]}}"#)
}

fn anthropic(messages: &str) -> String {
    format!(
        r#"{{"model":"m","max_tokens":9,"system":"s","messages":[{{"role":"user","content":"measure"}},{messages}]}}"#
    )
}

fn said(blocks: &str) -> String {
    format!(r#"{{"role":"assistant","content":[{blocks}]}}"#)
}

fn part(index: usize) -> String {
    format!(r#"{{"type":"text","text":"cable {index} is long"}}"#)
}

fn listed(count: usize, one: &dyn Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

fn chat_calls(count: usize) -> String {
    let call = |index| {
        format!(
            r#"{{"id":"c{index}","type":"function","function":{{"name":"f","arguments":"{{\"n\":{index}}}"}}}}"#
        )
    };
    let result = |index| format!(r#"{{"role":"tool","tool_call_id":"c{index}","content":"4.2 m"}}"#);
    let (calls, results) = (listed(count, &call), listed(count, &result));
    chat(&format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}},{results}"#))
}

fn anthropic_calls(count: usize) -> String {
    let call = |index| format!(r#"{{"type":"tool_use","id":"c{index}","name":"f","input":{{"n":{index}}}}}"#);
    let result = |index| format!(r#"{{"type":"tool_result","tool_use_id":"c{index}","content":"4.2 m"}}"#);
    let (calls, results) = (listed(count, &call), listed(count, &result));
    anthropic(&format!(r#"{},{{"role":"user","content":[{results}]}}"#, said(&calls)))
}

criterion_group!(benches, growth);
criterion_main!(benches);
