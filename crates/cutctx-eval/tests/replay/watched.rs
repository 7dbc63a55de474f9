//! The laws of a loop, looked at step by step.

use cutctx::{CompactionBudget, Error, Role, StickyView, Survey, Transcript, TranscriptTurn};
use cutctx_eval::{ContextLoop, Settled};

/// A view whose every step is looked at: what is not as it should be panics.
pub(crate) struct Watched {
    view: StickyView,
    note: String,
    /// What was sent last.
    sent: Vec<TranscriptTurn>,
    /// What the last compaction left, in tokens, once there was one.
    left: Option<u64>,
    /// What was added since, in tokens, and by how many steps.
    since: (u64, usize),
    /// The most that was added between two steps.
    largest_step: u64,
    step: u64,
    /// How often it was compacted, and how often that was not possible.
    pub(crate) compactions: usize,
    pub(crate) unmet: usize,
}

impl Watched {
    pub(crate) fn new(view: StickyView, note: String) -> Self {
        let (sent, left, since) = (Vec::new(), None, (0, 0));
        Self { view, note, sent, left, since, largest_step: 0, step: 0, compactions: 0, unmet: 0 }
    }

    fn budget(&self) -> CompactionBudget {
        *self.view.budget()
    }

    /// What of these turns no plan may take away, in tokens; what an exchange locks may still be shortened.
    fn floor(&self, turns: &[TranscriptTurn]) -> (u64, u64) {
        let transcript = Transcript::new(turns.to_vec()).unwrap();
        let wide = CompactionBudget::new(u64::MAX)
            .with_protected_recent_turns(self.budget().protected_recent_turns());
        let floor = Survey::new(&transcript, &wide).unwrap().floor();
        (floor.untouchable(), floor.total())
    }

    /// It fits, and only its end is new.
    fn check_grown(&self, before: u64) {
        assert!(before <= self.budget().max_tokens(), "{}: {before}", self.note);
        assert!(self.view.turns().starts_with(&self.sent), "{}: more than the end changes", self.note);
    }

    /// It was above the limit, is smaller and at the target now, and nothing is left to do.
    fn check_compacted(&mut self, before: &[TranscriptTurn], tokens: u64) {
        let (budget, after, note) = (self.budget(), self.view.tokens(), &self.note);
        assert!(tokens > budget.max_tokens(), "{note}: {tokens} fits");
        assert!(after < tokens, "{note}: {after} of {tokens}");
        let (_, total) = self.floor(before);
        assert!(after <= budget.goal_tokens().max(total), "{note}: {after}, floor {total}");
        assert!(after <= budget.max_tokens(), "{note}: {after}");
        self.check_respite();
        let once = self.view.turns().to_vec();
        let again = ContextLoop::settle(&mut self.view).unwrap();
        assert_eq!((again, self.view.turns()), (Settled::Grown, once.as_slice()), "{}", self.note);
    }

    /// The last compaction is as many steps away as what it freed has room for.
    fn check_respite(&self) {
        let Some(left) = self.left else { return };
        let room = self.budget().max_tokens().saturating_sub(left);
        let (added, steps) = self.since;
        assert!(added > room, "{}: {added} were added where {room} had room", self.note);
        let steps = u64::try_from(steps).unwrap();
        assert!(steps * self.largest_step > room, "{}: {steps} steps for {room} tokens", self.note);
    }

    /// It cannot fit, and is as it was.
    fn check_unmet(&self, before: &[TranscriptTurn], tokens: u64) {
        let (_, total) = self.floor(before);
        let max = self.budget().max_tokens();
        assert!(tokens > max && total > max, "{}: {total} of {max} can never go", self.note);
        assert_eq!(self.view.turns(), before, "{}", self.note);
    }

    /// What must stay is there, before and after.
    fn check_heads(&self, before: &[TranscriptTurn]) {
        let stays = |turn: &&TranscriptTurn| turn.role() == Role::System || turn.pinned();
        let heads = |turns: &[TranscriptTurn]| -> Vec<TranscriptTurn> {
            turns.iter().filter(stays).cloned().collect()
        };
        assert_eq!(heads(self.view.turns()), heads(before), "{}: what must stay goes", self.note);
    }
}

impl ContextLoop for Watched {
    fn append(&mut self, turn: TranscriptTurn) {
        self.step += turn.token_estimate();
        self.view.append(turn);
    }

    fn settle(&mut self) -> Result<Settled, Box<Error>> {
        self.largest_step = self.largest_step.max(self.step);
        self.since = (self.since.0 + self.step, self.since.1 + 1);
        self.step = 0;
        let (before, tokens) = (self.view.turns().to_vec(), self.view.tokens());
        let settled = ContextLoop::settle(&mut self.view)?;
        match settled {
            Settled::Grown => self.check_grown(tokens),
            Settled::Compacted => {
                self.check_compacted(&before, tokens);
                self.compactions += 1;
                self.left = Some(self.view.tokens());
                self.since = (0, 0);
            }
            Settled::Unmet => {
                self.check_unmet(&before, tokens);
                self.unmet += 1;
            }
        }
        self.check_heads(&before);
        self.sent = self.view.turns().to_vec();
        Ok(settled)
    }

    fn turns(&self) -> &[TranscriptTurn] {
        self.view.turns()
    }
}
