//! Where each tool keeps its sessions.

use super::Tool;
use clap::ValueEnum;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A folder, and which files below it are sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) tool: Tool,
    /// The folder. It need not exist.
    pub(crate) folder: PathBuf,
    /// The folders between it and the files, level by level: a certain name, or any.
    pub(super) levels: &'static [Option<&'static str>],
    /// The sessions in there.
    pub(super) files: Files,
}

/// Names of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Files {
    /// They begin so.
    pub(super) beginning: &'static str,
    /// They end in one of these.
    pub(super) endings: &'static [&'static str],
    /// Those that begin so are something else; nothing where it is empty.
    pub(super) except: &'static str,
}

/// The environment, as far as places depend on it.
#[derive(Debug)]
pub(crate) struct Environment<V> {
    home: Option<PathBuf>,
    variable: V,
}

/// The places of this tool, or of all.
pub(crate) fn places(tool: Option<Tool>) -> Vec<Place> {
    let environment =
        Environment { home: std::env::home_dir(), variable: |name: &str| std::env::var_os(name) };
    environment.places(tool)
}

impl<V: Fn(&str) -> Option<OsString>> Environment<V> {
    /// The places of this tool, or of all.
    fn places(&self, tool: Option<Tool>) -> Vec<Place> {
        let tools = Tool::value_variants().iter().copied();
        tools.filter(|one| tool.is_none_or(|tool| tool == *one)).flat_map(|one| self.of_tool(one)).collect()
    }

    fn of_tool(&self, tool: Tool) -> Vec<Place> {
        match tool {
            Tool::ClaudeCode => self.claude_code(),
            Tool::Codex => self.codex(),
            Tool::Gemini => self.gemini(),
            Tool::Opencode => self.opencode(),
            Tool::Pi => self.pi(),
        }
    }

    /// `projects/FOLDER/ID.jsonl`; the logs of sub-agents stand beside them or one level deeper.
    fn claude_code(&self) -> Vec<Place> {
        let homes = match self.folder("CLAUDE_CONFIG_DIR") {
            Some(home) => vec![home],
            None => [".claude", ".config/claude"].iter().filter_map(|name| self.in_home(name)).collect(),
        };
        let files = Files { except: "agent-", ..named("", &[".jsonl"]) };
        let place = |home: PathBuf| place(Tool::ClaudeCode, home.join("projects"), &[None], files);
        homes.into_iter().map(place).collect()
    }

    /// `sessions/YEAR/MONTH/DAY/rollout-*.jsonl`; older releases knew no folders by day.
    fn codex(&self) -> Vec<Place> {
        let Some(home) = self.folder("CODEX_HOME").or_else(|| self.in_home(".codex")) else {
            return Vec::new();
        };
        let files = named("rollout-", &[".jsonl", ".json", ".jsonl.zst"]);
        let at = |name: &str, levels| place(Tool::Codex, home.join(name), levels, files);
        vec![at("sessions", &[None, None, None]), at("sessions", &[]), at("archived_sessions", &[])]
    }

    /// `tmp/PROJECT/chats/session-*`: JSON, since version 0.40 JSON lines.
    fn gemini(&self) -> Vec<Place> {
        let home = self.folder("GEMINI_CLI_HOME").or_else(|| self.home.clone());
        let files = named("session-", &[".json", ".jsonl"]);
        let place = |home: PathBuf| {
            place(Tool::Gemini, home.join(".gemini").join("tmp"), &[None, Some("chats")], files)
        };
        home.into_iter().map(place).collect()
    }

    /// `storage/session/PROJECT/ses_*.json`, messages and parts elsewhere; newer releases have one database.
    fn opencode(&self) -> Vec<Place> {
        let data = self.folder("XDG_DATA_HOME").or_else(|| self.in_home(".local/share"));
        let Some(home) = data.map(|data| data.join("opencode")) else { return Vec::new() };
        let sessions = home.join("storage").join("session");
        vec![
            place(Tool::Opencode, sessions, &[None], named("", &[".json"])),
            place(Tool::Opencode, home, &[], named("opencode", &[".db"])),
        ]
    }

