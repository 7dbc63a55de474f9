//! Files that change between reading and writing.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use cutctx_formats::{Fate, FormatError, Session};
use cutctx_types::Coded;

use super::refusals::session;
use super::same::{file_of, opened};

/// An opened session and another handle on its file.
fn shared() -> (Session, File) {
    let file = file_of(session(60).as_bytes());
    let other = file.try_clone().unwrap();
    let session = opened(file, 8_000).unwrap();
    assert!(session.is_abridged());
    (session, other)
}

/// The error of masking a turn in the middle.
fn error_of(session: &Session) -> Option<FormatError> {
    let mut fates = vec![Fate::Kept; session.transcript().len()];
    fates[31] = Fate::Masked("[gone]");
    match session.render(&fates, &[]) {
        Err(error) => Some(error),
        Ok(rendered) => {
            let error = rendered.write_to(&mut Vec::new()).err()?;
            Some(error.get_ref()?.downcast_ref::<FormatError>().unwrap().clone())
        }
    }
}

#[test]
fn a_file_that_stays_is_written() {
    let (session, _) = shared();
    assert_eq!(error_of(&session), None);
}

#[test]
fn a_file_that_grew_or_shrank_is_noticed() {
    let (session, mut file) = shared();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(b"{\"type\":\"summary\"}\n").unwrap();
    assert_eq!(error_of(&session), Some(FormatError::SourceChanged));
    let (session, file) = shared();
    file.set_len(100).unwrap();
    assert_eq!(error_of(&session), Some(FormatError::SourceChanged));
    assert_eq!(FormatError::SourceChanged.code().as_str(), "FORMAT_SOURCE_CHANGED");
}

#[test]
fn a_line_that_changed_without_a_trace_is_noticed_when_it_is_touched() {
    let (session, mut file) = shared();
    let before = file.metadata().unwrap().modified().unwrap();
    let place = session_text_of(&session).find(r#""uuid":"u31""#).unwrap();
    file.seek(SeekFrom::Start(u64::try_from(place).unwrap())).unwrap();
    file.write_all(br#""uuid":"x31""#).unwrap();
    file.set_modified(before).unwrap();
    assert_eq!(error_of(&session), Some(FormatError::SourceChanged));
}

/// The file that `shared` makes.
fn session_text_of(read: &Session) -> String {
    let text = session(60);
    assert_eq!(text.len(), read.file_bytes());
    text
}

#[test]
fn an_edit_while_the_file_is_written_is_noticed() {
    struct Meddler(File);
    impl Write for Meddler {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.seek(SeekFrom::End(0))?;
            self.0.write_all(b" ")?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (session, file) = shared();
    let kept = vec![Fate::Kept; session.transcript().len()];
    let error = session.render(&kept, &[]).unwrap().write_to(&mut Meddler(file)).unwrap_err();
    assert_eq!(error.get_ref().unwrap().to_string(), FormatError::SourceChanged.to_string());
}
