//! The page that lists the rules says what the rules say.

use cutctx_formats::{Dialect, Rule, rules};
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Rules

What `cutctx lint` checks, and `Session::lint` and `Session::violations` of `cutctx-formats`. This page is made from the rules
themselves; a test compares.

The rules of a provider hold for the formats that are sent to it, and for the files of tools that send what they hold as it is. The
rules of `session` hold for files of tools that mend what they send; `replayed_record` holds for all files of lines.

* **refused**: the provider refuses the request. `Session::violations` lists these, and a compacted file has none that the input
  did not have.
* **repaired**: the provider, or the tool that keeps the file, mends it without a word.
* **advice**: some servers or models refuse it, or it is a sign that something went wrong.
";

const TABLE: &str = "| rule | severity | what is wrong | remedy | source |\n|---|---|---|---|---|\n";

fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut dialects: Vec<Dialect> = rules().iter().map(|rule| rule.dialect).collect();
    dialects.dedup();
    for dialect in dialects {
        page.extend(["\n## ", dialect.as_str(), "\n\n", TABLE]);
        let rows = rules().into_iter().filter(|rule| rule.dialect == dialect).map(row);
        page.extend(rows);
    }
    page
}

fn row(rule: &Rule) -> String {
    let source = match rule.source.strip_prefix("https://") {
        Some(address) => format!("[{}]({})", address.split('/').next().unwrap(), rule.source),
        None => rule.source.to_owned(),
    };
    format!("| `{}` | {} | {} | {} | {source} |\n", rule.name, rule.severity, rule.says, rule.remedy)
}

#[test]
fn the_page_of_rules_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rules.md");
    fs::write(&made, page()).unwrap();
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(written, page(), "copy {} to docs/rules.md", made.display());
}
