//! What stored values may hold.

use cutctx_messages::{
    DurableError, DurableObject, DurableValue, Message, MessageError, WireMessage, WireValue,
};

fn read(json: &str) -> Result<DurableValue, DurableError> {
    serde_json::from_str::<WireValue>(json).unwrap().try_into()
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn nesting_ends_at_64_levels_wherever_it_begins() {
    assert!(read(&nested(64)).is_ok());
    assert_eq!(read(&nested(65)), Err(DurableError::NestingTooDeep { levels: 64 }));
    // Deeper than the levels, but not than the JSON reader goes.
    assert_eq!(read(&nested(120)), Err(DurableError::NestingTooDeep { levels: 64 }));
    let objects = |levels: usize| r#"{"a":"#.repeat(levels) + "1" + &"}".repeat(levels);
    assert!(read(&objects(64)).is_ok());
    assert!(read(&objects(65)).is_err());
    let inner = read(&nested(64)).unwrap();
    assert_eq!(DurableValue::array(vec![inner]), Err(DurableError::NestingTooDeep { levels: 64 }));
}

#[test]
fn a_value_in_a_message_may_be_as_deep_as_any() {
    let call = |arguments: &str| {
        format!(r#"{{"role":"assistant","content":[{{"type":"structured_output","output":{arguments}}}]}}"#)
    };
    let read = |json: &str| Message::try_from(serde_json::from_str::<WireMessage>(json).unwrap());
    assert!(read(&call(&nested(64))).is_ok());
    let deep = DurableError::NestingTooDeep { levels: 64 };
    let error = read(&call(&nested(65))).unwrap_err();
    assert!(matches!(error, MessageError::Field { field: "output", fault, .. } if fault == deep.into()));
    assert_eq!(read(&call(&nested(66))).unwrap_err(), MessageError::Json(deep));
}

#[test]
fn values_are_counted() {
    let zeros = |count: usize| vec![DurableValue::from(0); count];
    assert!(DurableValue::array(zeros(249_999)).is_ok());
    assert_eq!(DurableValue::array(zeros(250_000)), Err(DurableError::TooManyJsonNodes { limit: 250_000 }));
}

#[test]
fn bytes_are_counted_with_escapes() {
    let limit = 16 << 20;
    assert!(DurableValue::text("x".repeat(limit - 2)).is_ok());
    let escaped = "\n".repeat(limit / 2);
    assert_eq!(DurableValue::text(escaped), Err(DurableError::JsonValueTooLarge { limit }));
    assert!(DurableValue::text("\n".repeat(limit / 2 - 1)).is_ok());
}

#[test]
fn numbers_are_whole_or_fractions() {
    assert_eq!(read("2.0"), read("2"));
    assert_eq!(read("-0.0"), read("0"));
    assert_eq!(read("1e3").unwrap().to_json(), "1000");
    assert_eq!(read("9223372036854775807").unwrap().to_json(), "9223372036854775807");
    for large in ["9223372036854775808", "1e19", "-1e300", "123456789012345678901234567890"] {
        assert_eq!(read(large), Err(DurableError::IntegerOutOfRange), "{large}");
    }
    assert_eq!(DurableValue::number(f64::NEG_INFINITY), Err(DurableError::NonFiniteNumber));
}

#[test]
fn the_last_value_of_a_key_counts_in_the_place_of_the_first() {
    let object: DurableObject = serde_json::from_str(r#"{"b":1,"a":2,"b":3}"#).unwrap();
    assert_eq!(object.to_json(), r#"{"b":3,"a":2}"#);
    assert_eq!(object.get("b"), Some(&DurableValue::from(3)));
    assert_eq!(object.with("c", true.into()).unwrap().to_json(), r#"{"b":3,"a":2,"c":true}"#);
    assert_eq!(object.with("b", DurableValue::NULL).unwrap().to_json(), r#"{"b":null,"a":2}"#);
    assert_eq!(DurableObject::new(vec![("\0".into(), DurableValue::NULL)]), Err(DurableError::NulCharacter));
}

#[test]
fn the_order_of_members_is_kept_and_says_nothing() {
    assert_eq!(read(r#"{"b":1,"a":[1]}"#), read(r#"{"a":[1.0],"b":1}"#));
    assert_ne!(read(r#"{"b":1,"a":[1]}"#), read(r#"{"b":1,"a":[2]}"#));
}

#[test]
fn half_a_surrogate_pair_is_no_text_for_the_json_reader() {
    assert!(serde_json::from_str::<WireValue>(r#""\ud800""#).is_err());
}
