//! What pins do, against a slow reading of the same rules.

use cutctx::pins::{Pin, PinError, TODO_TOOLS, apply_pins};
use cutctx::{Role, Transcript, TranscriptTurn};
use proptest::prelude::*;

const ROLES: [Role; 4] = [Role::System, Role::User, Role::Assistant, Role::Tool];
const TOOLS: [&str; 4] = ["Bash", "Read", "TodoWrite", "todo"];
const WORDS: [&str; 4] = ["never push", "the disk is full", "Never Push", ""];

/// A turn as one of few, so that pins find something.
fn turn(number: usize, kind: (usize, usize, usize, u8, bool)) -> TranscriptTurn {
    let (role, tool, words, call, pinned) = kind;
    let id = format!("turn-{:04}-{}", number / 3, number % 3);
    let turn = TranscriptTurn::new(id, ROLES[role], WORDS[words], 1).unwrap().with_pinned(pinned);
    let turn = if tool < 4 { turn.with_tool_name(TOOLS[tool]) } else { turn };
    if call < 4 { turn.with_tool_call_id(format!("c{call}")) } else { turn }
}

fn transcripts() -> impl Strategy<Value = Transcript> {
    let kind = (0_usize..4, 0_usize..6, 0_usize..4, 0_u8..8, proptest::bool::weighted(0.2));
    proptest::collection::vec(kind, 0..20).prop_map(|kinds| {
        let turns = kinds.into_iter().enumerate().map(|(number, kind)| turn(number, kind));
        Transcript::new(turns.collect()).unwrap()
    })
}

/// Pins that need not find anything.
const PREDICATES: [&str; 14] = [
    "first-user",
    "last-user",
    "role:system",
    "role:user",
    "role:assistant",
    "role:tool",
    "tool:Bash",
    "tool:Read,todo",
    "latest:Bash",
    "latest:Bash,Read",
    "latest:todo",
    "latest:todo,Read",
    "regex:never",
    "regex:(?i)^never push$",
];

fn pins() -> impl Strategy<Value = Vec<Pin>> {
    let pin = proptest::sample::select(PREDICATES.to_vec()).prop_map(|text| text.parse().unwrap());
    proptest::collection::vec(pin, 0..4)
}

/// Whether a pin names the turn at a position, by the words of the documentation.
fn names(pin: &Pin, turns: &[TranscriptTurn], at: usize) -> bool {
    let turn = &turns[at];
    let is_user = |turn: &TranscriptTurn| turn.role() == Role::User;
    let is_newest = |name: &str| {
        let is_result = |turn: &TranscriptTurn| turn.role() == Role::Tool && turn.tool_name() == Some(name);
        is_result(turn) && !turns.iter().skip(at.saturating_add(1)).any(is_result)
    };
    match pin {
        Pin::FirstUser => is_user(turn) && !turns[..at].iter().any(is_user),
        Pin::LastUser => is_user(turn) && !turns.iter().skip(at.saturating_add(1)).any(is_user),
        Pin::Role(role) => turn.role() == *role,
        Pin::Tool(names) => names.iter().any(|name| turn.tool_name() == Some(name)),
        Pin::Regex(pattern) => pattern.is_match(turn.content()),
        Pin::Latest(names) => names
            .iter()
            .any(|name| is_newest(name) || (name == "todo" && TODO_TOOLS.iter().any(|tool| is_newest(tool)))),
        Pin::Turn(_) | _ => panic!("{pin:?} has a test of its own"),
    }
}

fn same_exchange(left: &TranscriptTurn, right: &TranscriptTurn) -> bool {
    left.turn_id() == right.turn_id()
        || (left.tool_call_id().is_some() && left.tool_call_id() == right.tool_call_id())
}

proptest! {
    #[test]
    fn a_pin_pins_what_it_names_with_whole_exchanges_and_nothing_else(transcript in transcripts(), pins in pins()) {
        let turns = transcript.turns();
        let all = || 0..turns.len();
        let pinned = apply_pins(&transcript, &pins).unwrap();
        for (pin, found) in pins.iter().zip(&pinned.matches) {
            prop_assert_eq!(&found.pin, pin);
            let expected: Vec<usize> = all().filter(|at| names(pin, turns, *at)).collect();
            prop_assert_eq!(&found.turns, &expected);
        }
        let named: Vec<usize> = all().filter(|at| pins.iter().any(|pin| names(pin, turns, *at))).collect();
        let locked = |at: usize| named.iter().any(|other| same_exchange(&turns[at], &turns[*other]));
        let added: Vec<usize> = all().filter(|at| locked(*at) && !turns[*at].pinned()).collect();
        prop_assert_eq!(&pinned.added, &added);
        let is_called = |at: usize| {
            turns.iter().any(|turn| turn.role() == Role::Assistant && same_exchange(turn, &turns[at]))
        };
        let orphans: Vec<usize> =
            named.iter().copied().filter(|at| turns[*at].role() == Role::Tool && !is_called(*at)).collect();
        prop_assert_eq!(&pinned.orphans, &orphans);
        let expected: Vec<TranscriptTurn> = all()
            .map(|at| turns[at].clone().with_pinned(turns[at].pinned() || added.contains(&at)))
            .collect();
        prop_assert_eq!(pinned.transcript.turns(), expected.as_slice());
    }

    #[test]
    fn pinning_again_changes_nothing(transcript in transcripts(), pins in pins()) {
        let once = apply_pins(&transcript, &pins).unwrap();
        let twice = apply_pins(&once.transcript, &pins).unwrap();
        prop_assert_eq!(&twice.transcript, &once.transcript);
        prop_assert_eq!(twice.matches, once.matches);
        prop_assert!(twice.added.is_empty());
    }

    #[test]
    fn a_turn_is_found_by_its_id_and_by_what_no_other_id_begins_with(
        transcript in transcripts(), at in any::<prop::sample::Index>(), length in 1_usize..14,
    ) {
        prop_assume!(!transcript.is_empty());
        let id = transcript.turns()[at.index(transcript.len())].turn_id();
        let beginning: String = id.chars().take(length).collect();
        let meant: Vec<usize> = (0..transcript.len())
            .filter(|other| transcript.turns()[*other].turn_id().starts_with(&beginning))
            .collect();
        let found = apply_pins(&transcript, &[Pin::Turn(beginning.as_str().into())]);
        match (found, meant.len()) {
            (Ok(pinned), 1) => prop_assert_eq!(&pinned.matches[0].turns, &meant),
            (Err(PinError::NoSuchTurn { .. }), _) => prop_assert!(length < 8),
            (Err(PinError::Ambiguous { turns, .. }), _) => prop_assert!(length >= 8 && turns == meant.len()),
            (other, _) => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn a_pin_is_written_as_it_is_read(text in "(turn:|role:|tool:|latest:|regex:|)[a-zA-Z:,*(-]{0,12}") {
        if let Ok(pin) = text.parse::<Pin>() {
            prop_assert_eq!(pin.to_string().parse::<Pin>().unwrap(), pin);
        }
    }
}
