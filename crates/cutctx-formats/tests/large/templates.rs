//! The lines that files of the formats may have, with holes for what they say.

/// Lines of one format.
pub(crate) struct Template {
    pub(crate) name: &'static str,
    /// The first lines, by which the file is recognised.
    pub(crate) head: &'static [&'static str],
    pub(crate) lines: &'static [&'static str],
    /// Whether every line is a conversation.
    pub(crate) records: bool,
}

const fn template(
    name: &'static str,
    head: &'static [&'static str],
    lines: &'static [&'static str],
) -> Template {
    Template { name, head, lines, records: false }
}

pub(crate) static ALL: [Template; 12] = [
    template("codex-rollout", &CODEX_HEAD, &CODEX),
    template("codex-rollout of old", &OLD_CODEX_HEAD, &OLD_CODEX),
    template("pi", &PI_HEAD, &PI),
    template("pi of old", &PI_HEAD, &OLD_PI),
    template("qwen-code", &QWEN_HEAD, &QWEN),
    template("gemini-cli", &GEMINI_HEAD, &GEMINI),
    template("gemini-cli stream", &GEMINI_STREAM_HEAD, &GEMINI_STREAM),
    template("copilot-cli", &COPILOT_HEAD, &COPILOT),
    template("kimi-cli", &KIMI_HEAD, &KIMI),
    template("openai-chat", &CHAT_HEAD, &CHAT),
    template("anthropic-messages", &ANTHROPIC_HEAD, &ANTHROPIC),
    Template { name: "openai-chat records", head: &[], lines: &RECORDS, records: true },
];

const CODEX_HEAD: [&str; 1] = [
    r#"{"timestamp":"t","type":"session_meta","payload":{"id":"s","cwd":"/srv","base_instructions":{"text":"be kind"}}}"#,
];

const CODEX: [&str; 24] = [
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":@1},{"type":"input_image","image_url":@D}]}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"role":"user","content":@1,"id":null,"type":"message"}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":@1}]}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"message","role":"assistant","id":"m@N","content":[{"type":"output_text","text":@1,"annotations":[@2]},{"type":"refusal","refusal":@3}]}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":@1}],"content":null,"encrypted_content":@2}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":@A,"call_id":"c@N"}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"function_call_output","call_id":"c@P","output":@1}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"function_call_output","call_id":"c@P","output":{"content":@1,"success":false}}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"function_call_output","call_id":"c@P","output":{"said": [@1, @2],"text":[{"text":@3}]}}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"function_call_output","call_id":"c@P","output":[{"type":"input_text","text":@1},{"type":"input_image","image_url":@D},@2]}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"custom_tool_call","call_id":"c@N","name":"apply_patch","input":@1,"status":"completed"}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"local_shell_call","call_id":"c@N","action":{"type":"exec","command":["sh",@1]}}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"web_search_call","status":"completed","action":{"query":@1}}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"image_generation_call","id":"i@N","result":@D}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"mcp_list_tools","server":@1,"tools":[@2]}}"#,
    r#"{"timestamp":"t@N","type":"response_item","payload":{"type":"never_seen","content":@1}}"#,
    r#"{"timestamp":"t@N","type":"event_msg","payload":{"type":"agent_message","message":@1}}"#,
    r#"{"timestamp":"t@N","type":"event_msg","payload":{"type":"exec_command_end","call_id":"c@P","aggregated_output":@1,"formatted_output":@2}}"#,
    r#"{"timestamp":"t@N","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":1@N,"cached_input_tokens":5,"output_tokens":7}},"rate_limits":@1}}"#,
    r#"{"timestamp":"t@N","type":"event_msg","payload":{"type":"turn_aborted","reason":@1}}"#,
    r#"{"timestamp":"t@N","type":"event_msg","payload":{"num_turns":1,"type":"thread_rolled_back"}}"#,
    r#"{"timestamp":"t@N","type":"compacted","payload":{"message":@1,"replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":@2}]},{"type":"message","role":"user","content":[{"type":"input_text","text":@1}]},{"type":"compaction","encrypted_content":@3}]}}"#,
    r#"{"timestamp":"t@N","type":"compacted","payload":{"message":@1}}"#,
    r#"{"timestamp":"t@N","payload":{"model":"m@N","user_instructions":@1,"cwd":@2},"type":"turn_context"}"#,
];

