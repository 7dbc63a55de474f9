//! `cargo xtask layers`: the direction of the dependencies.
//!
//! Cargo refuses cycles, but not an edge in the wrong direction of taste. This reads `cargo metadata --no-deps` against
//! [`table::TABLE`] and names every edge between members that the table does not know, every member without a row,
//! every row without a member, every package of others that a core crate must not use, and every dev-dependency with a
//! version on a member that is not below (it would make publishing circular).

pub(crate) mod table;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::verdict::Verdict;
use crate::workspace::Workspace;
use table::{Member, Others, TABLE};

/// Reads the metadata of the checkout and prints what breaks the table.
pub(crate) fn run(workspace: &Workspace) -> Verdict {
    match workspace.metadata() {
        Ok(metadata) => Verdict::from_complaints(&complaints(&metadata)),
        Err(why) => Verdict::Failed(why),
    }
}

/// Everything in the metadata that breaks the table, in the order of the metadata.
fn complaints(metadata: &Value) -> Vec<String> {
    let packages = array(metadata, "packages");
    let names: BTreeSet<&str> = packages.iter().map(|package| text(package, "name")).collect();
    if names.is_empty() {
        return vec!["the metadata lists no package".to_owned()];
    }
    let strangers = TABLE.iter().filter(|row| !names.contains(row.name));
    let strangers = strangers.map(|row| format!("{} has a row in the table but is no member", row.name));
    let found = packages.iter().flat_map(|package| of_package(package, &names));
    strangers.chain(found).collect()
}

/// What one member does wrong.
fn of_package(package: &Value, names: &BTreeSet<&str>) -> Vec<String> {
    let name = text(package, "name");
    let Some(member) = table::row(name) else {
        return vec![format!("{name} has no row in the table (xtask/src/layers/table.rs)")];
    };
    let dependencies = array(package, "dependencies").iter().map(Dependency::read);
    dependencies.filter_map(|dependency| dependency.complaint(member, names)).collect()
}

/// What the metadata says of one dependency.
struct Dependency<'m> {
    name: &'m str,
    dev: bool,
    optional: bool,
    versioned: bool,
}

impl<'m> Dependency<'m> {
    fn read(value: &'m Value) -> Self {
        Self {
            name: text(value, "name"),
            dev: text(value, "kind") == "dev",
            optional: value.get("optional").and_then(Value::as_bool).unwrap_or(false),
            versioned: text(value, "req") != "*",
        }
    }

    fn complaint(&self, member: &Member, names: &BTreeSet<&str>) -> Option<String> {
        let owner = member.name;
        let used = self.name;
        let is_member = names.contains(used);
        if self.dev {
            let circular = is_member && self.versioned && !is_below(used, member);
            return circular.then(|| {
                format!("{owner} has the dev-dependency {used}, which is not below it: give its path, not its version")
            });
        }
        if is_member {
            let known = member.members.contains(&used);
            return (!known).then(|| format!("{owner} must not depend on {used}"));
        }
        self.complaint_on_others(member)
    }

    fn complaint_on_others(&self, member: &Member) -> Option<String> {
        let Others::Only { always, optional } = &member.others else {
            return None;
        };
        let (owner, used) = (member.name, self.name);
        if always.contains(&used) || (self.optional && optional.contains(&used)) {
            None
        } else if optional.contains(&used) {
            Some(format!("{owner} may use {used} behind a feature only (optional = true)"))
        } else {
            Some(format!("{owner} must not use {used}, which is not on its list of third-party packages"))
        }
    }
}

fn is_below(used: &str, member: &Member) -> bool {
    table::row(used).is_some_and(|row| row.layer < member.layer)
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The metadata of a workspace that has every row of the table, with these dependencies for one member.
    fn metadata(user: &str, dependencies: &Value) -> Value {
        let package = |row: &Member| {
            let own = if row.name == user { dependencies.clone() } else { json!([]) };
            json!({"name": row.name, "dependencies": own})
        };
        json!({"packages": TABLE.iter().map(package).collect::<Vec<_>>()})
    }

    fn normal(name: &str) -> Value {
        json!([{"name": name, "kind": null, "req": "=0.1.0", "optional": false}])
    }

    #[track_caller]
    fn check(user: &str, dependencies: &Value, expected: &[&str]) {
        assert_eq!(complaints(&metadata(user, dependencies)), expected);
    }

    #[test]
    fn this_workspace_keeps_its_layers() {
        let metadata = Workspace::here().metadata().unwrap();
        assert_eq!(complaints(&metadata), Vec::<String>::new());
    }

    #[test]
    fn a_declared_edge_is_fine() {
        check("cutctx-policies", &normal("cutctx-invariants"), &[]);
    }

    #[test]
    fn an_undeclared_edge_is_named() {
        check("cutctx-exec", &normal("cutctx-policies"), &["cutctx-exec must not depend on cutctx-policies"]);
    }

    #[test]
    fn an_undeclared_build_dependency_is_named() {
        let build = json!([{"name": "cutctx-exec", "kind": "build", "req": "*", "optional": false}]);
        check("cutctx-messages", &build, &["cutctx-messages must not depend on cutctx-exec"]);
    }

    #[test]
    fn a_third_party_package_outside_the_list_is_named() {
        let expected =
            "cutctx-exec must not use serde_json, which is not on its list of third-party packages";
        check("cutctx-exec", &normal("serde_json"), &[expected]);
    }

    #[test]
    fn a_package_for_features_must_be_optional() {
        let expected = "cutctx-invariants may use proptest behind a feature only (optional = true)";
        check("cutctx-invariants", &normal("proptest"), &[expected]);
        let optional = json!([{"name": "proptest", "kind": null, "req": "^1", "optional": true}]);
        check("cutctx-invariants", &optional, &[]);
    }

    #[test]
    fn a_dev_dependency_upwards_must_have_no_version() {
        let dev =
            |req: &str| json!([{"name": "cutctx-policies", "kind": "dev", "req": req, "optional": false}]);
        check("cutctx-exec", &dev("*"), &[]);
        let expected = "cutctx-exec has the dev-dependency cutctx-policies, which is not below it: give its path, not its version";
        check("cutctx-exec", &dev("=0.1.0"), &[expected]);
    }

    #[test]
    fn a_dev_dependency_downwards_or_on_others_is_free() {
        let dev = |name: &str| json!([{"name": name, "kind": "dev", "req": "^1", "optional": false}]);
        check("cutctx-exec", &dev("cutctx-types"), &[]);
        check("cutctx-exec", &dev("criterion"), &[]);
    }

    #[test]
    fn a_member_without_a_row_is_named() {
        let mut metadata = metadata("", &json!([]));
        let packages = metadata["packages"].as_array_mut().unwrap();
        packages.push(json!({"name": "cutctx-new", "dependencies": []}));
        let expected = "cutctx-new has no row in the table (xtask/src/layers/table.rs)";
        assert_eq!(complaints(&metadata), [expected]);
    }

    #[test]
    fn a_row_without_a_member_is_named() {
        let mut metadata = metadata("", &json!([]));
        metadata["packages"].as_array_mut().unwrap().pop();
        assert_eq!(complaints(&metadata), ["acceptance has a row in the table but is no member"]);
    }

    #[test]
    fn an_empty_document_is_no_pass() {
        assert_eq!(complaints(&json!({})), ["the metadata lists no package"]);
    }
}
