//! `cutctx sessions`: sessions where the tools keep them.

mod listed;
mod text;

use crate::arguments::AUTO;
use crate::discovery::{Discovery, FoundSession, Moment, Place, Tool, Unread, discover, places};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::show::{grouped, visible};
use crate::terminal::{self, Terminal};
use clap::Args;
use listed::{Count, ListedSession, listed};
use serde::Serialize;
use text::text;

/// Lists the sessions of Claude Code, Codex, Gemini CLI, opencode and pi on this machine, the newest first.
///
/// They are looked for where these tools keep them, the variables that move those places considered. What cannot be read
/// is listed with the reason.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx sessions
  cutctx sessions --tool codex --limit 5
  cutctx inspect --latest claude-code           # where the tokens of the newest one are

Variables that move the places:
  CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME, XDG_DATA_HOME, PI_CODING_AGENT_DIR,
  PI_CODING_AGENT_SESSION_DIR")]
pub(crate) struct Arguments {
    /// Those of this tool only.
    #[arg(long, value_name = "TOOL", value_enum)]
    tool: Option<Tool>,
    /// How many to list.
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Output")]
    limit: usize,
    /// What counts tokens, as for other verbs; but `auto` takes rules of thumb throughout, because they are fast.
    #[arg(long, value_name = "NAME", default_value = AUTO, help_heading = "Counting")]
    tokenizer: String,
    /// Do not count tokens: it takes reading every file that is listed.
    #[arg(long, help_heading = "Output")]
    no_tokens: bool,
}

/// All that is said.
#[derive(Debug, Serialize)]
struct Listing {
    sessions: Vec<ListedSession>,
    /// How many older ones there are.
    left_out: usize,
    /// Folders and files that could not be looked at.
    not_looked_at: Vec<UnreadLine>,
}

#[derive(Debug, Serialize)]
struct UnreadLine {
    path: String,
    reason: String,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let places = places(arguments.tool);
    let found = discover(&places);
    let (now, count) = (Moment::now(), Count::of(&arguments.tokenizer, !arguments.no_tokens)?);
    let shown = found.sessions.iter().take(arguments.limit);
    let listing = Listing {
        sessions: shown.map(|session| listed(session, now, &count)).collect::<Result<_, _>>()?,
        left_out: found.sessions.len().saturating_sub(arguments.limit),
        not_looked_at: found.unread.iter().map(UnreadLine::of).collect(),
    };
    if terminal.json() {
        terminal::json_result(&listing)?;
        return Ok(Exit::Done);
    }
    terminal::result(&text(&listing))?;
    if found.sessions.is_empty() {
        terminal.note(&format!("no sessions were found; {}", looked_in(&places)));
    }
    if listing.left_out > 0 {
        terminal.note(&format!("{} older ones are left out (--limit)", grouped(listing.left_out)));
    }
    Ok(Exit::Done)
}

impl UnreadLine {
    fn of(unread: &Unread) -> Self {
        Self { path: unread.path.display().to_string(), reason: unread.reason.clone() }
    }
}

/// The newest session that can be opened as a file.
pub(crate) fn newest(found: &Discovery) -> Option<&FoundSession> {
    found.sessions.iter().find(|session| session.obstacle().is_none())
}

/// Why there is no newest session.
pub(crate) fn nothing_found(places: &[Place], found: &Discovery) -> Failure {
    let closed = found.sessions.first().and_then(|session| Some((session, session.obstacle()?)));
    let Some((session, obstacle)) = closed else {
        let failure = Failure::new(Exit::Refused, "NO_SESSION", "no session was found");
        return failure.remedy(format!("pass the file as SESSION; {}", looked_in(places)));
    };
    let message = format!("no session of {} can be opened", session.tool);
    Failure::new(Exit::Refused, "NO_SESSION", message).file(&session.path).remedy(obstacle)
}

fn looked_in(places: &[Place]) -> String {
    let mut folders: Vec<String> =
        places.iter().map(|place| visible(&place.folder.display().to_string())).collect();
    folders.dedup();
    if folders.is_empty() {
        return "there is no home folder to look in".to_owned();
    }
    format!("looked in {}", folders.join(", "))
}
