//! How pins are written, and what is refused.

use cutctx::pins::{Pin, PinError, TODO_TOOLS, apply_pins};
use cutctx::{Coded, Role, Transcript, TranscriptTurn};

#[test]
fn ids_that_look_like_other_pins_are_meant_with_turn() {
    let user = |id: &str| TranscriptTurn::new(id, Role::User, "x", 1).unwrap();
    let transcript = Transcript::new(vec![user("a"), user("first-user"), user("role:user")]).unwrap();
    let turns = |text: &str| {
        let pin: Pin = text.parse().unwrap();
        assert_eq!(pin.to_string(), text);
        apply_pins(&transcript, &[pin]).unwrap().matches.remove(0).turns
    };
    assert_eq!(turns("first-user"), [0]);
    assert_eq!(turns("turn:first-user"), [1]);
    assert_eq!(turns("turn:role:user"), [2]);
    assert_eq!(turns("role:user"), [0, 1, 2]);
    assert_eq!(turns("a"), [0]);
}

#[test]
fn an_id_that_is_the_beginning_of_another_one_is_itself() {
    let user = |id: &str| TranscriptTurn::new(id, Role::User, "x", 1).unwrap();
    let transcript =
        Transcript::new(vec![user("message-1.1"), user("message-1"), user("message-2")]).unwrap();
    let turns = |id: &str| apply_pins(&transcript, &[Pin::Turn(id.into())]).map(|pinned| pinned.added);
    assert_eq!(turns("message-1"), Ok(vec![1]));
    assert_eq!(turns("message-1."), Ok(vec![0]));
    let error = turns("message-").unwrap_err();
    assert_eq!(error, PinError::Ambiguous { beginning: "message-".into(), turns: 3 });
    assert_eq!(error.code().as_str(), "PIN_AMBIGUOUS");
    assert_eq!(turns("nobody").unwrap_err().code().as_str(), "PIN_NO_SUCH_TURN");
}

#[test]
fn what_is_no_pin_is_refused_with_the_kind_that_was_meant() {
    for (text, kind) in [
        ("", "turn"),
        ("turn:", "turn"),
        ("role:", "role"),
        ("role:human", "role"),
        ("tool:", "tool"),
        ("tool:Bash,,Read", "tool"),
        ("latest: ", "latest"),
        ("regex:(", "regex"),
        ("regex:(?<=a)b", "regex"),
    ] {
        let error = text.parse::<Pin>().unwrap_err();
        assert_eq!(error.code().as_str(), "PIN_SYNTAX", "{text}");
        assert_eq!(
            serde_json::to_string(&error.details()).unwrap(),
            format!(r#"{{"kind":"{kind}"}}"#),
            "{text}"
        );
        assert!(!error.to_string().contains('\n') && !error.to_string().ends_with('.'), "{error}");
    }
}

#[test]
fn a_pattern_that_takes_too_much_memory_is_refused() {
    assert!(r"regex:\w{400}{400}".parse::<Pin>().is_err());
    assert!(r"regex:\w{3,20}".parse::<Pin>().is_ok());
}

#[test]
fn a_pattern_of_a_hostile_kind_is_searched_for_in_linear_time() {
    let hostile = "a".repeat(2_000_000);
    let turns = vec![TranscriptTurn::new("u", Role::User, hostile, 1).unwrap()];
    let pins = ["regex:(a+)+b".parse().unwrap(), "regex:(a|aa)+$x".parse().unwrap()];
    let pinned = apply_pins(&Transcript::new(turns).unwrap(), &pins).unwrap();
    assert!(pinned.added.is_empty());
}

#[test]
fn the_table_of_todo_tools_has_no_name_twice() {
    let mut names = TODO_TOOLS.to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), TODO_TOOLS.len());
}
