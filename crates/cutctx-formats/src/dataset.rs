//! Trajectories, evaluation logs and data sets, one module a format.

mod atif;
mod autogen;
mod chat;
mod google_adk;
mod inspect;
mod ironclaw;
mod langchain;
mod letta;
mod mini_swe_agent;
mod openhands;
mod otel_genai;
mod sharegpt;
mod swe_agent;
mod tau2;
mod toolbench;
mod trae_agent;

pub use atif::Atif;
pub use autogen::AutoGen;
pub use google_adk::GoogleAdk;
pub use inspect::Inspect;
pub use ironclaw::IronClaw;
pub use langchain::LangChain;
pub use letta::Letta;
pub use mini_swe_agent::MiniSweAgent;
pub use openhands::OpenHands;
pub use otel_genai::OtelGenAi;
pub use sharegpt::ShareGpt;
pub use swe_agent::SweAgent;
pub use tau2::Tau2;
pub use toolbench::ToolBench;
pub use trae_agent::TraeAgent;
