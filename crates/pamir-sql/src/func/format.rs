//! (to be filled)
use super::registry::FuncList;
pub static FUNCS: FuncList = &[];
/// The zone's abbreviation at an instant.
pub fn zone_abbreviation(v: i64, tz: &jiff::tz::TimeZone) -> String {
    let secs = v.div_euclid(1_000_000) + i64::from(pamir_types::datetime::UNIX_EPOCH_DAYS) * 86_400;
    match jiff::Timestamp::from_second(secs) {
        Ok(t) => tz.to_offset_info(t).abbreviation().to_string(),
        Err(_) => "UTC".to_string(),
    }
}
