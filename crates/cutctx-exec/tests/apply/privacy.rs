//! No text of a turn and no summary is in a report, an account, an error or a `Debug` output.

use crate::generated::{SECRET, cases as generated};
use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_types::{Coded, Transcript};
use proptest::prelude::*;

proptest! {
    #[test]
    fn outcomes_show_no_text(case in generated(true)) {
        let requests = case.plan.summarization_requests().iter();
        let summaries: Summaries = requests.map(|request| (request.group_id().clone(), SECRET)).collect();
        let Ok(applied) = CompactionExecutor::new().apply(&case.transcript, &case.plan, &summaries) else {
            return Err(TestCaseError::reject("the summaries are no smaller than what they stand for"));
        };
        let shown = [
            format!("{applied:?} {summaries:?} {:?}", CompactionExecutor::new()),
            serde_json::to_string(&applied.account).unwrap(),
            serde_json::to_string(&applied.compacted.report).unwrap(),
        ];
        for text in shown {
            prop_assert!(!text.contains(SECRET), "{}", text);
        }
    }

    #[test]
    fn errors_show_no_text(case in generated(true), position in any::<prop::sample::Index>()) {
        prop_assume!(!case.transcript.is_empty());
        let mut turns = case.transcript.turns().to_vec();
        let place = position.index(turns.len());
        turns[place] = turns[place].clone().with_content(format!("other {SECRET}"), 1);
        let other = Transcript::new(turns).unwrap();
        let error = CompactionExecutor::new().apply(&other, &case.plan, &case.summaries).unwrap_err();
        let shown = format!("{error} {error:?} {}", serde_json::to_string(&error.details()).unwrap());
        prop_assert!(!shown.contains(SECRET), "{}", shown);
    }
}
