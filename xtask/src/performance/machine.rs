//! What the figures were taken on.

use std::fs;
use std::process::Command;

use super::said;

/// One line: processor, how many of them, system, compiler, and what else the machine was busy with.
pub(crate) fn described() -> String {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler =
        said(Command::new("rustc").arg("--version")).unwrap_or_else(|_| "an unknown rustc".to_owned());
    format!("Taken on {} ({threads} threads, {}), {compiler}{}.\n", processor(), std::env::consts::OS, load())
}

/// The load before the first measurement: tables of a busy machine should say so.
fn load() -> String {
    let figures = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = figures.split_whitespace().next();
    load.map_or_else(String::new, |load| format!(", load {load} at the start"))
}

fn processor() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let models = about.lines().filter_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = models.map(|(_, model)| model.trim().to_owned()).next();
    model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
