//! From the text that was recovered of a damaged file back to the file.

use cutctx::formats::salvage::Edit;

/// Where bytes of a recovered text stand in the damaged file: what was taken out or put in has moved them.
pub(super) struct RecoveredPlaces {
    /// Where the text goes on behind each edit: its byte there, and that of the file.
    resumed: Vec<(usize, usize)>,
    /// The offset of every line feed.
    feeds: Vec<usize>,
}

impl RecoveredPlaces {
    pub(super) fn new(file: &[u8], edits: &[Edit]) -> Self {
        let feeds = file.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(place, _)| place);
        let feeds = if edits.is_empty() { Vec::new() } else { feeds.collect() };
        let (mut place, mut recovered) = (0_usize, 0_usize);
        let resumed = edits.iter().map(|edit| {
            let kept = edit.span.start.saturating_sub(place);
            recovered = recovered.saturating_add(kept).saturating_add(edit.text.len());
            place = edit.span.end;
            (recovered, place)
        });
        Self { resumed: resumed.collect(), feeds }
    }

    /// The line and the byte of the file for those of the recovered text.
    pub(super) fn of(&self, line: usize, offset: usize) -> (usize, usize) {
        if self.resumed.is_empty() {
            return (line, offset);
        }
        let place = self.in_file(offset);
        (self.line(place), place)
    }

    /// The byte of the file for a byte of the recovered text.
    fn in_file(&self, offset: usize) -> usize {
        let after = self.resumed.partition_point(|(recovered, _)| *recovered <= offset);
        let (recovered, place) =
            after.checked_sub(1).and_then(|last| self.resumed.get(last)).copied().unwrap_or_default();
        place.saturating_add(offset.saturating_sub(recovered))
    }

    /// The line of a byte of the file, from 1.
    fn line(&self, offset: usize) -> usize {
        self.feeds.partition_point(|feed| *feed < offset).saturating_add(1)
    }
}
