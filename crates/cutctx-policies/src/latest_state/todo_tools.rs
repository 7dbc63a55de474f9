//! Tools that keep a list of things to do.

/// The tools with which agents write down what is to be done and what is done: those that [`LatestStatePolicy`] knows,
/// and those behind the pin `latest:todo`.
///
/// Their newest result, with its call, is the whole list; the older ones are of no use any more. A tool that changes
/// one entry at a time is not here, because its newest result says nothing about the other entries. Tools of your own
/// stand beside them: in the policy's settings, and in the text of the pin, `latest:todo,my_plan`.
///
/// [`LatestStatePolicy`]: crate::LatestStatePolicy
pub const TODO_TOOLS: &[&str] = &[
    // Claude Code, and agents made after it.
    "TodoWrite",
    "TodoRead",
    "TaskList",
    // Codex.
    "update_plan",
    // Gemini CLI, LangChain's deep agents.
    "write_todos",
    // opencode.
    "todowrite",
    "todoread",
    // Qwen Code, Cursor.
    "todo_write",
    "todo_read",
    // Kimi CLI.
    "SetTodoList",
    // Copilot: in the editor, and on the command line.
    "manage_todo_list",
    "update_todo",
    // Roo Code.
    "update_todo_list",
    // goose.
    "todo__todo_write",
    "todo__write",
    // OpenHands.
    "task_tracker",
    // pi and others.
    "todo",
];
