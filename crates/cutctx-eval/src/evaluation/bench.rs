//! What contenders keep of one session.

use super::error::EvalError;
use super::options::EvalOptions;
use super::run::EvalCell;
use crate::contender::{Contender, Ready};
use crate::index::TurnIndex;
use crate::recall::Recall;
use crate::scene::Scene;
use crate::session::EvalSession;
use crate::share::Share;
use crate::stand_in::extracts;
use crate::stop_words::StopWords;
use alloc::sync::Arc;
use cutctx::{CompactionBudget, CompactionExecutor, CompactionPolicy, Survey};

/// What came of one session.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) floor_above: Vec<(usize, usize, usize)>,
    pub(super) asks_nothing: Vec<(usize, usize)>,
    pub(super) refused: Vec<usize>,
    pub(super) cells: Vec<EvalCell>,
}

/// One session with all that is needed to judge on it.
pub(super) struct Bench<'b> {
    /// The session's place among those that are evaluated.
    pub(super) place: usize,
    pub(super) session: &'b EvalSession,
    pub(super) index: &'b [TurnIndex],
    pub(super) options: &'b EvalOptions,
    pub(super) stop_words: &'b StopWords,
}

impl Bench<'_> {
    pub(super) fn judge(&self, contenders: &[Contender]) -> Result<Judged, EvalError> {
        let ready = self.ready(contenders)?;
        let mut judged = Judged {
            floor_above: Vec::new(),
            asks_nothing: Vec::new(),
            refused: vec![0; contenders.len()],
            cells: Vec::new(),
        };
        for (cut, share) in self.options.cuts.iter().enumerate() {
            let tail = usize::try_from(self.options.protected_turns).unwrap_or(usize::MAX);
            let scene = Scene::new(&self.session.transcript, self.index, *share, tail, self.stop_words)?;
            if scene.asks_nothing() {
                judged.asks_nothing.push((self.place, cut));
            } else {
                self.judge_scene(&scene, cut, &ready, &mut judged);
            }
        }
        Ok(judged)
    }

    fn ready(&self, contenders: &[Contender]) -> Result<Vec<Ready>, EvalError> {
        let ready = contenders.iter().map(|contender| {
            let refused = |error| EvalError::Contender { name: contender.name().to_owned(), error };
            contender.ready(&self.session.estimator).map_err(refused)
        });
        ready.collect()
    }

    fn judge_scene(&self, scene: &Scene, cut: usize, ready: &[Ready], judged: &mut Judged) {
        for (place, share) in self.options.budgets.iter().enumerate() {
            let budget = self.budget(share.of_these(scene.prefix.token_estimate()));
            if !fits(scene, &budget) {
                judged.floor_above.push((self.place, cut, place));
                continue;
            }
            for ((contender, ready), refused) in ready.iter().enumerate().zip(&mut judged.refused) {
                let all = ready.each(scene, |policy| self.kept(scene, &budget, policy));
                match mean(&all.into_iter().flatten().collect::<Vec<_>>()) {
                    None => *refused = refused.saturating_add(1),
                    Some(Kept { recall, tokens, over_budget }) => judged.cells.push(EvalCell {
                        session: self.place,
                        cut,
                        budget: place,
                        contender,
                        recall,
                        tokens,
                        over_budget,
                    }),
                }
            }
        }
    }

    /// The budget that all contenders get. Its target is its maximum, so that none goes further down than the others.
    fn budget(&self, tokens: u64) -> CompactionBudget {
        let budget = CompactionBudget::new(tokens).with_protected_recent_turns(self.options.protected_turns);
        budget.with_target(tokens).unwrap_or(budget)
    }

    /// What a policy keeps; nothing where it finds no plan.
    fn kept(&self, scene: &Scene, budget: &CompactionBudget, policy: &dyn CompactionPolicy) -> Option<Kept> {
        let plan = policy.decide(&scene.prefix, budget).ok()?;
        let summaries = extracts(&scene.prefix, &plan);
        let executor = CompactionExecutor::new().with_estimator(Arc::clone(&self.session.estimator));
        let applied = executor.apply(&scene.prefix, &plan, &summaries).ok()?;
        let tokens = applied.account.tokens_after_measured;
        Some(Kept {
            recall: scene.recall(&applied.compacted.turns),
            tokens: Share::of_tokens(tokens, scene.prefix.token_estimate()).unwrap_or_default(),
            over_budget: tokens > budget.max_tokens(),
        })
    }
}

/// Whether what must be kept is within the budget.
fn fits(scene: &Scene, budget: &CompactionBudget) -> bool {
    Survey::new(&scene.prefix, budget).is_ok_and(|survey| survey.floor().total() <= budget.max_tokens())
}

/// What is left of a session.
#[derive(Debug, Clone, Copy)]
struct Kept {
    recall: Recall,
    tokens: Share,
    over_budget: bool,
}

/// The mean of several; `None` of none.
fn mean(all: &[Kept]) -> Option<Kept> {
    let mean_of = |share: &dyn Fn(&Kept) -> Option<Share>| {
        Share::mean(&all.iter().filter_map(share).collect::<Vec<_>>())
    };
    let tokens = mean_of(&|kept| Some(kept.tokens))?;
    let recall = Recall::of_each(|component| mean_of(&|kept| component(&kept.recall)));
    Some(Kept { recall, tokens, over_budget: all.iter().any(|kept| kept.over_budget) })
}
