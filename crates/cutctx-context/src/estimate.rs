//! How much of the window a request takes.

mod coverage;
mod estimator;
mod overhead;
mod pressure;
mod text;
mod usage;

pub use coverage::{ContextInputCoverage, CoverageError, context_input_coverage};
pub use estimator::{ObservedDeltaContextEstimator, estimate_model_request_context_pressure};
pub use overhead::{AttachmentFloors, ContextPressureOverhead};
pub use pressure::{ContextPressureEstimate, EstimateConfidence, EstimateMethod};
pub(crate) use text::chars;
pub use usage::ContextUsageState;
