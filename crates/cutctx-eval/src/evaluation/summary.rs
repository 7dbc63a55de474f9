//! A line for every contender and budget.

use super::run::{EvalCell, Evaluation};
use crate::bootstrap::Estimate;
use crate::recall::Recall;
use crate::share::Share;
use alloc::collections::BTreeMap;
use serde::Serialize;

/// What a contender keeps at a budget, over all sessions: first the mean of a session's cuts, then that of the sessions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EvalRow {
    /// The budget, as a share of the tokens before the cut.
    pub budget: Share,
    /// The contender.
    pub policy: String,
    /// How many sessions it is measured on.
    pub sessions: usize,
    /// How many cuts of them.
    pub cuts: usize,
    /// The mean of the four components, with its interval over sessions.
    pub q: Option<Estimate>,
    /// The components, and the other measures.
    #[serde(flatten)]
    pub recall: Recall,
    /// What stands in the view of the references that are used, beyond those that are not, with its interval.
    pub lift: Option<Estimate>,
    /// What the views cost, as a share of the tokens before the cut.
    pub tokens: Option<Share>,
    /// How many views are above the budget.
    pub over_budget: usize,
    /// The difference of Q to the base, by cuts that both were measured on, with its interval over sessions.
    pub against: Option<Estimate>,
}

/// The lines of an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EvalSummary {
    /// What the differences are taken to.
    pub base: Option<String>,
    /// By budget, then by contender, in the order given.
    pub rows: Vec<EvalRow>,
}

impl Evaluation {
    /// The lines, with paired differences to a base: the first contender of this name.
    #[must_use]
    pub fn summary(&self, base: Option<&str>) -> EvalSummary {
        let base = base.and_then(|name| self.contenders.iter().position(|contender| contender == name));
        let budgets = 0..self.options.budgets.len();
        let rows = budgets.flat_map(|budget| {
            (0..self.contenders.len()).filter_map(move |contender| self.row(budget, contender, base))
        });
        let name = base.and_then(|base| self.contenders.get(base)).cloned();
        EvalSummary { base: name, rows: rows.collect() }
    }

    fn row(&self, budget: usize, contender: usize, base: Option<usize>) -> Option<EvalRow> {
        let cells = self.cells_of(budget, contender);
        Some(EvalRow {
            budget: *self.options.budgets.get(budget)?,
            policy: self.contenders.get(contender)?.clone(),
            sessions: by_session(&cells, |cell| Some(cell.tokens)).len(),
            cuts: cells.len(),
            q: Estimate::of(&by_session(&cells, |cell| cell.recall.q())),
            recall: Recall::of_each(|component| {
                Share::mean(&by_session(&cells, |cell| component(&cell.recall)))
            }),
            lift: Estimate::of(&by_session(&cells, |cell| cell.recall.lift())),
            tokens: Share::mean(&by_session(&cells, |cell| Some(cell.tokens))),
            over_budget: cells.iter().filter(|cell| cell.over_budget).count(),
            against: base
                .filter(|base| *base != contender)
                .and_then(|base| self.difference(budget, contender, base)),
        })
    }

    /// The paired difference of two contenders' Q, by session.
    fn difference(&self, budget: usize, contender: usize, base: usize) -> Option<Estimate> {
        let base: BTreeMap<(usize, usize), Share> = self
            .cells_of(budget, base)
            .into_iter()
            .filter_map(|cell| Some(((cell.session, cell.cut), cell.recall.q()?)))
            .collect();
        let cells = self.cells_of(budget, contender);
        let differences = by_session(&cells, |cell| {
            let other = base.get(&(cell.session, cell.cut))?;
            Some(cell.recall.q()?.minus(*other))
        });
        Estimate::of(&differences)
    }

    fn cells_of(&self, budget: usize, contender: usize) -> Vec<&EvalCell> {
        let is_meant = |cell: &&EvalCell| cell.budget == budget && cell.contender == contender;
        self.cells.iter().filter(is_meant).collect()
    }
}

/// The mean of each session's cuts.
fn by_session(cells: &[&EvalCell], value: impl Fn(&EvalCell) -> Option<Share>) -> Vec<Share> {
    let mut sessions: BTreeMap<usize, Vec<Share>> = BTreeMap::new();
    for cell in cells {
        if let Some(value) = value(cell) {
            sessions.entry(cell.session).or_default().push(value);
        }
    }
    sessions.values().filter_map(|values| Share::mean(values)).collect()
}
