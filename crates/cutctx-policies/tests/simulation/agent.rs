//! An agent that talks four turns a round.

use cutctx_types::{Role, TranscriptTurn};

/// A tiny xorshift generator: the same seed gives the same run on every machine.
pub(crate) struct Xorshift(u64);

impl Xorshift {
    pub(crate) fn seeded(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from `low` to `high`, both possible.
    fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.within(1, chances) == 1
    }
}

/// How an agent behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habits {
    /// A question, a call, its result, an answer; or a call, two results, an answer.
    Plain,
    /// Some turns are pinned, some results come a round late and interleave with the next call, some
    /// questions come as system turns.
    Wild,
}

/// The other side of the loop.
pub(crate) struct Agent {
    habits: Habits,
    random: Xorshift,
    round: u64,
    turns: u64,
    /// The call whose result comes a round late.
    owed: Option<String>,
}

impl Agent {
    pub(crate) fn new(habits: Habits, seed: u64) -> Self {
        Self { habits, random: Xorshift::seeded(seed), round: 0, turns: 0, owed: None }
    }

    /// What the session starts with.
    pub(crate) fn opening(&mut self) -> TranscriptTurn {
        self.turn(Role::System, 20)
    }

    /// The four turns of the next round.
    pub(crate) fn round(&mut self) -> Vec<TranscriptTurn> {
        self.round += 1;
        let call = format!("call-{}", self.round);
        match self.habits {
            Habits::Plain if self.random.one_in(2) => self.two_results(&call),
            Habits::Plain => self.one_result(&call),
            Habits::Wild => self.something_odd(&call),
        }
    }

    fn one_result(&mut self, call: &str) -> Vec<TranscriptTurn> {
        vec![self.question(), self.call(call), self.result(call, 350), self.answer()]
    }

    fn two_results(&mut self, call: &str) -> Vec<TranscriptTurn> {
        vec![self.call(call), self.result(call, 180), self.result(call, 180), self.answer()]
    }

    fn something_odd(&mut self, call: &str) -> Vec<TranscriptTurn> {
        let late = self.owed.take();
        let mut round = match late {
            // The result of the last round's call comes after this round's call.
            Some(owed) => {
                vec![self.call(call), self.result(&owed, 100), self.result(call, 100), self.answer()]
            }
            None if self.random.one_in(4) => {
                self.owed = Some(call.to_owned());
                vec![self.question(), self.call(call), self.answer(), self.question()]
            }
            None => self.one_result(call),
        };
        if self.random.one_in(30) {
            let which = usize::try_from(self.random.within(0, 3)).unwrap();
            round[which] = round[which].clone().with_pinned(true);
        }
        if self.random.one_in(40) {
            round.push(self.turn(Role::System, 10));
        }
        round
    }

    fn question(&mut self) -> TranscriptTurn {
        let tokens = self.random.within(5, 60);
        self.turn(Role::User, tokens)
    }

    fn call(&mut self, call: &str) -> TranscriptTurn {
        let tokens = self.random.within(5, 60);
        self.turn(Role::Assistant, tokens).with_tool_call_id(call)
    }

    fn result(&mut self, call: &str, most: u64) -> TranscriptTurn {
        let tokens = self.random.within(20, most);
        self.turn(Role::Tool, tokens).with_tool_call_id(call).with_tool_name("read")
    }

    fn answer(&mut self) -> TranscriptTurn {
        let tokens = self.random.within(5, 100);
        self.turn(Role::Assistant, tokens)
    }

    fn turn(&mut self, role: Role, tokens: u64) -> TranscriptTurn {
        self.turns += 1;
        let text = "word".repeat(usize::try_from(tokens).unwrap());
        TranscriptTurn::new(format!("t{}", self.turns), role, text, tokens).unwrap()
    }
}
