//! Bugs that tests plant, to see that they find them. Without the feature `plant`, which tests alone have, there are none, and the questions cost nothing.
//!
//! Each stands where a real one would, as a question with its name; what it breaks is said beside the name.

/// A bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    /// The log that is not archived yet may go.
    NothingHeld,
    /// The mark says that a piece is stored before it is.
    MarkAhead,
    /// A piece is written over whatever is there.
    PieceOverwritten,
    /// What another has stored is taken for one's own, unseen.
    PieceNotCompared,
    /// A node that follows gives up what the archive lacks.
    FollowerHoldsNothing,
    /// A node that does not lead archives nothing, whatever the leader lacks.
    NobodyStandsIn,
    /// The manifest is written before the pages.
    ManifestFirst,
    /// The log that makes the pages consistent is left out, and the reach with it.
    ReachForgotten,
    /// A restore ends a stamp too late,
    TimePassed,
    /// or too early.
    TimeNotReached,
    /// A gap of the archive is stepped over.
    GapPassed,
    /// A server may open what is being restored.
    NoRestoreMark,
    /// Checksums of objects are not looked at.
    ChecksumIgnored,
    /// A piece of another system is taken.
    SystemIgnored,
    /// The log goes with backups that stay.
    PrunedTooMuch,
}
impl Bug {
    pub const ALL: [Bug; 15] = [
        Bug::NothingHeld,
        Bug::MarkAhead,
        Bug::PieceOverwritten,
        Bug::PieceNotCompared,
        Bug::FollowerHoldsNothing,
        Bug::NobodyStandsIn,
        Bug::ManifestFirst,
        Bug::ReachForgotten,
        Bug::TimePassed,
        Bug::TimeNotReached,
        Bug::GapPassed,
        Bug::NoRestoreMark,
        Bug::ChecksumIgnored,
        Bug::SystemIgnored,
        Bug::PrunedTooMuch,
    ];
}

#[cfg(feature = "plant")]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Bug>> = const { std::cell::Cell::new(None) };
}
/// Plants a bug for this thread, or none.
#[cfg(feature = "plant")]
pub fn plant(bug: Option<Bug>) {
    PLANTED.set(bug);
}
#[cfg(feature = "plant")]
pub(crate) fn has(bug: Bug) -> bool {
    PLANTED.get() == Some(bug)
}
#[cfg(not(feature = "plant"))]
pub(crate) const fn has(_: Bug) -> bool {
    false
}
