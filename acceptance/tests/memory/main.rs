//! A large session is compacted in bounded memory.
//!
//! Each format and policy alone in a program of its own, because what is looked at is the most memory that a program ever
//! had: the test starts itself again for each.

#[cfg(test)]
mod peak {
    use std::fs::{self, File};
    use std::io::{BufWriter, Seek, Write};
    use std::process::Command;

    use acceptance::sessions::SessionKind;
    use cutctx_exec::{CompactionExecutor, Summaries, fates_with_appended};
    use cutctx_formats::{OpenOptions, ReadRequest, Session};
    use cutctx_invariants::CompactionPolicy;
    use cutctx_policies::{ObservationMaskingPolicy, recommended};
    use cutctx_types::{CharRatioEstimator, CompactionBudget};

    /// Names the format in the programs that the test starts.
    const KIND: &str = "CUTCTX_MEMORY_KIND";

    /// Is there in them when the policy is the recommended one.
    const RECOMMENDED: &str = "CUTCTX_MEMORY_RECOMMENDED";

    const KINDS: [SessionKind; 3] = [SessionKind::ClaudeCode, SessionKind::CodexRollout, SessionKind::Pi];

    /// How large the sessions are, in bytes; another size may be given under this name.
    const BYTES: usize = 128_000_000;
    const SIZE: &str = "CUTCTX_MEMORY_BYTES";

    /// What may be needed besides twice the context, in bytes.
    const FIXED: usize = 64 << 20;

    /// The policy of this program: one that reads next to nothing, or the one that reads all text.
    fn policy() -> Box<dyn CompactionPolicy> {
        if std::env::var_os(RECOMMENDED).is_some() {
            Box::new(recommended())
        } else {
            Box::new(ObservationMaskingPolicy::new())
        }
    }

    /// The most memory of this program so far, in bytes; `None` where the system does not tell.
    fn peak() -> Option<usize> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: usize = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        kibibytes.checked_mul(1_024)
    }

    fn size() -> usize {
        std::env::var(SIZE).map_or(BYTES, |bytes| bytes.parse().unwrap())
    }

    fn made_up(kind: SessionKind) -> File {
        let mut file = tempfile::tempfile().unwrap();
        let mut out = BufWriter::with_capacity(1 << 16, &mut file);
        kind.write(size(), &mut out).unwrap();
        out.flush().unwrap();
        drop(out);
        file.rewind().unwrap();
        file
    }

    #[test]
    fn a_large_session_takes_at_most_64_mib_and_twice_its_context() {
        each_kind_takes_no_more(false);
    }

    #[test]
    fn with_the_recommended_policy_it_takes_no_more() {
        each_kind_takes_no_more(true);
    }

    fn each_kind_takes_no_more(is_recommended: bool) {
        if let Ok(kind) = std::env::var(KIND) {
            return one_takes_no_more(SessionKind::named(&kind).unwrap());
        }
        for kind in KINDS {
            let mut own = Command::new(std::env::current_exe().unwrap());
            own.args([
                "--nocapture",
                "--exact",
                "peak::a_large_session_takes_at_most_64_mib_and_twice_its_context",
            ]);
            if is_recommended {
                own.env(RECOMMENDED, "1");
            }
            let ended = own.env(KIND, kind.name()).status().unwrap();
            assert!(ended.success(), "{}", kind.name());
        }
    }

    fn one_takes_no_more(kind: SessionKind) {
        let Some(before) = peak() else {
            return eprintln!("SKIPPED: this system does not tell how much memory a program had");
        };
        let estimator = CharRatioEstimator::default();
        let request = ReadRequest::new(&estimator);
        let session = Session::open(None, made_up(kind), &request, &OpenOptions::default()).unwrap();
        assert!(session.is_abridged());
        let policy = policy();
        let budget = CompactionBudget::new(session.transcript().token_estimate() / 3);
        let plan = policy.decide(session.transcript(), &budget).unwrap();
        let applied = CompactionExecutor::new().apply(session.transcript(), &plan, &Summaries::none());
        let fates = applied.unwrap().account.fates;
        assert!(fates.masked.saturating_add(fates.trimmed) > 1_000);
        let mut out = tempfile::tempfile().unwrap();
        session.render(&fates_with_appended(&plan, 0), &[]).unwrap().write_to(&mut out).unwrap();
        let written = out.metadata().unwrap().len();
        assert!(written < u64::try_from(session.file_bytes()).unwrap(), "something was taken out");

        let (peak, aim) = (peak().unwrap(), FIXED.saturating_add(session.context_bytes().saturating_mul(2)));
        let all = session.file_bytes().saturating_add(session.context_bytes());
        assert!(aim < all, "the aim is below holding all");
        assert!(before < FIXED / 2, "{before} bytes before anything was read");
        eprintln!(
            "{} {}: {} bytes of context, {peak} at most, {aim} allowed",
            kind.name(),
            policy.name(),
            session.context_bytes()
        );
        assert!(peak <= aim, "{peak} bytes, more than {aim}");
    }
}
