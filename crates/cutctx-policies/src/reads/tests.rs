//! What calls of agents in wide use do to files.

use super::*;
use alloc::format;

/// What a call does, in a few words.
fn access(tool: &str, arguments: &str) -> String {
    let call = Call { turn: 0, part: 0, tool, arguments };
    let Some(Access { path, kind }) = access_of(&call, &ToolTable::new()) else { return "nothing".into() };
    match kind {
        AccessKind::ReadAll => all(&path),
        AccessKind::ReadPart(told) => part(&path, &told),
        AccessKind::Write => write(&path),
    }
}

fn all(path: &str) -> String {
    format!("reads {path}")
}

fn part(path: &str, part: &str) -> String {
    format!("reads of {path}: {part}")
}

fn write(path: &str) -> String {
    format!("writes {path}")
}

#[test]
fn tools_that_take_a_path_read_all_or_a_part() {
    assert_eq!(access("Read", r#"{"file_path":"/a/b.rs"}"#), all("/a/b.rs"));
    assert_eq!(access("Read", r#"{"offset":10,"limit":5,"file_path":"x"}"#), part("x", " offset=10 limit=5"));
    assert_eq!(access("read_file", r#"{"absolute_path":"./x","limit":null}"#), all("x"));
    assert_eq!(
        access("view_file", r#"{"AbsolutePath":"x","StartLine":1,"EndLine":9}"#),
        part("x", " StartLine=1 EndLine=9")
    );
    assert_eq!(
        access("str_replace_editor", r#"{"command":"view","path":"x","view_range":[1, 20]}"#),
        part("x", " view_range=1,20")
    );
}

#[test]
fn tools_that_write_tell_the_file() {
    assert_eq!(access("Edit", r#"{"file_path":"x","old_string":"a","new_string":"b"}"#), write("x"));
    assert_eq!(access("str_replace_editor", r#"{"command":"create","path":"x"}"#), write("x"));
    assert_eq!(
        access("apply_patch", r#"{"input":"*** Begin Patch\n*** Update File: src/x.rs\n@@"}"#),
        write("src/x.rs")
    );
    assert_eq!(access("apply_patch", "*** Begin Patch\n*** Add File: x\n+a"), write("x"));
    assert_eq!(access("apply_patch", "*** Add File: x\n*** Add File: y"), "nothing");
}

#[test]
fn command_lines_are_understood_where_they_are_about_one_file() {
    let shell = |command: &str| access("bash", &alloc::format!("{{\"command\":{command:?}}}"));
    assert_eq!(shell("cat src/x.rs"), all("src/x.rs"));
    assert_eq!(shell("nl -ba ./x"), all("x"));
    assert_eq!(shell("cd /app && cat x"), all("/app/x"));
    assert_eq!(shell("cd /app/ && cat /etc/x"), all("/etc/x"));
    assert_eq!(shell("sed -n '1,200p' x.py"), part("x.py", "sed '1,200p'"));
    assert_eq!(shell("nl -ba x | sed -n '5,9p'"), part("x", "nl | sed '5,9p'"));
    assert_eq!(shell("head -50 x"), part("x", "head -50"));
    assert_eq!(shell("head -n 50 x"), part("x", "head 50"));
    assert_eq!(shell("cat 'my.txt'"), all("my.txt"));
    assert_eq!(shell("cat > x <<'EOF'\nhello\nEOF"), write("x"));
    assert_eq!(shell("sed -i 's/a/b/' x"), write("x"));
    for other in
        ["ls -l", "cat a b", "cat a; rm a", "cat $(find .)", "cat", "grep -n x y", "cat a > b && make"]
    {
        assert!(!shell(other).starts_with("reads"), "{other}");
    }
}

#[test]
fn commands_come_as_lists_and_as_words_too() {
    let listed = r#"{"command":["bash","-lc","sed -n '1,20p' a"],"workdir":"/w"}"#;
    assert_eq!(access("shell", listed), part("a", "sed '1,20p'"));
    assert_eq!(access("shell", r#"{"command":["cat","a"]}"#), all("a"));
    assert_eq!(access("bash", "cat a"), all("a"));
    assert_eq!(access("open", "open src/x.py 120"), part("src/x.py", "120"));
}

#[test]
fn tools_of_ones_own_are_added_by_name() {
    let mut tools = ToolTable::new();
    tools.add(Trade::Read, ["slurp".into()]);
    let call = Call { turn: 0, part: 0, tool: "slurp", arguments: r#"{"path":"x"}"# };
    assert_eq!(access_of(&call, &ToolTable::new()), None);
    assert_eq!(access_of(&call, &tools), Some(Access { path: "x".into(), kind: AccessKind::ReadAll }));
}
