//! Which test stands for which entry of the list of pains in an optional folder of test data.

use std::path::{Path, PathBuf};

/// The entries of the groups about pairs, reasoning, roles, cutting, files and going back: their number in the list, and
/// the tests, each as its module and its name.
const TESTS: [(&str, &str); 49] = [
    ("1", "pairs::half_of_a_pair_is_never_left_behind"),
    ("2", "pairs::a_result_that_a_repair_made_up_counts_as_a_result"),
    ("4", "pairs::an_orphan_beside_a_good_pair_is_named_and_does_not_multiply"),
    ("5", "pairs::a_call_in_flight_stays_as_it_is"),
    ("7", "pairs::long_arguments_leave_with_their_result_or_stay_with_it"),
    ("8", "pairs::a_call_that_was_never_answered_is_reported_and_never_passed_on_silently"),
    ("10", "pairs::a_plan_for_another_transcript_is_refused_and_one_that_goes_on_is_kept_whole"),
    ("11", "pairs::half_of_a_pair_is_never_left_behind"),
    ("13", "pairs::a_parallel_batch_is_one_exchange_in_whatever_order_its_results_come"),
    ("14", "pairs::a_result_that_comes_twice_is_a_named_defect"),
    ("16", "pairs::a_call_that_waits_for_a_person_stays_however_old_it_is"),
    ("17", "pairs::a_first_word_of_a_tool_at_work_is_no_answer"),
    ("19", "pairs::planning_is_total_on_malformed_transcripts"),
    ("20", "pairs::half_of_a_pair_is_never_left_behind"),
    ("22", "pairs::half_of_a_pair_is_never_left_behind"),
    ("23", "pairs::a_providers_own_tool_keeps_call_and_result_together"),
    ("25", "pairs::names_of_tools_are_spelled_out_whole_for_whoever_summarizes"),
    ("26", "reasoning::what_stays_stays_in_its_order"),
    ("26", "reasoning::signed_reasoning_behind_a_change_follows_the_rule_and_is_told"),
    ("28", "reasoning::reasoning_of_the_turn_that_goes_on_is_kept_to_the_byte_with_every_step_that_stays"),
    ("29", "reasoning::reasoning_of_the_turn_that_goes_on_is_kept_to_the_byte_with_every_step_that_stays"),
    ("31", "reasoning::no_rule_about_reasoning_is_broken_in_any_format"),
    ("32", "reasoning::stored_reasoning_and_the_item_after_it_go_together"),
    ("34", "reasoning::a_summary_is_a_text_and_nothing_in_it_is_markup"),
    ("61", "roles::the_only_words_of_a_person_stay_in_front_of_a_long_row_of_tool_steps"),
    ("62", "roles::a_person_is_told_from_a_carrier_of_results_so_no_more_goes_than_must"),
    ("64", "roles::no_step_of_two_messages_is_assumed"),
    ("65", "roles::the_first_words_of_a_person_are_no_part_of_the_calls_after_them"),
    ("67", "roles::a_message_that_only_thinks_goes_whole_and_an_empty_result_still_answers"),
    ("68", "roles::white_space_counts_as_nothing"),
    ("96a", "cutting::every_cut_on_a_border_is_written_and_every_other_one_is_refused"),
    ("96a", "cutting::a_clipped_result_parts_no_character_and_no_escape"),
    ("104", "files::a_damaged_line_anywhere_does_not_end_the_session"),
    ("106", "files::a_record_with_raw_line_ends_in_it_is_read_as_one"),
    ("107", "files::a_damaged_line_anywhere_does_not_end_the_session"),
    ("109", "files::a_second_pass_goes_on_behind_what_the_first_one_masked"),
    ("110", "files::a_masked_file_is_smaller_and_not_only_marked"),
    ("112", "files::a_plan_is_made_in_one_go_however_far_the_budget_is"),
    ("113", "files::a_plan_goes_through_a_file_and_decides_the_same"),
    ("115", "files::nothing_is_needed_but_the_content"),
    ("116", "files::there_is_nothing_to_be_stuck_in"),
    ("118", "files::nothing_is_needed_but_the_content"),
    ("119", "files::fields_that_nobody_knows_stay_through_two_passes"),
    ("121", "reversing::a_session_that_was_replayed_behind_a_marker_is_read_once_and_reported"),
    ("122", "reversing::the_only_copy_of_a_session_is_never_written_over"),
    ("124", "reversing::the_plan_and_the_original_give_the_view_and_without_the_plan_all_is_there"),
    ("125", "reversing::calls_that_are_kept_are_kept_with_all_that_they_say"),
    ("127", "reversing::the_newest_request_stands_last_in_its_own_words_and_no_summary_comes_after_it"),
    ("128", "reversing::what_is_pinned_stays_in_every_pass_also_an_orphan"),
];

/// The groups that this target is about, by their letters in the list.
const GROUPS: [&str; 6] = ["A", "B", "E", "H", "J", "K"];

fn list() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("field/pains.md")
}

/// The numbers of the list's entries in our groups: `12. …` below `## A. …`.
fn numbers(list: &str) -> Vec<&str> {
    let mut group = "";
    let mut numbers = Vec::new();
    for line in list.lines() {
        let head = line.split_once(". ").map_or("", |(head, _)| head);
        if let Some(letter) = head.strip_prefix("## ") {
            group = letter;
        } else if GROUPS.contains(&group) && head.starts_with(|digit: char| digit.is_ascii_digit()) {
            numbers.push(head);
        }
    }
    numbers
}

#[test]
fn every_pain_of_our_groups_has_a_test() {
    let list = list();
    let Ok(text) = std::fs::read_to_string(&list) else {
        return eprintln!("SKIPPED: no list at {} (set CUTCTX_SHARED)", list.display());
    };
    let numbers = numbers(&text);
    assert!(numbers.len() > 30, "{numbers:?}");
    let missing: Vec<&&str> =
        numbers.iter().filter(|number| !TESTS.iter().any(|(told, _)| told == *number)).collect();
    assert!(missing.is_empty(), "without a test: {missing:?}");
    let unknown: Vec<&str> =
        TESTS.iter().map(|(number, _)| *number).filter(|number| !numbers.contains(number)).collect();
    assert!(unknown.is_empty(), "not on the list: {unknown:?}");
}

#[test]
fn every_test_of_the_table_is_there() {
    for (number, test) in TESTS {
        let (module, name) = test.split_once("::").unwrap();
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pains").join(module).with_extension("rs");
        let source = std::fs::read_to_string(file).unwrap();
        assert!(source.contains(&format!("#[test]\nfn {name}() {{")), "{number}: {test}");
    }
}
