//! Which test stands for which entry of the list of pains in an optional folder of test data.

use std::path::{Path, PathBuf};

/// The entries of the groups about pairs, reasoning, loops, roles, large turns, cutting, the prompt cache, files and going
/// back: their number in the list, and the tests of this target, each as its module and its name.
const TESTS: [(&str, &str); 70] = [
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
    (
        "35",
        "loops::a_head_that_leaves_too_little_room_is_told_with_what_must_stay_and_is_no_reason_for_another_pass",
    ),
    ("37", "loops::a_pass_that_frees_nothing_is_told_from_one_that_need_not_and_the_next_member_goes_on"),
    ("43", "loops::a_failing_summarizer_is_asked_once_a_pass_and_the_trigger_stays_until_one_succeeds"),
    ("44", "loops::a_summary_that_says_itself_again_stays_one_and_does_not_grow"),
    ("44", "loops::a_summary_is_asked_for_only_where_it_is_shorter_than_what_it_stands_for"),
    ("44", "loops::a_summary_that_makes_the_view_no_smaller_is_refused_and_the_next_one_is_taken"),
    ("46", "loops::a_failing_summarizer_is_asked_once_a_pass_and_the_trigger_stays_until_one_succeeds"),
    ("46", "loops::attempts_are_counted_in_the_state_and_a_failed_one_is_not_repeated_for_the_same"),
    ("47", "markers::passes_over_a_file_replace_the_summary_that_the_last_one_left"),
    ("61", "roles::the_only_words_of_a_person_stay_in_front_of_a_long_row_of_tool_steps"),
    ("62", "roles::a_person_is_told_from_a_carrier_of_results_so_no_more_goes_than_must"),
    ("64", "roles::no_step_of_two_messages_is_assumed"),
    ("65", "roles::the_first_words_of_a_person_are_no_part_of_the_calls_after_them"),
    ("67", "roles::a_message_that_only_thinks_goes_whole_and_an_empty_result_still_answers"),
    ("68", "roles::white_space_counts_as_nothing"),
    ("91", "oversized::a_result_that_is_nearly_the_whole_window_is_told_where_it_is_protected"),
    ("38", "oversized::a_last_message_above_the_limit_is_told_and_cut_where_that_is_asked_for"),
    ("91", "oversized::a_result_that_is_nearly_the_whole_window_is_cut_where_it_is_not_protected"),
    ("91", "oversized::a_result_that_is_nearly_the_whole_window_is_cut_where_that_is_asked_for"),
    ("91", "oversized::what_its_owner_pinned_is_whole_or_told"),
    ("92", "oversized::the_view_that_is_written_is_within_the_budget_or_says_that_it_is_not"),
    ("94", "oversized::what_a_compaction_left_is_told_when_it_is_too_large_and_compacted_like_anything_else"),
    ("94", "oversized::what_a_compaction_left_is_cut_wherever_it_stands_where_that_is_asked_for"),
    ("95", "oversized::what_fits_once_something_is_dropped_is_told_from_an_end_that_is_too_large"),
    ("96a", "cutting::every_cut_on_a_border_is_written_and_every_other_one_is_refused"),
    ("96a", "cutting::a_clipped_result_parts_no_character_and_no_escape"),
    (
        "100",
        "prompt_cache::a_result_that_was_sent_whole_is_shortened_at_a_compaction_only_and_a_stub_keeps_its_bytes",
    ),
    ("101", "prompt_cache::a_summary_stands_behind_the_head_and_the_head_never_changes"),
    ("103", "prompt_cache::the_request_for_a_summary_can_be_what_was_sent_with_one_instruction_more"),
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

/// Those that are about a whole loop, or about what providers counted: their number, the file below `crates`, and the test.
const ELSEWHERE: [(&str, &str, &str); 19] = [
    (
        "35",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_35_a_floor_above_the_trigger_is_told_with_its_items_every_time",
    ),
    (
        "35",
        "cutctx-context/tests/laws/budgeted.rs",
        "what_cannot_fit_does_not_ask_for_a_summary_at_every_step",
    ),
    (
        "37",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_37_a_pass_that_reclaims_nothing_is_no_success_and_a_chain_goes_on",
    ),
    (
        "38",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_38_a_single_turn_above_the_limit_is_told_and_not_compacted_around",
    ),
    ("40", "cutctx/tests/counting/told.rs", "claude_code_counts_from_before_a_compaction_are_void"),
    (
        "40",
        "cutctx-context/tests/laws/turns.rs",
        "what_the_provider_counted_is_not_believed_of_another_context",
    ),
    ("41", "cutctx/tests/counting/told.rs", "pi_counts_of_entries_that_a_compaction_keeps_are_void"),
    (
        "43",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_43_46_a_failed_compaction_leaves_the_state_and_the_trigger",
    ),
    (
        "44",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_44_a_longer_loop_has_more_compactions_and_no_larger_context",
    ),
    ("44", "cutctx-context/tests/laws/budgeted.rs", "a_session_stays_within_its_window"),
    (
        "46",
        "cutctx-context/tests/laws/budgeted.rs",
        "without_a_summary_the_context_is_compacted_all_the_same",
    ),
    (
        "47",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_47_compacting_again_and_again_gives_the_same_and_counts_what_is_there",
    ),
    (
        "91",
        "cutctx-context/tests/laws/budgeted.rs",
        "one_huge_result_at_the_end_is_shortened_and_one_huge_request_is_told",
    ),
    ("97", "cutctx-eval/tests/replay/pains.rs", "pain_97_a_low_water_mark_keeps_compactions_apart"),
    (
        "97",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_97_a_pass_that_would_clear_too_little_waits_until_there_is_more_to_clear",
    ),
    ("97", "cutctx/tests/counting/pains.rs", "i97_a_masked_view_is_planned_again_without_a_change"),
    (
        "98",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_98_an_edit_that_costs_more_than_it_saves_can_be_left_alone",
    ),
    (
        "98",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_98_a_loop_whose_results_are_masked_as_they_age_breaks_its_prefix_and_one_that_is_sticky_does_not",
    ),
    (
        "100",
        "cutctx-eval/tests/replay/pains.rs",
        "pain_100_101_what_was_sent_in_one_form_changes_at_compactions_only",
    ),
];

/// The groups that these tests are about, by their letters in the list.
const GROUPS: [&str; 9] = ["A", "B", "C", "E", "G", "H", "I", "J", "K"];

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
    let here = TESTS.iter().map(|(number, _)| *number);
    let told: Vec<&str> = here.chain(ELSEWHERE.iter().map(|(number, ..)| *number)).collect();
    let missing: Vec<&&str> = numbers.iter().filter(|number| !told.contains(number)).collect();
    assert!(missing.is_empty(), "without a test: {missing:?}");
    let unknown: Vec<&&str> = told.iter().filter(|number| !numbers.contains(number)).collect();
    assert!(unknown.is_empty(), "not on the list: {unknown:?}");
}

/// Whether a file has a test of this name.
fn has_test(file: &Path, name: &str) -> bool {
    let source = std::fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let is_here = |lines: &[&str]| lines[0] == "#[test]" && lines[1].starts_with(&format!("fn {name}("));
    lines.windows(2).any(is_here)
}

#[test]
fn every_test_of_the_table_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (number, test) in TESTS {
        let (module, name) = test.split_once("::").unwrap();
        let file = root.join("tests/pains").join(module).with_extension("rs");
        assert!(has_test(&file, name), "{number}: {test}");
    }
    for (number, file, name) in ELSEWHERE {
        assert!(has_test(&root.join("..").join(file), name), "{number}: {file} {name}");
    }
}
