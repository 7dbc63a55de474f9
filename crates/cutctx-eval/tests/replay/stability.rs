//! The proof that nothing changes in front of what is appended.

use crate::sessions::agent;
use cutctx::{
    CachePrices, CompactionBudget, CompactionPolicy, Error, ObservationMaskingPolicy, StickyView, Summaries,
    Transcript, TranscriptTurn, compact,
};
use cutctx_eval::{ContextLoop, ReplayError, Settled, replay_loop};

/// Masks each result once it is old, as many agents do, and keeps no view.
struct AgeingLoop {
    history: Vec<TranscriptTurn>,
    sent: Vec<TranscriptTurn>,
    budget: CompactionBudget,
    says: Settled,
}

impl ContextLoop for AgeingLoop {
    fn append(&mut self, turn: TranscriptTurn) {
        self.history.push(turn);
    }

    fn settle(&mut self) -> Result<Settled, Box<Error>> {
        let transcript = Transcript::new(self.history.clone()).unwrap();
        let policy = ObservationMaskingPolicy::new().with_keep_recent_results(3);
        self.sent = match policy.decide(&transcript, &self.budget) {
            Ok(_) => compact(&transcript, &self.budget, &policy, &Summaries::none())?.applied.compacted.turns,
            Err(_) => self.history.clone(),
        };
        Ok(self.says)
    }

    fn turns(&self) -> &[TranscriptTurn] {
        &self.sent
    }
}

fn ageing(says: Settled) -> AgeingLoop {
    AgeingLoop { history: Vec::new(), sent: Vec::new(), budget: CompactionBudget::new(2_000), says }
}

#[test]
fn a_loop_that_changes_what_it_sent_is_found_out() {
    let (session, budget) = (agent(60, 3), CompactionBudget::new(2_000));
    let found = replay_loop(&session, "ageing", &mut ageing(Settled::Grown), &budget, CachePrices::ANTHROPIC);
    let Err(ReplayError::Unstable { request, position, policy, .. }) = found else { panic!("{found:?}") };
    assert_eq!((policy.as_str(), position), ("ageing", 3), "the first result is masked first");
    assert!(request > 5 && request < 30, "{request}");
}

#[test]
fn one_that_says_so_is_believed_and_pays_for_it() {
    let (session, budget) = (agent(60, 3), CompactionBudget::new(2_000));
    let mut ageing = ageing(Settled::Compacted);
    let ageing = replay_loop(&session, "ageing", &mut ageing, &budget, CachePrices::ANTHROPIC).unwrap();
    let sticky = CompactionBudget::new(2_000).with_target(1_000).unwrap();
    let mut sticky = StickyView::new(Box::new(cutctx::DropOldestPolicy::new()), sticky);
    let sticky = replay_loop(&session, "sticky", &mut sticky, &budget, CachePrices::ANTHROPIC).unwrap();
    assert!(
        ageing.prefix_breaks > 3 * sticky.prefix_breaks,
        "{} {}",
        ageing.prefix_breaks,
        sticky.prefix_breaks
    );
    assert!(ageing.cost > sticky.cost);
}
