//! What the runnable checks share: the workload and the cases that figures of speed are taken on.

extern crate alloc;

pub mod cases;
pub mod session_file;
pub mod sessions;
pub mod workload;
