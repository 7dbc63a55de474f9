//! Sessions as they are in the field, made at random: parallel calls, dead branches, progress, replays.

use proptest::prelude::*;

use super::fates::{Manner, to_budget};
use super::laws;
use super::lines::{call, file, result, said, session, text, thinking};

/// One round: how many calls, whether results hang on their own calls, what else happens.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "they are drawn independently")]
struct Round {
    calls: usize,
    beside: bool,
    thinks: bool,
    speaks: bool,
    asks: bool,
    dead_branch: bool,
    progress: bool,
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let round = (0..4_usize, prop::array::uniform6(any::<bool>())).prop_map(
        |(calls, [beside, thinks, speaks, asks, dead_branch, progress])| Round {
            calls,
            beside,
            thinks,
            speaks,
            asks,
            dead_branch,
            progress,
        },
    );
    prop::collection::vec(round, 1..9)
}

#[derive(Default)]
struct Writer {
    lines: Vec<String>,
    /// Appended to all ids of lines: a replay repeats messages under new ones.
    suffix: &'static str,
    last: String,
    made: usize,
    /// The assistant has ended its turn.
    must_ask: bool,
}

impl Writer {
    fn uuid(&mut self) -> String {
        self.made += 1;
        format!("n{}{}", self.made, self.suffix)
    }

    fn put(&mut self, make: impl Fn(&str, &str) -> String) -> String {
        let uuid = self.uuid();
        self.lines.push(make(&uuid, &self.last));
        self.last.clone_from(&uuid);
        uuid
    }

    fn round(&mut self, number: usize, round: &Round) {
        if round.asks || self.must_ask {
            self.put(|uuid, after| said(uuid, after, &format!("request {number}, please do it with care")));
        }
        if round.dead_branch {
            let uuid = self.uuid();
            self.lines.push(text(
                &uuid,
                &self.last,
                &format!("dead{number}"),
                "an answer that was taken back",
            ));
        }
        let message = format!("msg_{number}");
        if round.thinks {
            self.put(|uuid, after| thinking(uuid, after, &message, &format!("thought {number}")));
        }
        if round.speaks || round.calls == 0 {
            self.put(|uuid, after| text(uuid, after, &message, &format!("remark number {number}")));
        }
        self.calls(number, round, &message);
        self.must_ask = round.calls == 0;
    }

    fn calls(&mut self, number: usize, round: &Round, message: &str) {
        let mut callers = Vec::new();
        for at in 0..round.calls {
            let id = format!("toolu_{number}_{at}");
            callers.push((self.put(|uuid, after| call(uuid, after, message, &id, "make check")), id));
        }
        if round.progress {
            self.put(|uuid, after| {
                format!(r#"{{"type":"progress","uuid":"{uuid}","parentUuid":"{after}","isSidechain":false,"data":{{}}}}"#)
            });
        }
        for (caller, id) in callers {
            let output = format!("output of {id}: everything is as it should be");
            if round.beside {
                self.last.clone_from(&caller);
            }
            self.put(|uuid, after| result(uuid, after, &id, &output));
        }
    }
}

fn session_of(rounds: &[Round], replayed: usize) -> String {
    let mut writer = Writer { must_ask: true, ..Writer::default() };
    for (number, round) in rounds.iter().enumerate().take(replayed) {
        writer.round(number, round);
    }
    (writer.last, writer.made, writer.suffix, writer.must_ask) = (String::new(), 0, "-b", true);
    for (number, round) in rounds.iter().enumerate() {
        writer.round(number, round);
    }
    writer.put(|uuid, after| text(uuid, after, "msg_last", "That is all."));
    file(&writer.lines)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_sound_session_stays_sound_under_all_laws(rounds in rounds(), replayed in 0..4_usize) {
        let before = session_of(&rounds, replayed);
        let read = session(&before);
        prop_assert_eq!(read.violations(), []);
        laws::hold(&before);
        for manner in [Manner::Drop, Manner::Summarize, Manner::Mixed] {
            let after = read.render(
                &to_budget(&read, 0, manner),
                &[cutctx_formats::SummaryText { group: super::fates::GROUP, text: "short" }],
            );
            prop_assert_eq!(session(&after.unwrap().to_text()).violations(), []);
        }
    }
}
