//! What people reported as counted wrongly: images as their base64, tool definitions and system prompts forgotten, two
//! counters that disagree.

use cutctx_messages::{
    CallView, Detail, Media, MediaKind, MessageEstimator, MessageView, PartView, ResultView, TurnMapper,
};
use cutctx_tokens::{Family, Framing, ImageRule, MediaRules, MessageCounter, Pixels, Tokenizer, ToolSchema};
use cutctx_types::{Role, TokenEstimator};

/// A PNG file of this size: its signature and header, and `padding` bytes that stand for the rest.
fn png(width: u32, height: u32, padding: usize) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes.resize(bytes.len() + padding, 0xA5);
    bytes
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = DIGITS[usize::try_from((bits >> (18 - 6 * place)) & 63).unwrap()];
            text.push(if place > group.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

fn image(width: u32, height: u32, padding: usize) -> Media<'static> {
    Media::new(MediaKind::Image)
        .with_label("image/png")
        .with_base64_data(base64(&png(width, height, padding)))
}

fn counter(name: &str) -> MessageCounter {
    let family = match name {
        "openai" => Family::OpenAi,
        "claude" => Family::Anthropic,
        _ => Family::Google,
    };
    let tokenizer = Tokenizer::named(&format!("heuristic:{family}")).unwrap();
    MessageCounter::of_texts(tokenizer).with_framing(Framing::of(family, name))
}

#[test]
fn an_image_costs_by_its_pixels_and_not_by_its_bytes() {
    for name in ["openai", "claude", "gemini-2.5-pro"] {
        let counter = counter(name);
        let (small, large) =
            (counter.media(&image(1_024, 1_024, 0)), counter.media(&image(1_024, 1_024, 600_000)));
        assert_eq!(small, large, "{name}");
        assert!((200..2_000).contains(&small), "{name} {small}");
    }
}

#[test]
fn an_image_that_is_all_of_a_conversation_is_small() {
    let counter = counter("claude");
    let mut mapper = TurnMapper::new(&counter);
    let parts = vec![PartView::Media(image(800, 600, 2_000_000)), PartView::text("what is this?")];
    mapper.push(&MessageView::new(Role::User, parts)).unwrap();
    let tokens = mapper.finish().turns[0].token_estimate();
    assert!(tokens < 1_000, "{tokens}");
}

#[test]
fn providers_sizes_are_those_that_they_publish() {
    let openai = |model, width, height| ImageRule::of_openai(model).tokens(Pixels::new(width, height));
    assert_eq!(openai("gpt-4o", 1_024, 1_024), 765);
    assert_eq!(openai("gpt-4o", 2_048, 4_096), 1_105);
    assert_eq!(openai("gpt-4o", 8_000, 1_000), 85 + 4 * 170);
    assert_eq!(openai("gpt-5.1", 1_024, 1_024), 70 + 4 * 140);
    assert_eq!(openai("gpt-4.1-mini", 1_024, 1_024), 1_659);
    let anthropic = |model, width, height| ImageRule::of_anthropic(model).tokens(Pixels::new(width, height));
    assert_eq!(anthropic("claude-sonnet-4-5", 200, 200), 64);
    assert_eq!(anthropic("claude-sonnet-4-5", 1_092, 1_092), 39 * 39);
    assert!(anthropic("claude-sonnet-4-5", 8_000, 8_000) <= 1_568);
    assert_eq!(anthropic("claude-opus-4-7", 2_576, 1_456), 4_784);
    let google = |model, width, height| ImageRule::of_google(model).tokens(Pixels::new(width, height));
    assert_eq!(google("gemini-2.5-flash", 384, 384), 258);
    assert_eq!(google("gemini-2.5-flash", 1_000, 700), 2 * 258);
    assert_eq!(google("gemini-3-pro", 4_000, 4_000), 1_120);
}

#[test]
fn a_proxy_that_bills_base64_as_text_can_be_described() {
    let framing = Framing::of(Family::Anthropic, "claude");
    let mut rules = framing;
    rules.media = MediaRules::new(ImageRule::AsText);
    let counter = counter("claude").with_framing(rules);
    assert!(counter.media(&image(64, 64, 300_000)) > 200_000);
}

#[test]
fn an_image_behind_a_link_costs_what_an_ordinary_one_does() {
    for name in ["openai", "claude", "gemini"] {
        let counter = counter(name);
        let linked = Media::new(MediaKind::Image).with_url("https://example.org/pole.png");
        let unreadable = Media::new(MediaKind::Image).with_base64_data("AAAA");
        assert!((500..2_000).contains(&counter.media(&linked)), "{name}");
        assert_eq!(counter.media(&linked), counter.media(&unreadable), "{name}");
    }
}

#[test]
fn a_document_costs_by_its_pages() {
    let pages = b"<</Type /Page>> <</Type/Page /Parent 1 0 R>> <</Type /Pages /Count 2>>";
    let document =
        Media::new(MediaKind::Document).with_label("application/pdf").with_base64_data(base64(pages));
    assert_eq!(counter("gemini-2.5-pro").media(&document), 2 * 258);
    let claude = counter("claude").media(&document);
    assert!((2 * 2_300..2 * 2_400).contains(&claude), "{claude}: 7,000 for three pages");
}

