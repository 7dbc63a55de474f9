//! Damaged files: no panic, and what is read keeps the laws.

use cutctx_formats::{Session, format_named};
use cutctx_types::CharRatioEstimator;

use crate::examples::{EXAMPLES, conversations};
use crate::laws::{Dice, check_get_put};

/// Values that stand where another one is expected.
const ODD: [&str; 8] = ["null", "0", "-1.5e9", "true", r#""""#, "[]", "{}", "[[]]"];

#[test]
fn examples_with_odd_values_do_no_harm() {
    for (format, name, text) in EXAMPLES {
        let value: serde_json::Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(_) => serde_json::from_str(text.lines().next().unwrap()).unwrap(),
        };
        for seed in 0..300 {
            let mut dice = Dice::new(seed);
            let mut damaged = value.clone();
            damage(&mut damaged, &mut dice, 0);
            let damaged = damaged.to_string();
            let estimator = CharRatioEstimator::default();
            drop(Session::read_as(format_named(format).unwrap(), damaged.clone(), &estimator));
            for session in conversations(damaged.as_bytes()).unwrap_or_default() {
                check_get_put(&session);
                assert!(session.transcript().turns().len() < 1000, "{name}");
            }
        }
    }
}

/// Goes down a random path and puts an odd value there.
fn damage(value: &mut serde_json::Value, dice: &mut Dice, depth: usize) {
    let stop = depth > 1 && dice.roll(5) == 0;
    let inner: Vec<&mut serde_json::Value> = match value {
        serde_json::Value::Array(elements) if !stop => elements.iter_mut().collect(),
        serde_json::Value::Object(members) if !stop => members.values_mut().collect(),
        serde_json::Value::Array(_)
        | serde_json::Value::Object(_)
        | serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => Vec::new(),
    };
    if inner.is_empty() {
        *value = serde_json::from_str(ODD[dice.roll(ODD.len())]).unwrap();
        return;
    }
    let index = dice.roll(inner.len());
    damage(inner.into_iter().nth(index).unwrap(), dice, depth + 1);
}
