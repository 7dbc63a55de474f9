//! Proof that the core crates run without std: a static library with a panic handler of its own.
//!
//! Two crates of one program cannot both define the panic handler. std has one, so as soon as a crate below pulls std
//! in, this library no longer builds (`duplicate lang item panic_impl`). To see it fail, add `extern crate std;` here.
//!
//! The allocator never gives anything: nothing here is run, it only has to link.

#![no_std]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;
use core::ptr;

use cutctx_exec as _;
use cutctx_invariants as _;
use cutctx_messages as _;
use cutctx_policies as _;
use cutctx_types as _;

/// Has no memory.
struct Nothing;

// SAFETY: a null pointer is the documented answer of an allocator that has no memory; nothing is ever freed.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Nothing = Nothing;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
