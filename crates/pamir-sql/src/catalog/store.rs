//! The maps behind a catalog snapshot (skeleton).
#[derive(Clone, Default)]
pub struct Inner {}
