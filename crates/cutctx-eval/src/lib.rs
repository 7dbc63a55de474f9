//! What a compaction keeps of what the session then needs, and what the agent's loop costs with it: measured on real
//! sessions, without a model.
//!
//! # What a policy keeps
//!
//! [`evaluate`] cuts each session where its real continuation is known, compacts what came before to a budget, and asks
//! what the view still has of the references, the lines and the passages that the continuation makes use of:
//!
//! ```
//! use cutctx::{PolicySpec, Role, Transcript, TranscriptTurn};
//! use cutctx_eval::{Contender, EvalOptions, EvalSession, Share, evaluate};
//!
//! let said = [
//!     "the pump is described in docs/pump/manual.md",
//!     "its flow_rate is what matters, says a very long letter that nobody will ever read again",
//!     "noted",
//!     "then open docs/pump/manual.md", // The cut is before this turn.
//! ];
//! let turn = |(n, text): (usize, &&str)| TranscriptTurn::new(format!("t{n}"), Role::User, *text, 10);
//! let transcript = Transcript::new(said.iter().enumerate().map(turn).collect::<Result<_, _>>()?)?;
//! let options = EvalOptions::default()
//!     .with_cuts(vec![Share::percent(75)])
//!     .with_budgets(vec![Share::percent(70)])
//!     .with_protected_turns(1)
//!     .with_min_calls(0);
//!
//! let sessions = [EvalSession::new("pump", "hall two", transcript)];
//! let contenders = [Contender::oracle(), Contender::spec("drop-oldest", PolicySpec::drop_oldest())];
//! let evaluation = evaluate(&sessions, &contenders, &options, &|| {})?;
//! let q = |n: usize| evaluation.summary(None).rows[n].q.map(|q| q.mean);
//! assert_eq!((q(0), q(1)), (Some(Share::percent(100)), Some(Share::percent(0))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the loop costs
//!
//! [`replay()`] feeds each session to a loop of an agent, request by request, has its context compacted where it is
//! above a limit, and prices every request with a prompt cache. [`replay_loop`] does it with a loop of your own, and
//! proves that this leaves the beginning of its requests alone between two compactions.
//!
//! `docs/evaluation.md` defines the measures of both and tells how far to trust them.
//!
//! # Purity
//!
//! No clock, no file, no seed from outside: the same sessions, contenders and options give the same figures, to the last
//! digit. Figures are counted in integers. No text of a session is held by what comes out.

extern crate alloc;

mod baseline;
mod bootstrap;
mod contender;
mod cut;
mod evaluation;
mod fingerprint;
mod generator;
mod index;
mod passages;
mod recall;
mod references;
mod replay;
mod scene;
mod session;
mod share;
mod split;
mod stand_in;
mod stop_words;
mod targets;

pub use baseline::RandomKeepPolicy;
pub use bootstrap::{Estimate, RESAMPLES};
pub use contender::{Contender, SharedPolicy};
pub use evaluation::{EvalCell, EvalError, EvalOptions, EvalRow, EvalSummary, Evaluation, evaluate};
pub use recall::Recall;
pub use references::{Reference, TurnReferences, references_in};
pub use replay::{
    ContextLoop, Limit, Replay, ReplayError, ReplayOptions, ReplayRow, Replayed, Settled, replay, replay_loop,
};
pub use session::EvalSession;
pub use share::Share;
pub use split::Split;
pub use stop_words::STOP_WORD_PROJECTS;
