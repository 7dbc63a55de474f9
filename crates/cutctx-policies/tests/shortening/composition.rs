//! Several of these policies in one chain.

use super::session::{Session, all_it_can, numbered, touched};
use cutctx_policies::{
    BoxedPolicy, CallArgumentsPolicy, ClipPolicy, CoverPolicy, FailedResultsPolicy, LatestStatePolicy,
    MaskStub, ObservationMaskingPolicy, OldReasoningPolicy, OpaqueReasoningPolicy, PolicyChain,
    RepeatedResultsPolicy, StaleReadsPolicy, StubForm,
};
use cutctx_types::{Action, PartKind, Trim};

fn chain(members: Vec<BoxedPolicy>) -> PolicyChain {
    PolicyChain::new(members).unwrap()
}

fn long() -> String {
    numbered(2_000)
}

#[test]
fn what_is_cut_twice_is_cut_once_for_all() {
    let call = format!(r#"[call Write {{"text":"{}"}}]"#, "word ".repeat(500));
    let parts = [
        (PartKind::OpaqueReasoning, "hm"),
        (PartKind::Reasoning, "let me see"),
        (PartKind::CallArguments, call.as_str()),
    ];
    let session = Session::default().turn(&parts).turn(&[(PartKind::Text, "done")]).done();
    let policy = chain(vec![
        Box::new(OpaqueReasoningPolicy::new()),
        Box::new(CallArgumentsPolicy::new()),
        Box::new(OldReasoningPolicy::new().with_keep_recent_turns(0)),
    ]);
    let text = touched(&policy, &session)[&0].clone();
    assert!(text.starts_with("…\n[call Write {\"text\":\"word ") && text.ends_with("\"}]"), "{text}");
    assert!(!text.contains("hm") && !text.contains("let me see") && text.chars().count() < 400);
    let Action::Trim(trim) = all_it_can(&policy, &session, 0).actions()[0].action.clone() else {
        panic!("no trim")
    };
    assert!(trim.token_estimate < 110, "{}", trim.token_estimate);
}

#[test]
fn the_stub_of_a_clipped_result_holds_the_digest_of_the_whole() {
    let session = Session::default().call("run", "{}", &long()).done();
    let masking = ObservationMaskingPolicy::new().with_keep_recent_results(0);
    for form in [StubForm::Short, StubForm::Full] {
        let masking = masking.clone().with_stub(form).unwrap();
        let policy = chain(vec![Box::new(ClipPolicy::new()), Box::new(masking)]);
        let text = touched(&policy, &session)[&1].clone();
        assert!(MaskStub::parse(&text).unwrap().is_of(&long()), "{text}");
    }
}

#[test]
fn what_is_cut_again_does_not_tell_how_much_is_gone() {
    // Another mark than the one that was measured could cost more.
    let session = Session::default().call("run", "{}", &long()).done();
    let policy = chain(vec![Box::new(ClipPolicy::new()), Box::new(CoverPolicy::new())]);
    let plan = all_it_can(&policy, &session, 0);
    let is_counted = |action: &Action| matches!(action, Action::Trim(trim) if trim.counted);
    assert!(plan.actions().iter().all(|action| !is_counted(&action.action)));
    let clipped = all_it_can(&ClipPolicy::new(), &session, 0);
    assert!(is_counted(&clipped.actions()[1].action));
}

#[test]
fn a_stub_is_left_alone_by_all_that_come_after() {
    let session =
        Session::default().call("TodoWrite", "{}", &long()).failed().call("TodoWrite", "{}", &long()).done();
    let policy = chain(vec![
        Box::new(RepeatedResultsPolicy::new()),
        Box::new(StaleReadsPolicy::new()),
        Box::new(LatestStatePolicy::new()),
        Box::new(FailedResultsPolicy::new()),
        Box::new(ClipPolicy::new()),
        Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(1)),
    ]);
    let touched = touched(&policy, &session);
    assert_eq!(MaskStub::parse(&touched[&1]).unwrap().placeholder, "again");
    assert!(touched[&3].lines().any(Trim::is_mark), "the newest is clipped");
}
