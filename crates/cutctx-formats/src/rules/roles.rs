//! Who speaks first, and who after whom.

use cutctx_types::Role;

use super::findings::Findings;
use super::joined::Side;
use super::names::{FIRST_NOT_USER, ROLES_NOT_ALTERNATING, SYSTEM_NOT_FIRST};
use super::sent::Message;

/// The first message is the user's.
pub(super) fn user_first(messages: &[Message], found: &mut Findings) {
    if let Some(first) = messages.first().filter(|first| Side::of(first.role) != Side::User) {
        found.broken(FIRST_NOT_USER, first);
    }
}

/// The first message after the system's is the user's.
pub(super) fn user_first_after_system(messages: &[Message], found: &mut Findings) {
    let first = messages.iter().find(|message| message.role != Role::System);
    if let Some(first) = first.filter(|first| first.is_models()) {
        found.broken(FIRST_NOT_USER, first);
    }
}

/// Both sides take turns.
pub(super) fn sides_alternate(messages: &[Message], found: &mut Findings) {
    for pair in messages.windows(2) {
        if let [one, next] = pair
            && Side::of(one.role) == Side::of(next.role)
        {
            found.broken(ROLES_NOT_ALTERNATING, next);
        }
    }
}

/// User and model take turns, and results are followed by the model. What the system says is passed over.
pub(super) fn roles_alternate(messages: &[Message], found: &mut Findings) {
    let mut before = None;
    for message in messages.iter().filter(|message| message.role != Role::System) {
        let again = match message.role {
            Role::User => matches!(before, Some(Role::User | Role::Tool)),
            Role::Assistant => before == Some(Role::Assistant),
            Role::System | Role::Tool => false,
        };
        if again {
            found.broken(ROLES_NOT_ALTERNATING, message);
        }
        before = Some(message.role);
    }
}

/// The system speaks before everybody else.
pub(super) fn system_first(messages: &[Message], found: &mut Findings) {
    let others = messages.iter().skip_while(|message| message.role == Role::System);
    for message in others.filter(|message| message.role == Role::System) {
        found.broken(SYSTEM_NOT_FIRST, message);
    }
}
