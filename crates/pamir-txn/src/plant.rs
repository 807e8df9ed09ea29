//! Bugs that tests plant, to see that the simulation finds them. Without the feature `plant`, which tests alone have, there are none, and the questions cost nothing.
//!
//! Each stands where a real one would, as a question with its name; what it breaks is said beside the name.

/// A bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    /// Votes leave before they are on the disk.
    VoteNotSynced,
    /// Entries are acknowledged before they are on the disk.
    EntryNotSynced,
    /// A leader takes for decided what it alone has.
    DecidedAlone,
    /// Entries that are void are not marked so in the log.
    CutSkipped,
    /// A leader answers without a lease.
    StaleLease,
    /// A lease is kept while the leadership is handed over.
    LeaseThroughTransfer,
    /// A follower votes though it has promised not to.
    VoteInPromise,
    /// A restart forgets promises.
    PromiseForgotten,
    /// A batch counts as committed whoever's entry stands at its place.
    FateOfAnother,
    /// Recovery replays entries that nobody has decided.
    UndecidedReplayed,
    /// A leader serves before an entry of its own term is applied.
    LeadsTooEarly,
    /// Term and vote are lost with the part of the log that holds them.
    VoteForgotten,
    /// A checkpoint's pages are taken whatever the replica has already.
    OldSnapshotTaken,
    /// Where followers may lack more of the log than is kept, all of it goes that the checkpoint holds.
    LogGivenUpWhole,
    /// A checkpoint is offered to followers though the log behind it is gone.
    OldCargoKept,
    /// Entries leave memory before they can be read on the disk.
    UnwrittenLetGo,
    /// Values of sequences that a leadership had ahead are given out by a later one.
    SequenceKept,
    /// Transactions of leaderships that are over keep their locks.
    LocksKept,
    /// What a transaction of an earlier leadership wrote gets a place in the log of this one.
    ReignOutlived,
    /// A follower builds no locks for transactions that are prepared.
    PreparedUnlocked,
    /// A new leader's clock does not go on behind the timestamp of a large commit that is under way.
    LargeClockForgotten,
    /// Followers do not hear of changes of the catalog.
    CatalogNotFollowed,
    /// A leader says that timestamps are closed which a queued commit may still get.
    ClosedAboveQueued,
    /// A leader says what is closed without a lease.
    ClosedWithoutLease,
    /// A replica's data counts as fresh as of when an answer came, not as of when it was asked for.
    AgeFromReceipt,
    /// ... before the entries that it speaks of are applied.
    AppliedNotAwaited,
    /// A read at a replica does not look for the session's own commit.
    OwnCommitIgnored,
    /// The cluster's format rises when a majority of the members knows it.
    FormatByMajority,
    /// ... when all those know it that are connected.
    FormatWithoutSilent,
    /// ... when as many know it as there are members, those that were removed among them.
    FormatByRemoved,
    /// Nodes write the newest format that they know.
    FormatOfBuild,
    /// A node of a build that does not have the cluster's format may connect.
    FormatNotAsked,
    /// The leadership is handed over while transactions are open. (Not the simulation's to find: `pamir-sql/tests/failover.rs`.)
    TransferDoesNotWait,
    /// A leader that is slow gives the leadership away however soon after the last time.
    SlowMoveWithoutPause,
    /// ... at once, not after it has been slow for a while.
    SlownessNotHeld,
    /// ... to whoever is caught up, how slow that one may be.
    SlowTargetChosen,
    /// Entries to a follower that does not answer go on without end.
    FollowerWithoutWindow,
    /// A statement goes on with a plan for definitions that changed before its table was locked.
    OldPlanServed,
    /// A sync that failed counts as done.
    FailedSyncIgnored,
    /// Log is kept for a follower however far behind it is.
    KeptForTheSlowest,
    /// What follows a snapshot does not stay for whoever takes it.
    SnapshotWithoutLog,
}
impl Bug {
    pub const ALL: [Bug; 28] = [
        Bug::VoteNotSynced,
        Bug::EntryNotSynced,
        Bug::DecidedAlone,
        Bug::CutSkipped,
        Bug::StaleLease,
        Bug::LeaseThroughTransfer,
        Bug::VoteInPromise,
        Bug::PromiseForgotten,
        Bug::FateOfAnother,
        Bug::UndecidedReplayed,
        Bug::LeadsTooEarly,
        Bug::VoteForgotten,
        Bug::OldSnapshotTaken,
        Bug::UnwrittenLetGo,
        Bug::LogGivenUpWhole,
        Bug::OldCargoKept,
        Bug::SequenceKept,
        Bug::LocksKept,
        Bug::ReignOutlived,
        Bug::PreparedUnlocked,
        Bug::LargeClockForgotten,
        Bug::CatalogNotFollowed,
        Bug::OldPlanServed,
        Bug::ClosedAboveQueued,
        Bug::ClosedWithoutLease,
        Bug::AgeFromReceipt,
        Bug::AppliedNotAwaited,
        Bug::OwnCommitIgnored,
    ];
    /// Those that take sessions to be seen: sequences, locks, prepared transactions, definitions.
    pub const OF_SESSIONS: [Bug; 7] = [
        Bug::SequenceKept,
        Bug::LocksKept,
        Bug::ReignOutlived,
        Bug::PreparedUnlocked,
        Bug::LargeClockForgotten,
        Bug::CatalogNotFollowed,
        Bug::OldPlanServed,
    ];
    /// Those of builds that differ.
    pub const OF_FORMATS: [Bug; 5] = [
        Bug::FormatByMajority,
        Bug::FormatWithoutSilent,
        Bug::FormatByRemoved,
        Bug::FormatOfBuild,
        Bug::FormatNotAsked,
    ];
    /// Those of nodes that are slow.
    pub const OF_SLOWNESS: [Bug; 7] = [
        Bug::SlowMoveWithoutPause,
        Bug::SlownessNotHeld,
        Bug::SlowTargetChosen,
        Bug::FollowerWithoutWindow,
        Bug::FailedSyncIgnored,
        Bug::KeptForTheSlowest,
        Bug::SnapshotWithoutLog,
    ];
    /// Those of reads at followers.
    pub const OF_READS: [Bug; 5] = [
        Bug::ClosedAboveQueued,
        Bug::ClosedWithoutLease,
        Bug::AgeFromReceipt,
        Bug::AppliedNotAwaited,
        Bug::OwnCommitIgnored,
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
pub fn has(bug: Bug) -> bool {
    PLANTED.get() == Some(bug)
}
#[cfg(not(feature = "plant"))]
pub const fn has(_: Bug) -> bool {
    false
}
