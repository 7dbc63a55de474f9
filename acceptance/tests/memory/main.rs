//! A large session is compacted in bounded memory.
//!
//! Alone in its program, because what is looked at is the most memory that the program ever had.

#[cfg(test)]
mod peak {
    use std::fs::{self, File};
    use std::io::{BufWriter, Seek, Write};

    use acceptance::sessions::SessionKind;
    use cutctx_exec::{CompactionExecutor, Summaries, plan_fates};
    use cutctx_formats::{OpenOptions, ReadRequest, Session};
    use cutctx_policies::PolicySpec;
    use cutctx_types::{CharRatioEstimator, CompactionBudget};

    const BYTES: usize = 128_000_000;

    /// What may be needed besides twice the context, in bytes.
    const FIXED: usize = 64 << 20;

    /// The most memory of this program so far, in bytes; `None` where the system does not tell.
    fn peak() -> Option<usize> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: usize = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
        kibibytes.checked_mul(1_024)
    }

    fn made_up() -> File {
        let mut file = tempfile::tempfile().unwrap();
        let mut out = BufWriter::with_capacity(1 << 16, &mut file);
        SessionKind::ClaudeCode.write(BYTES, &mut out).unwrap();
        out.flush().unwrap();
        drop(out);
        file.rewind().unwrap();
        file
    }

    #[test]
    fn a_large_session_takes_at_most_64_mib_and_twice_its_context() {
        let Some(before) = peak() else {
            return eprintln!("SKIPPED: this system does not tell how much memory a program had");
        };
        let estimator = CharRatioEstimator::default();
        let request = ReadRequest::new(&estimator);
        let session = Session::open(None, made_up(), &request, &OpenOptions::default()).unwrap();
        assert!(session.is_abridged());
        let policy = PolicySpec::masking().build().unwrap();
        let budget = CompactionBudget::new(session.transcript().token_estimate() / 3);
        let plan = policy.decide(session.transcript(), &budget).unwrap();
        let applied = CompactionExecutor::new().apply(session.transcript(), &plan, &Summaries::none());
        assert!(applied.unwrap().account.fates.masked > 1_000);
        let mut out = tempfile::tempfile().unwrap();
        session.render(&plan_fates(&plan, 0), &[]).unwrap().write_to(&mut out).unwrap();
        let written = out.metadata().unwrap().len();
        assert!(written < u64::try_from(session.file_bytes()).unwrap(), "something was taken out");

        let (peak, aim) = (peak().unwrap(), FIXED + 2 * session.context_bytes());
        assert!(aim < session.file_bytes() + session.context_bytes(), "the aim is below holding all");
        assert!(before < FIXED / 2, "{before} bytes before anything was read");
        assert!(peak <= aim, "{peak} bytes, more than {aim}");
    }
}
