//! Cache marks when the blocks that carry them go.
//!
//! A mark stands for all that comes before it. When its block goes, the nearest block before it that stays and can
//! carry one takes it over, unless it has one already. So marks never become more.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_exec::Fate;

use crate::layout::{Edited, List, Unit};
use crate::note::NoteKind;
use crate::raw::{Node, Object, Span, Splices};
use crate::view::{Kept, View};

/// The key of a mark.
const KEY: &str = "cache_control";

/// All blocks of a request in order. Empty where there are no marks.
#[derive(Debug, Default)]
pub(super) struct CacheMarks {
    carriers: Vec<Carrier>,
}

/// A block, or a content that is one string.
#[derive(Debug)]
struct Carrier {
    unit: Unit,
    turn: usize,
    /// The block or the string.
    span: Span,
    is_string: bool,
    /// Whether the provider takes a mark on it.
    can_carry: bool,
    /// The value of its mark.
    mark: Option<Span>,
    /// The blocks in a result that carry marks, and these.
    inner: Vec<(usize, Span)>,
}

impl CacheMarks {
    /// Whether there can be marks in a file.
    pub(super) fn are_in(text: &str) -> bool {
        text.contains(KEY)
    }

    /// Adds the blocks of a message's content. Its first turn is the one given; each result is one, and everything else
    /// is one together.
    pub(super) fn add(&mut self, content: Node<'_>, record: Unit, blocks: Option<List>, first_turn: usize) {
        let Some(blocks) = blocks else {
            let can_carry = content.string().is_some_and(|text| !text.trim().is_empty());
            let span = content.span();
            self.carriers.push(Carrier {
                unit: record,
                turn: first_turn,
                span,
                is_string: true,
                can_carry,
                mark: None,
                inner: Vec::new(),
            });
            return;
        };
        let objects = content.objects().ok().flatten().unwrap_or_default();
        let mut turns = Turns { next: first_turn, gathered: None };
        for (index, block) in objects.into_iter().enumerate() {
            let Some(block) = block else { continue };
            let turn = turns.of(block.get("type").is_some_and(|kind| kind.is_string("tool_result")));
            self.carriers.push(Carrier::of(&block, blocks.unit(index), turn));
        }
    }

    /// Moves the marks whose blocks go.
    pub(super) fn mend(&self, edited: &mut Edited, view: &View<'_>) {
        let mut last: Option<(&Carrier, bool)> = None;
        for carrier in &self.carriers {
            let is_gone = edited.is_gone(carrier.unit);
            let homeless = carrier.lost_inside(is_gone, view).or(carrier.mark.filter(|_| is_gone));
            let has_mark = carrier.mark.is_some();
            match (homeless, is_gone) {
                (Some(mark), true) => {
                    if let Some((before, marked)) = last.as_mut().filter(|(_, marked)| !*marked) {
                        before.take(mark, view, &mut edited.splices);
                        *marked = true;
                    } else {
                        edited.splices.note(NoteKind::CacheMarkLost, mark.start);
                    }
                }
                (Some(mark), false) if !has_mark => {
                    carrier.take(mark, view, &mut edited.splices);
                    last = Some((carrier, true));
                }
                (_, false) if carrier.can_carry || has_mark => last = Some((carrier, has_mark)),
                _ => {}
            }
        }
    }
}

/// Numbers the turns of a message as they are made of its blocks.
struct Turns {
    next: usize,
    gathered: Option<usize>,
}

impl Turns {
    const fn of(&mut self, is_result: bool) -> usize {
        if let Some(gathered) = self.gathered
            && !is_result
        {
            return gathered;
        }
        let turn = self.next;
        self.next = self.next.saturating_add(1);
        if !is_result {
            self.gathered = Some(turn);
        }
        turn
    }
}

impl Carrier {
    fn of(block: &Object<'_>, unit: Unit, turn: usize) -> Self {
        let kind = block.string("type").unwrap_or_default();
        let can_carry = match kind.as_ref() {
            "thinking" | "redacted_thinking" | "compaction" => false,
            "text" => block.string("text").is_some_and(|text| !text.trim().is_empty()),
            _ => true,
        };
        let content = block.get("content").and_then(|content| content.objects().ok().flatten());
        let inner = content.unwrap_or_default().into_iter().enumerate();
        let inner = inner.filter_map(|(part, block)| Some((part, mark_of(&block?)?))).collect();
        let is_string = false;
        Self { unit, turn, span: block.span(), is_string, can_carry, mark: mark_of(block), inner }
    }

    /// The last mark inside of a result that goes with what carries it.
    fn lost_inside(&self, is_gone: bool, view: &View<'_>) -> Option<Span> {
        let (part, mark) = self.inner.last()?;
        let stays = !is_gone
            && match view.fate(self.turn) {
                Fate::Kept => true,
                Fate::Trimmed(trim) => {
                    view.keeps_media(self.turn, trim)
                        && view.kept_of_part(self.turn, *part, trim) == Some(Kept::Whole)
                }
                Fate::Masked(_) | Fate::SummarizedInto(_) | Fate::Dropped => false,
            };
        (!stays).then_some(*mark)
    }

    /// Takes a mark over.
    fn take(&self, mark: Span, view: &View<'_>, splices: &mut Splices) {
        splices.note_move(NoteKind::CacheMarkMoved, mark.start, self.span.start);
        let member = [r#""cache_control":"#, mark.of(view.text())].concat();
        if self.is_string {
            splices.insert(self.span.start, String::from(r#"[{"type":"text","text":"#));
            splices.insert(self.span.end, [",", &member, "}]"].concat());
        } else {
            splices.insert(self.span.start.saturating_add(1), [&member, ","].concat());
        }
    }
}

fn mark_of(block: &Object<'_>) -> Option<Span> {
    block.get(KEY).filter(|mark| !mark.is_null()).map(|mark| mark.span())
}
