//! `--in-place` and `restore`: nothing is ever lost.

use crate::sandbox::Sandbox;

#[test]
fn in_place_leaves_a_backup_and_restore_brings_it_back() {
    let sandbox = Sandbox::with_chat();
    let original = sandbox.bytes("chat.json");
    let ran = sandbox.run("compact chat.json --max-tokens 500 --in-place").exits(0);
    assert!(ran.out.is_empty() && ran.err.contains("chat.json.cutctx-backup"), "{ran:?}");
    let compacted = sandbox.bytes("chat.json");
    assert!(compacted.len() < original.len());
    assert_eq!(sandbox.bytes("chat.json.cutctx-backup"), original);

    sandbox.run("restore chat.json").exits(0);
    assert_eq!(sandbox.bytes("chat.json"), original);
    assert_eq!(sandbox.bytes("chat.json.cutctx-undone"), compacted);
    assert_eq!(sandbox.names(), ["chat.json", "chat.json.cutctx-undone"]);
}

#[test]
fn backups_are_numbered_and_restore_goes_back_by_one() {
    let sandbox = Sandbox::with_chat();
    let mut versions = vec![sandbox.bytes("chat.json")];
    for budget in ["1500", "1000", "300"] {
        sandbox
            .run(&format!("compact chat.json --max-tokens {budget} --policy mask-then-drop --in-place"))
            .exits(0);
        versions.push(sandbox.bytes("chat.json"));
    }
    assert_eq!(
        sandbox.names(),
        ["chat.json", "chat.json.cutctx-backup", "chat.json.cutctx-backup.2", "chat.json.cutctx-backup.3"]
    );
    for version in versions.iter().rev().skip(1) {
        sandbox.run("restore chat.json").exits(0);
        assert_eq!(&sandbox.bytes("chat.json"), version);
    }
    let error = sandbox.run("restore chat.json --json").exits(6).error();
    assert_eq!(error["code"], "NO_BACKUP");
}

#[test]
fn a_new_backup_is_numbered_after_the_highest_even_where_an_older_one_is_gone() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("chat.json.cutctx-backup.7", b"old");
    sandbox.write("chat.json.cutctx-backup.seven", b"no number");
    sandbox.run("compact chat.json --max-tokens 500 --in-place").exits(0);
    assert!(sandbox.names().contains(&"chat.json.cutctx-backup.8".to_owned()), "{:?}", sandbox.names());
    assert_eq!(sandbox.bytes("chat.json.cutctx-backup.7"), b"old");
}

#[test]
fn a_session_that_fits_is_not_touched_in_place() {
    let sandbox = Sandbox::with_chat();
    let said = sandbox.run("compact chat.json --max-tokens 1m --in-place").exits(0).err;
    assert!(said.contains("nothing to do") && !said.contains("written"), "{said}");
    assert_eq!(sandbox.names(), ["chat.json"]);
}

#[test]
fn the_json_of_an_in_place_compaction_names_the_backup() {
    let sandbox = Sandbox::with_chat();
    let said = sandbox.run("compact chat.json --max-tokens 500 --in-place --json").exits(0).json();
    assert!(said["backup"].as_str().unwrap().ends_with("chat.json.cutctx-backup"));
    let restored = sandbox.run("restore chat.json --json").exits(0).json();
    assert!(restored["undone"].as_str().unwrap().ends_with("chat.json.cutctx-undone"));
}

#[test]
fn standard_input_cannot_be_replaced() {
    let sandbox = Sandbox::new();
    sandbox.run_with("compact - --max-tokens 500 --in-place", b"[]").exits(2);
    sandbox.run("restore -").exits(2);
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_links_are_followed() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let sandbox = Sandbox::with_chat();
    fs::set_permissions(sandbox.path("chat.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("chat.json", sandbox.path("link.json")).unwrap();
    sandbox.run("compact link.json --max-tokens 500 --in-place").exits(0);
    assert_eq!(fs::metadata(sandbox.path("chat.json")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(sandbox.path("link.json")).unwrap().is_symlink());
    assert_eq!(sandbox.names(), ["chat.json", "chat.json.cutctx-backup", "link.json"]);
    sandbox.run("restore link.json").exits(0);
    assert!(fs::symlink_metadata(sandbox.path("link.json")).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn only_a_plain_file_is_replaced() {
    let sandbox = Sandbox::with_chat();
    let error = sandbox.run("compact /dev/null --max-tokens 500 --in-place --json").exits(2).error();
    assert_eq!(error["message"], "only a plain file can be replaced");
}

#[test]
fn a_folder_that_is_called_like_a_backup_is_none() {
    let sandbox = Sandbox::with_chat();
    std::fs::create_dir(sandbox.path("chat.json.cutctx-backup")).unwrap();
    let error = sandbox.run("restore chat.json --json").exits(6).error();
    assert_eq!(error["code"], "NO_BACKUP");
    let original = sandbox.bytes("chat.json");
    sandbox.run("compact chat.json --max-tokens 500 --in-place").exits(0);
    sandbox.run("restore chat.json").exits(0);
    assert_eq!(sandbox.bytes("chat.json"), original);
}