#[test]
fn a_sound_costs_by_its_seconds() {
    let mut wave = b"RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00".to_vec();
    wave.extend(16_000_u32.to_le_bytes());
    wave.extend(32_000_u32.to_le_bytes());
    wave.resize(63_000, 0);
    let sound = Media::new(MediaKind::Audio).with_base64_data(base64(&wave));
    assert_eq!(counter("gemini-2.5-pro").media(&sound), 2 * 32);
    assert_eq!(counter("openai").media(&sound), 2 * 10);
}

#[test]
fn definitions_of_tools_and_the_system_prompt_are_counted() {
    let counter = counter("claude");
    let schema = r#"{"type":"object","properties":{"pole":{"type":"integer"}}}"#;
    let one = ToolSchema::new("measure", "How tall a pole is, in metres.", schema);
    let system = "You answer questions on poles.";
    let (none, some, more) =
        (counter.overhead("", &[]), counter.overhead(system, &[one]), counter.overhead(system, &[one, one]));
    assert_eq!(none.total(), 0);
    assert!(some.tools > 346 + counter.text(schema));
    assert!(some.system > counter.text(system));
    assert_eq!(more.tools - some.tools, some.tools - 346);
    assert_eq!(some.total(), some.system + some.tools + some.answer);
}

#[test]
fn calls_and_results_cost_more_than_their_texts() {
    let counter = counter("claude");
    let call = CallView::new("call_1", "measure", r#"{"pole":7}"#);
    let texts = counter.text("measure") + counter.text(r#"{"pole":7}"#);
    assert_eq!(counter.call(&call), texts + 44);
    let mut mapper = TurnMapper::new(&counter);
    mapper.push(&MessageView::new(Role::Assistant, vec![PartView::ToolCall(call)])).unwrap();
    mapper
        .push(&MessageView::new(Role::Tool, vec![PartView::ToolResult(ResultView::new("call_1", "4.2 m"))]))
        .unwrap();
    let turns = mapper.finish().turns;
    assert_eq!(turns[0].token_estimate(), texts + 44 + 4);
    assert_eq!(turns[1].token_estimate(), counter.text("4.2 m") + 40);
}

#[test]
fn a_counter_counts_texts_as_its_tokenizer_does() {
    let counter = counter("gemini");
    for text in ["", "short", &"a longer text that is remembered, ".repeat(60)] {
        assert_eq!(counter.text(text), counter.tokenizer().estimate(text));
        assert_eq!(counter.text(text), counter.tokenizer().estimate(text));
    }
}

#[test]
fn a_ratio_adds_nothing_around_texts() {
    let counter = MessageCounter::named("chars/4").unwrap();
    assert_eq!(counter.framing(Role::User) + counter.framing(Role::Tool), 0);
    assert_eq!(counter.media(&image(10, 10, 0)), image(10, 10, 0).default_tokens());
    assert_eq!(counter.overhead("", &[]).total(), 0);
    assert_eq!(counter.chars_per_token(), Some(4.0));
}

#[test]
fn no_text_is_shown() {
    let counter = MessageCounter::named("claude").unwrap();
    counter.text(&"a secret word. ".repeat(100));
    let schema = ToolSchema::new("secret", "secret", "secret");
    assert!(!format!("{counter:?} {schema:?}").contains("secret"));
}

#[test]
fn a_glance_at_an_image_costs_what_the_provider_says() {
    let glance = |name: &str| counter(name).media(&image(2_048, 4_096, 0).with_detail(Detail::Low));
    let look = |name: &str, detail| counter(name).media(&image(2_048, 4_096, 0).with_detail(detail));
    assert_eq!(glance("openai"), 85);
    for detail in [Detail::Automatic, Detail::High] {
        assert_eq!(look("openai", detail), 1_105);
        assert_eq!(look("claude", detail), glance("claude"), "others know no such thing");
    }
    let low = |model| ImageRule::of_openai(model).tokens_at_low_detail(Pixels::new(2_048, 4_096));
    assert_eq!((low("gpt-5"), low("o1"), low("gpt-4o-mini")), (70, 75, 2_833));
    assert_eq!(low("gpt-4.1-mini"), (8 * 16_u64 * 162).div_ceil(100));
}

#[test]
fn the_detail_is_read_by_its_name() {
    for (name, detail) in
        [("low", Detail::Low), ("high", Detail::High), ("auto", Detail::Automatic), ("", Detail::Automatic)]
    {
        assert_eq!(Detail::named(name), detail);
    }
}

#[test]
fn encrypted_reasoning_costs_what_was_counted_for_it() {
    let openai = counter("openai");
    // Characters of base64, and the reasoning tokens that were written down beside them.
    for (characters, counted) in
        [(868, 6), (908, 13), (1_164, 54), (2_084, 206), (5_540, 767), (16_012, 2_549)]
    {
        let estimate = openai.hidden(characters);
        assert!(
            estimate.abs_diff(counted) <= counted / 10 + 3,
            "{characters}: {estimate}, counted {counted}"
        );
    }
    assert_eq!((openai.hidden(0), openai.hidden(u64::MAX)), (0, u64::MAX / 10_000 + 1));
    assert_eq!(counter("claude").hidden(1_600), 300, "where nothing was measured, a token for four bytes");
    assert_eq!(MessageCounter::named("chars/4").unwrap().hidden(1_600), 300);
}