const OLD_CODEX_HEAD: [&str; 2] =
    [r#"{"id":"s","timestamp":"t","instructions":"be kind"}"#, r#"{"record_type":"state"}"#];

const OLD_CODEX: [&str; 6] = [
    r#"{"type":"message","role":"user","content":[{"type":"input_text","text":@1}]}"#,
    r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":@1}]}"#,
    r#"{"type":"reasoning","summary":[],"encrypted_content":@2}"#,
    r#"{"type":"function_call","name":"shell","arguments":@A,"call_id":"c@N"}"#,
    r#"{"type":"function_call_output","call_id":"c@P","output":@1}"#,
    r#"{"record_type":"state","git":@1}"#,
];

const PI_HEAD: [&str; 1] = [r#"{"type":"session","id":"s","timestamp":"t","cwd":"/srv","version":3}"#];

const PI: [&str; 17] = [
    r#"{"type":"message","id":"n@N","parentId":"n@P","timestamp":"t@N","message":{"role":"user","content":@1,"timestamp":@N,"more":@2}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","timestamp":"t@N","message":{"role":"user","content":[{"type":"text","text":@1},{"type":"image","data":@D,"mimeType":"image/png"}]}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","timestamp":"t@N","message":{"role":"assistant","model":"m@N","content":[{"type":"thinking","thinking":@1,"thinkingSignature":@2},{"type":"text","text":@3},{"type":"toolCall","id":"c@N","name":"bash","arguments":@A}],"usage":{"input":1@N,"output":5},"stopReason":"toolUse"}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","timestamp":"t@N","message":{"role":"assistant","content":[{"type":"thinking","thinking":@1},{"type":"redacted_thinking","data":@D}],"stopReason":"stop","errorMessage":@2}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"assistant","content":[{"type":"text","text":@1}],"stopReason":"aborted"}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","timestamp":"t@N","message":{"role":"toolResult","toolCallId":"c@P","toolName":"bash","content":[{"type":"text","text":@1},{"type":"image","source":{"data":@D,"media_type":"image/png"}},@2],"details":{"diff":@3},"isError":false}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"toolResult","toolCallId":"c@P","content":@1,"isError":true}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"toolResult","toolCallId":"c@P","content":{"output": [@1, 2.50],"text":@2}}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"user","content":[{"type":"tool_result","id":"c@P","content":{"a": @1}},{"type":"tool_result","output":[{"text":@2}]},{"type":"file","content":@3}]}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"bashExecution","command":@2,"output":@1}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"bashExecution","output":@1,"excludeFromContext":true}}"#,
    r#"{"type":"message","id":"n@N","parentId":"n@P","message":{"role":"branchSummary","summary":@1}}"#,
    r#"{"type":"custom_message","id":"n@N","parentId":"n@P","timestamp":"t@N","customType":"x","content":@1,"details":@2}"#,
    r#"{"type":"branch_summary","id":"n@N","parentId":"n@P","timestamp":"t@N","fromId":"n1","summary":@1,"details":@2}"#,
    r#"{"type":"compaction","id":"n@N","parentId":"n@P","timestamp":"t@N","summary":@1,"firstKeptEntryId":"n@P","tokensBefore":9,"details":@2}"#,
    r#"{"type":"model_change","id":"n@N","parentId":"n@P","provider":"p","modelId":"m@N"}"#,
    r#"{"type":"custom","id":"n@N","parentId":"n@P","data":{"text":@1,"more":[@2]}}"#,
];

const OLD_PI: [&str; 4] = [
    r#"{"type":"message","timestamp":"t@N","message":{"role":"user","content":@1,"timestamp":@N}}"#,
    r#"{"type":"message","timestamp":"t@N","message":{"role":"assistant","content":[{"type":"toolCall","id":"c@N","name":"bash","arguments":@A}]}}"#,
    r#"{"type":"message","timestamp":"t@N","message":{"role":"toolResult","toolCallId":"c@P","content":[{"type":"text","text":@1}],"details":@2}}"#,
    r#"{"type":"compaction","timestamp":"t@N","summary":@1,"firstKeptEntryIndex":1,"details":@2}"#,
];

const QWEN_HEAD: [&str; 1] = [
    r#"{"uuid":"n0","parentUuid":null,"sessionId":"s","timestamp":"t","type":"user","cwd":"/srv","version":"1","message":{"role":"user","parts":[{"text":"hello"}]}}"#,
];

const QWEN: [&str; 9] = [
    r#"{"uuid":"n@N","parentUuid":"n@P","sessionId":"s","timestamp":"t@N","type":"user","cwd":"/srv","version":"1","message":{"role":"user","parts":[{"text":@1},{"inlineData":{"mimeType":"image/png","data":@D}}]},"displayText":@2}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"assistant","model":"m@N","message":{"role":"model","parts":[{"text":@1,"thought":true},{"text":@2,"thoughtSignature":@3},{"functionCall":{"id":"c@N","name":"read","args":@A}}]},"usageMetadata":{"said":@3}}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c@P","name":"read","response":{"output":@1}}}]},"toolCallResult":{"resultDisplay":@2}}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"c@P","name":"read","response":@A,"parts":[{"inlineData":{"mimeType":"image/png","data":@D}}]}}]}}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"tool_result","message":{"role":"user","parts":[{"function_response":{"name":"read","response":{"error":@1}}},{"function_response":{"name":"read","response":{"output":@2,"more": [@3]}}}]}}"#,
    r#"{"uuid":"n@P","parentUuid":"n0","type":"assistant","message":{"role":"model","parts":[{"text":@1}]}}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"system","subtype":"chat_compression","systemPayload":{"info":@2,"compressedHistory":[{"role":"user","parts":[{"text":@1}]},{"role":"model","parts":[{"text":@3}]}]}}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":@1}}"#,
    r#"{"uuid":"n@N","parentUuid":"n@P","type":"user","subtype":"notification","message":{"role":"user","parts":[@1,{"text":@2}]}}{"uuid":"x@N","parentUuid":"n@N","type":"user","message":{"role":"user","parts":[{"text":@3}]}}"#,
];

const GEMINI_HEAD: [&str; 1] =
    [r#"{"sessionId":"s","projectHash":"p","startTime":"t","lastUpdated":"t","kind":"main"}"#];

const GEMINI: [&str; 12] = [
    r#"{"id":"n@N","timestamp":"t@N","type":"user","content":[{"text":@1},{"inlineData":{"mimeType":"image/png","data":@D}},@2]}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"user","content":@1,"displayContent":@2}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"gemini","content":@1,"thoughts":[{"subject":"x","description":@2}],"tokens":{"input":8@N,"output":3},"model":"m@N"}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"gemini","content":"","toolCalls":[{"id":"c@N","name":"read","args":@A,"result":[{"functionResponse":{"id":"c@N","name":"read","response":{"output":@1}}}],"status":"success","resultDisplay":@2,"description":@3}]}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"gemini","content":{"text":@1},"toolCalls":[{"id":"c@N","name":"read","args":@A,"result":[{"functionResponse":{"id":"c@N","response":@A}},{"inlineData":{"mimeType":"image/png","data":@D}}],"status":"error"},{"name":"list","args":{"a":@1},"result":@2,"status":"cancelled","renderOutputAsMarkdown":@3}]}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"gemini","content":[{"functionCall":{"id":"c@N","name":"read","args":{"a":@1}}}],"toolCalls":[{"id":"c@N","name":"read","args":{"a":@1},"result":{"functionResponse":{"response":{"result":@2}}}},{"id":"d@N","name":"b","result":[{"text":@3}]}]}"#,
    r#"{"id":"n@P","timestamp":"t@N","type":"gemini","content":@1,"thoughts":[@2]}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"info","content":@1}"#,
    r#"{"$rewindTo":"n@P","why":@1}"#,
    r#"{"$set":{"lastUpdated":"t@N","summary":"x"},"more":@1}"#,
    r#"{"$set":{"messages":[{"id":"l@N","type":"user","content":@1},{"id":"k@N","type":"gemini","content":@2}]},"more":@3}"#,
    r#"{"id":"n@N","timestamp":"t@N","type":"user","content":[{"text":@1},{"text":@2}],"more":@3}"#,
];

const GEMINI_STREAM_HEAD: [&str; 1] = [r#"{"type":"init","timestamp":"t","session_id":"s","model":"m"}"#];

const GEMINI_STREAM: [&str; 6] = [
    r#"{"type":"message","timestamp":"t@N","role":"user","content":@1}"#,
    r#"{"type":"message","timestamp":"t@N","role":"assistant","content":@1,"delta":true,"more":@2}"#,
    r#"{"type":"tool_use","timestamp":"t@N","tool_name":"read","tool_id":"c@N","parameters":@A}"#,
    r#"{"type":"tool_result","timestamp":"t@N","tool_id":"c@P","status":"success","output":@1,"more":@2}"#,
    r#"{"type":"tool_result","timestamp":"t@N","tool_id":"c@P","status":"success","output":{"a": [@1]},"more":[@2]}"#,
    r#"{"type":"tool_result","timestamp":"t@N","tool_id":"c@P","status":"error","error":{"message":@1,"type":"x"},"more":[@2,@3,@2,@3]}"#,
];

const COPILOT_HEAD: [&str; 1] =
    [r#"{"type":"session.start","data":{"sessionId":"s"},"id":"n0","timestamp":"t","parentId":null}"#];

const COPILOT: [&str; 14] = [
    r#"{"type":"system.message","data":{"content":@1,"role":"system","more":@2},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"user.message","data":{"content":@1,"transformedContent":@2,"attachments":[@3]},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"user.message","data":{"attachments":[@3],"content":@1},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"assistant.message","data":{"messageId":"m@N","content":@1,"reasoningText":@2,"toolRequests":[{"toolCallId":"c@N","name":"bash","arguments":@A}]},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"assistant.message","data":{"content":@1,"reasoningText":@2,"reasoningOpaque":@3},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"assistant.message","data":{"content":"","encryptedContent":@1,"toolRequests":[]},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"tool.execution_start","data":{"toolCallId":"c@P","toolName":"bash","arguments":@A},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"tool.execution_complete","data":{"toolCallId":"c@P","success":true,"result":{"content":@1,"detailedContent":@2}},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"tool.execution_complete","data":{"toolCallId":"c@P","success":true,"result":{"content":[{"type":"text","text":@1}],"detailedContent":@2}},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"tool.execution_complete","data":{"toolTelemetry":@1,"toolCallId":"c@P","success":false,"error":{"message":@2,"code":"x"}},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"session.compaction_complete","data":{"success":true,"summaryContent":@1,"more":@2},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"session.model_change","data":{"modelId":"m@N","more":@1},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"type":"hook.start","data":{"input":{"text":@1,"more":@2}},"id":"n@N","timestamp":"t@N","parentId":"n@P"}"#,
    r#"{"ty\u0070e":"assistant.message","data":{"content":@1},"id":"n@N","timestamp":"t@N","parentId":"n@P","type":"us\u0065r.message","more":@2}"#,
];

const KIMI_HEAD: [&str; 1] = [r#"{"type":"metadata","protocol_version":"1","created_at":1}"#];

const KIMI: [&str; 14] = [
    r#"{"type":"config.update","systemPrompt":@1,"modelAlias":"m","more":@2,"time":@N}"#,
    r#"{"type":"turn.prompt","input":[{"type":"text","text":@1}],"time":@N}"#,
    r#"{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":@1},{"type":"image_url","imageUrl":{"url":@D}}],"toolCalls":[],"origin":{"kind":"user"},"more":@2},"time":@N}"#,
    r#"{"type":"context.append_message","message":{"role":"user","content":@1,"origin":{"kind":"injection"}},"time":@N}"#,
    r#"{"type":"context.append_message","message":{"role":"assistant","content":[{"type":"think","think":@1,"encrypted":@2}],"toolCalls":[{"id":"c@N","type":"function","function":{"name":"bash","arguments":@A}}]},"time":@N}"#,
    r#"{"type":"context.append_message","message":{"role":"tool","toolCallId":"c@P","content":[{"type":"text","text":@1}],"more":@2},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"step.begin","uuid":"s@N","turnId":"t","step":@N,"more":@1},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"p@N","turnId":"t","step":1,"stepUuid":"s@P","part":{"type":"text","text":@1}},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"content.part","uuid":"p@N","stepUuid":"s@P","part":{"type":"think","think":@1,"signature":@2}},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"tool.call","uuid":"p@N","stepUuid":"s@P","toolCallId":"c@N","name":"bash","args":@A,"description":@1},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"c@P","result":{"output":@1,"isError":false,"message":@2}},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"c@P","result":{"output":[{"type":"text","text":@1},{"type":"image_url","image_url":@D}]}},"time":@N}"#,
    r#"{"type":"context.append_loop_event","event":{"type":"step.end","uuid":"s@P","usage":@1},"time":@N}"#,
    r#"{"type":"context.apply_compaction","summary":@1,"contextSummary":@2,"keptUserMessageCount":1,"time":@N}"#,
];

const CHAT_HEAD: [&str; 2] =
    [r#"{"role":"developer","content":"be kind"}"#, r#"{"role":"user","content":"hello"}"#];

const CHAT: [&str; 8] = [
    r#"{"role":"user","content":@1,"name":"x"}"#,
    r#"{"role":"user","content":[{"type":"text","text":@1},{"type":"image_url","image_url":{"url":@D,"detail":"low"}},{"type":"never_seen","text":@2}]}"#,
    r#"{"role":"user","content":[{"type":"input_audio","input_audio":{"data":@D,"format":"wav"}},{"type":"file","file":{"file_data":@D}},{"type":"image_url","image_url":@D}]}"#,
    r#"{"role":"assistant","reasoning_content":@1,"content":@2,"model":"m@N","audio":null}"#,
    r#"{"role":"assistant","content":null,"refusal":@1,"tool_calls":[{"id":"c@N","type":"function","function":{"name":"a","arguments":@1}}],"reasoning":@2}"#,
    r#"{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":@1}]},{"type":"text","text":@2}]}"#,
    r#"{"role":"tool","tool_call_id":"c@P","content":@1}"#,
    r#"{"role":"tool","tool_call_id":"c@P","content":[{"type":"text","text":@1},{"type":"text","text":@2}]}"#,
];

const ANTHROPIC_HEAD: [&str; 1] =
    [r#"{"role":"user","content":[{"type":"document","source":{"type":"base64","data":"QUJD"}}]}"#];

const ANTHROPIC: [&str; 5] = [
    r#"{"role":"user","content":@1}"#,
    r#"{"role":"user","content":[{"type":"text","text":@1,"cache_control":{"type":"ephemeral"}},{"type":"image","source":{"type":"base64","media_type":"image/png","data":@D}}]}"#,
    r#"{"role":"assistant","content":[{"type":"thinking","thinking":@1,"signature":@2},{"type":"text","text":@3},{"type":"tool_use","id":"c@N","name":"a","input":{"a": [@1]}}]}"#,
    r#"{"role":"assistant","content":[{"type":"redacted_thinking","data":@D},{"type":"server_tool_use","id":"s@N","name":"web","input":{"q":@1}},{"type":"web_search_tool_result","tool_use_id":"s@N","content":[{"title":@2,"encrypted_content":@3}]}]}"#,
    r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"c@P","content":@1},{"type":"tool_result","tool_use_id":"c@P","content":[{"type":"text","text":@2},{"type":"image","source":{"type":"base64","data":@D}}]}]}"#,
];

const RECORDS: [&str; 2] = [
    r#"{"id":@N,"messages":[{"role":"system","content":@1},{"role":"user","content":@2},{"role":"assistant","content":@3,"tool_calls":[]},{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":@1}]}],"reward":1.0}"#,
    r#"{"task_id":@N,"traj":[{"role":"system","content":@1},{"role":"user","content":[{"type":"text","text":@2},{"type":"image_url","image_url":{"url":@D}}]},{"role":"assistant","content":@3}],"info":{}}"#,
];
