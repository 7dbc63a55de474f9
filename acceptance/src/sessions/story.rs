//! What happens in a made-up session, whatever format it is told in.

/// What an assistant does in one go, and what comes back.
pub(super) struct Step {
    /// Which step it is, from zero.
    pub(super) number: u64,
    /// What the user asked before it, if anything.
    pub(super) request: Option<String>,
    pub(super) thinking: String,
    pub(super) remark: String,
    /// One to three, all answered.
    pub(super) calls: Vec<Call>,
}

/// A call of a tool and its result.
pub(super) struct Call {
    pub(super) id: String,
    pub(super) tool: &'static str,
    /// A JSON object.
    pub(super) arguments: String,
    pub(super) result: String,
}

/// Every how many steps the user says something.
const STEPS_A_REQUEST: u64 = 12;

/// The steps of a session without end.
pub(super) fn steps() -> impl Iterator<Item = Step> {
    let mut dice = Dice { state: 0x5EED };
    (0..).map(move |number| step(&mut dice, number))
}

fn step(dice: &mut Dice, number: u64) -> Step {
    let calls = 1_u64.saturating_add(dice.roll(5).saturating_sub(2));
    Step {
        number,
        request: number.is_multiple_of(STEPS_A_REQUEST).then(|| prose(dice, 320)),
        thinking: prose(dice, 640),
        remark: prose(dice, 180),
        calls: (0..calls).map(|call| made_up_call(dice, number, call)).collect(),
    }
}

fn made_up_call(dice: &mut Dice, step: u64, call: u64) -> Call {
    let file = dice.roll(900);
    let (tool, arguments) = match dice.roll(3) {
        0 => ("Read", format!(r#"{{"file_path":"/home/dev/bridge/src/part_{file}.rs","offset":{step}}}"#)),
        1 => (
            "Grep",
            format!(r#"{{"pattern":"span_{file}","path":"/home/dev/bridge","output_mode":"content"}}"#),
        ),
        _ => ("Bash", format!(r#"{{"command":"cargo test part_{file} -- --nocapture","timeout":60000}}"#)),
    };
    let length = match dice.roll(10) {
        0..=3 => 240,
        4..=7 => 1_900,
        8 => 6_000,
        _ => 16_000,
    };
    Call { id: format!("toolu_{step:08}{call:02}"), tool, arguments, result: listing(dice, length) }
}

/// Sentences of about this many characters.
fn prose(dice: &mut Dice, characters: usize) -> String {
    const WORDS: [&str; 16] = [
        "the",
        "bridge",
        "holds",
        "when",
        "its",
        "third",
        "cable",
        "carries",
        "less",
        "than",
        "half",
        "of",
        "what",
        "was",
        "measured,",
        "naïvely.",
    ];
    let mut text = String::with_capacity(characters.saturating_add(16));
    while text.len() < characters {
        text.push_str(dice.pick(&WORDS));
        text.push(' ');
    }
    text
}

/// Lines as a tool prints them: tabs, quotes, backslashes, a character beyond ASCII now and then.
fn listing(dice: &mut Dice, characters: usize) -> String {
    const LINES: [&str; 8] = [
        "\tlet cable = Cable::new(\"north\", 42)?;\n",
        "    fn load(&self) -> Newton { self.cables.iter().map(Cable::load).sum() }\n",
        "warning: unused variable: `pillar` in src\\lib.rs\n",
        "test spans::third_cable_holds ... ok\n",
        "// TÜV: geprüft bis 40 t — siehe Anlage\n",
        "}\n",
        "        assert_eq!(bridge.spans().len(), 7, \"one span a pillar\");\n",
        "error[E0308]: mismatched types: expected `Newton`, found `&str`\n",
    ];
    let mut text = String::with_capacity(characters.saturating_add(96));
    let mut line = 0_u64;
    while text.len() < characters {
        line = line.saturating_add(1);
        text.push_str(&line.to_string());
        text.push('\t');
        text.push_str(dice.pick(&LINES));
    }
    text
}

/// Numbers that look random and are the same in every run.
struct Dice {
    state: u64,
}

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33).checked_rem(sides).unwrap_or_default()
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        let sides = u64::try_from(from.len()).unwrap_or(1);
        let index = usize::try_from(self.roll(sides)).unwrap_or_default();
        from.get(index).copied().unwrap_or_default()
    }
}
