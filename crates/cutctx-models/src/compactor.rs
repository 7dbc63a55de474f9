//! Compactors that call a model.

mod asking;
mod chars;
mod fault;
mod model;
mod payload;
mod prompt_cache;

pub use model::ModelCompactor;
pub use prompt_cache::{CachePrefixBuilder, PromptCacheCompactor};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoxFuture, Completion, FailedAttempt, SummaryModel, block_on, compact_with};
    use alloc::sync::Arc;
    use cutctx_context::{
        CompactionRequest, CompactionResult, ContextCompactor, ExtractiveCompactor, ModelRequest, Session,
    };
    use cutctx_messages::{CleanText, Message, SpokenText, TextPart};
    use cutctx_types::{Coded, Role};
    use std::sync::Mutex;

    /// Answers with a word and keeps what it was asked.
    #[derive(Default)]
    struct Listening(Mutex<Vec<String>>);

    impl SummaryModel for Listening {
        fn provider_name(&self) -> &'static str {
            "mine"
        }

        fn complete<'c>(
            &'c self,
            request: &'c ModelRequest,
        ) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
            self.0.lock().unwrap().push(serde_json::to_string(&request.messages).unwrap());
            Box::pin(async { Ok(Completion::of("short")) })
        }
    }

    fn clean(text: &str) -> CleanText {
        CleanText::new(text).unwrap()
    }

    fn spoken(text: &str) -> SpokenText {
        SpokenText::new(text).unwrap()
    }

    fn said() -> Message {
        Message::new(Role::User, vec![TextPart::new("pole 7 is tall").unwrap().into()]).unwrap()
    }

    /// The summary of a word of the user's, and what the model was asked for it.
    fn summary(compactor: &dyn ContextCompactor, session: Session) -> (CompactionResult, Vec<String>) {
        let model = Listening::default();
        let request = CompactionRequest::new(session, vec![said()]);
        let result = block_on(compact_with(compactor, &request, &model)).unwrap();
        (result, model.0.into_inner().unwrap())
    }

    fn session() -> Session {
        Session::new("s", "surveyor").unwrap()
    }

    #[test]
    fn a_system_prompt_of_ones_own_is_what_the_model_hears_first() {
        let compactor = ModelCompactor::new(clean("mine"), clean("m"));
        let (_, usual) = summary(&compactor, session());
        let (_, own) = summary(&compactor.with_system_prompt(spoken("names of poles only")), session());
        assert!(
            !usual[0].contains("names of poles only") && own[0].contains("names of poles only"),
            "{own:?}"
        );
    }

    #[test]
    fn where_nothing_is_cached_the_other_compactor_writes_the_summary() {
        let compactor =
            PromptCacheCompactor::new(clean("mine")).with_fallback(Arc::new(ExtractiveCompactor::default()));
        let at_home = session().with_model(clean("mine"), clean("m"));
        let (result, asked) = summary(&compactor, at_home);
        assert!(asked.is_empty() && result.summary.contains("pole 7 is tall"), "{asked:?}");
    }

    #[test]
    fn no_model_is_asked_that_nobody_has_named() {
        let compactor = PromptCacheCompactor::new(clean("mine"));
        let named = session().with_model(clean("another"), clean("m"));
        let mut unnamed = session();
        unnamed.provider_name = Some(clean("mine"));
        for session in [session(), named, unnamed] {
            let request = CompactionRequest::new(session, vec![said()]);
            let failure = block_on(compact_with(&compactor, &request, &Listening::default())).unwrap_err();
            assert_eq!(failure.code().as_str(), "COMPACTION_MODEL_UNKNOWN");
        }
    }

    #[test]
    fn bounded_input_is_asked_about_with_the_instruction_of_ones_own() {
        let compactor = PromptCacheCompactor::new(clean("mine"))
            .with_model(clean("m"))
            .with_instruction(spoken("names of poles only"));
        let (result, asked) = summary(&compactor, session());
        assert_eq!(&*result.summary, "short");
        assert!(asked[0].contains("names of poles only"), "{asked:?}");
    }
}
