//! What to do about an error, by its code.

/// A sentence for those codes about which more can be said than the message says.
pub(crate) fn of(code: &str) -> Option<&'static str> {
    let remedy = match code {
        "COMPACTION_PLAN_MISMATCH" => {
            "use the session that the plan was made for, without further --pin options, or plan again"
        }
        "COMPACTION_SUMMARY_MISSING" => {
            "see `cutctx requests SESSION --plan FILE`; pass the texts with --summaries FILE"
        }
        "COMPACTION_NOT_SMALLER" => {
            "shorten the summaries: each request names its target_tokens, and `cutctx requests SESSION --plan FILE` lists them"
        }
        "PIN_NO_SUCH_TURN" => {
            "`cutctx inspect SESSION --turns` lists the turns; the beginning of an id needs eight characters"
        }
        "PIN_AMBIGUOUS" => "give more characters of the id; `cutctx inspect SESSION --turns` lists the turns",
        "RECORD_UNREADABLE" => "pass a file that `cutctx plan -o FILE` or `cutctx compact --plan FILE` wrote",
        "RECORD_VERSION" => "use the version of cutctx that wrote the plan, or a newer one",
        "RECORD_HASH" => "the plan was edited or damaged; plan again",
        "TOKEN_OVERFLOW" => "check the token estimates and the budget: one of them cannot be right",
        "FORMAT_EMPTY" => {
            "pass the file that the agent's program wrote, or the messages that are sent to the model"
        }
        "FORMAT_NOT_UTF8" | "NOT_UTF8" => "convert the file to UTF-8",
        "FORMAT_SYNTAX" => "fetch the file again; one that is being written ends in half a line",
        "FORMAT_SEVERAL_DOCUMENTS" => "split the file; a budget is for one conversation",
        "FORMAT_SEVERAL_CONVERSATIONS" => "choose one with --conversation N, from 0; a budget is for one",
        "FORMAT_NO_SUCH_CONVERSATION" => "--conversation N counts from 0",
        "FORMAT_UNRECOGNIZED" | "FORMAT_RECORD" => {
            "`cutctx formats` lists what can be read; --format NAME reads a file as one of them"
        }
        "SUMMARIES_UNREADABLE" => {
            "pass a JSON object with a text for each group id, such as {\"span-1a2b\": \"...\"}"
        }
        "PRICES_UNREADABLE" => {
            "write them as {\"read\": 100, \"write\": 1250, \"minimum_tokens\": 1024}, in thousandths of an input token"
        }
        "REPLAY_UNSTABLE" => {
            "please report this, with the policy: a plan must only change a prompt where it is applied"
        }
        "POLICY_UNREADABLE" => "docs/batch.md describes policy files; `--policy mask-then-drop` needs none",
        "SESSION_CHANGED" | "FORMAT_SOURCE_CHANGED" => {
            "close the program that writes to the session, and run the command again"
        }
        "NO_ANCHOR" => "leave --anchor out; `cutctx count SESSION` shows what the session tells",
        "NO_BACKUP" => "backups are made by --in-place and lie beside the session as NAME.cutctx-backup",
        "OUTPUT_EXISTS" => "choose another name, or pass --force",
        "IO" => "check that the path is right, that the folder exists and that you may use it",
        "MODEL_KEY_MISSING" | "MODEL_KEY_REFUSED" => {
            "put the key into that variable, or name another one with --summarizer-key or --count-key; `--summarizer extract` needs none"
        }
        "MODEL_CONNECTION" => {
            "check --summarizer-url or --count-url, with the version in its path, and that the server runs"
        }
        "MODEL_CONTEXT_OVERFLOW" => "take a model with a larger window, or --summarizer extract",
        "MODEL_RATE_LIMITED" | "MODEL_UNAVAILABLE" | "MODEL_TIMEOUT" => {
            "run it again later, perhaps with --summarizer-calls 1"
        }
        "BUG" | "FORMAT_EDIT" => "please report this, with the command line and the version",
        _ => return None,
    };
    Some(remedy)
}
