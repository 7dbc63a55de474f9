//! What a build tells about itself.

use cutctx_messages::DurableObject;

/// What happened during a build.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextTelemetry {
    /// What happened.
    pub event_type: ContextTelemetryType,
    /// The figures of it; names and numbers, never text of a message.
    pub payload: DurableObject,
}

impl ContextTelemetry {
    /// An event.
    #[must_use]
    pub const fn new(event_type: ContextTelemetryType, payload: DurableObject) -> Self {
        Self { event_type, payload }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContextTelemetryType {
    /// A compactor was asked.
    CompactionStarted,
    /// Its summary was accepted.
    CompactionCompleted,
    /// It gave none, or none that could be accepted.
    CompactionFailed,
    /// A model answered a compactor.
    ModelCompleted,
}

impl ContextTelemetryType {
    /// The name of the event.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CompactionStarted => "context.compaction.started",
            Self::CompactionCompleted => "context.compaction.completed",
            Self::CompactionFailed => "context.compaction.failed",
            Self::ModelCompleted => "model.completed",
        }
    }
}

/// What a policy that looks things up for the context tells about it. No policy of this crate does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContextRecallTelemetry {
    /// What happened.
    pub event_type: ContextRecallEvent,
    /// The figures of it.
    pub payload: DurableObject,
}

impl ContextRecallTelemetry {
    /// An event.
    #[must_use]
    pub const fn new(event_type: ContextRecallEvent, payload: DurableObject) -> Self {
        Self { event_type, payload }
    }
}

/// What happened when something was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContextRecallEvent {
    /// Knowledge was looked up.
    KnowledgeLookup,
    /// Memory was asked.
    MemoryRecallStarted,
    /// Memory answered.
    MemoryRecallCompleted,
    /// Memory did not answer.
    MemoryRecallFailed,
    /// What memory answered was put into the context.
    MemoryRecallAdmitted,
}

impl ContextRecallEvent {
    /// The name of the event.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::KnowledgeLookup => "knowledge.lookup",
            Self::MemoryRecallStarted => "memory.recall.started",
            Self::MemoryRecallCompleted => "memory.recall.completed",
            Self::MemoryRecallFailed => "memory.recall.failed",
            Self::MemoryRecallAdmitted => "memory.recall.admitted",
        }
    }

    /// The event of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let all = [
            Self::KnowledgeLookup,
            Self::MemoryRecallStarted,
            Self::MemoryRecallCompleted,
            Self::MemoryRecallFailed,
            Self::MemoryRecallAdmitted,
        ];
        all.into_iter().find(|event| event.as_str() == name)
    }
}