    /// `sessions/FOLDER/TIME_ID.jsonl`; a folder of one's own holds the files themselves.
    fn pi(&self) -> Vec<Place> {
        let agent = || self.folder("PI_CODING_AGENT_DIR").or_else(|| self.in_home(".pi/agent"));
        let sessions = self.folder("PI_CODING_AGENT_SESSION_DIR");
        let sessions = sessions.or_else(|| agent().map(|agent| agent.join("sessions")));
        let Some(folder) = sessions else { return Vec::new() };
        let at = |levels| place(Tool::Pi, folder.clone(), levels, named("", &[".jsonl"]));
        vec![at(&[None]), at(&[])]
    }

    /// The folder that a variable names, where it names one.
    fn folder(&self, variable: &str) -> Option<PathBuf> {
        (self.variable)(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from)
    }

    fn in_home(&self, path: &str) -> Option<PathBuf> {
        self.home.as_deref().map(|home: &Path| home.join(path))
    }
}

const fn place(tool: Tool, folder: PathBuf, levels: &'static [Option<&'static str>], files: Files) -> Place {
    Place { tool, folder, levels, files }
}

const fn named(beginning: &'static str, endings: &'static [&'static str]) -> Files {
    Files { beginning, endings, except: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(tool: Tool, variables: &[(&str, &str)]) -> Vec<String> {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        let environment = Environment { home: Some("/home/me".into()), variable };
        let places = environment.places(Some(tool));
        let mut folders: Vec<String> =
            places.iter().map(|place| place.folder.to_str().unwrap().to_owned()).collect();
        folders.dedup();
        folders
    }

    #[test]
    fn without_variables_the_places_are_in_the_home_folder() {
        let of = |tool| folders(tool, &[]);
        assert_eq!(of(Tool::ClaudeCode), ["/home/me/.claude/projects", "/home/me/.config/claude/projects"]);
        assert_eq!(of(Tool::Codex), ["/home/me/.codex/sessions", "/home/me/.codex/archived_sessions"]);
        assert_eq!(of(Tool::Gemini), ["/home/me/.gemini/tmp"]);
        let data = "/home/me/.local/share/opencode";
        assert_eq!(of(Tool::Opencode), [&format!("{data}/storage/session"), data]);
        assert_eq!(of(Tool::Pi), ["/home/me/.pi/agent/sessions"]);
    }

    #[test]
    fn variables_move_them() {
        assert_eq!(folders(Tool::ClaudeCode, &[("CLAUDE_CONFIG_DIR", "/c")]), ["/c/projects"]);
        assert_eq!(folders(Tool::Codex, &[("CODEX_HOME", "/x")])[0], "/x/sessions");
        assert_eq!(folders(Tool::Gemini, &[("GEMINI_CLI_HOME", "/g")]), ["/g/.gemini/tmp"]);
        assert_eq!(folders(Tool::Opencode, &[("XDG_DATA_HOME", "/d")])[1], "/d/opencode");
        assert_eq!(folders(Tool::Pi, &[("PI_CODING_AGENT_DIR", "/p")]), ["/p/sessions"]);
        let both = [("PI_CODING_AGENT_DIR", "/p"), ("PI_CODING_AGENT_SESSION_DIR", "/s")];
        assert_eq!(folders(Tool::Pi, &both), ["/s"]);
        assert_eq!(folders(Tool::Codex, &[("CODEX_HOME", "")])[0], "/home/me/.codex/sessions");
    }

    #[test]
    fn without_a_home_folder_only_variables_say_where() {
        let environment = Environment { home: None, variable: |_: &str| None };
        assert_eq!(environment.places(None), []);
    }
}
