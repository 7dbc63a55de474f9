//! Findings as a log of the Static Analysis Results Interchange Format, version 2.1.0.

use super::Report;
use super::finding::Finding;
use alloc::collections::BTreeMap;
use core::fmt::Write;
use cutctx::formats::Severity;
use serde_json::{Value, json};

/// The log of one run.
pub(super) fn log(reports: &[Report]) -> Value {
    let findings =
        || reports.iter().flat_map(|report| report.findings.iter().map(move |finding| (report, finding)));
    let mut rules: BTreeMap<&str, &Finding> = BTreeMap::new();
    for (_, finding) in findings() {
        rules.entry(&finding.rule).or_insert(finding);
    }
    let indexes: BTreeMap<&str, usize> =
        rules.keys().enumerate().map(|(index, rule)| (*rule, index)).collect();
    let results = findings().map(|(report, finding)| result(report, finding, &indexes));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "cutctx",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_HOMEPAGE"),
                "rules": rules.values().map(|finding| rule(finding)).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results.collect::<Vec<_>>(),
        }],
    })
}

fn rule(finding: &Finding) -> Value {
    let mut rule = json!({
        "id": finding.rule,
        "shortDescription": {"text": if finding.record.is_some() { &finding.says } else { &finding.rule }},
        "help": {"text": finding.remedy},
        "defaultConfiguration": {"level": level(finding.severity)},
    });
    if let (Some(source), Some(rule)) =
        (finding.source.filter(|source| source.starts_with("https:")), rule.as_object_mut())
    {
        rule.insert("helpUri".to_owned(), source.into());
    }
    rule
}

fn result(report: &Report, finding: &Finding, indexes: &BTreeMap<&str, usize>) -> Value {
    json!({
        "ruleId": finding.rule,
        "ruleIndex": indexes.get(finding.rule.as_str()),
        "level": level(finding.severity),
        "message": {"text": format!("{}; {}", finding.says, finding.remedy)},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": uri(&report.session)},
            "region": {"startLine": finding.line},
        }}],
        "properties": {
            "offset": finding.offset,
            "record": finding.record,
            "conversation": finding.conversation,
            "callId": finding.call_id,
        },
    })
}

/// SARIF's words for what is wrong, what is doubtful, and what is worth knowing.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Refused => "error",
        Severity::Repaired => "warning",
        Severity::Advice | _ => "note",
    }
}

/// A path as a relative or absolute reference: what has a meaning in one, or is no ASCII, is escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            let _written = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("a/b c:d%é"), "a/b%20c%3Ad%25%C3%A9");
    }
}
