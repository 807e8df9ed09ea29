//! Lock modes (skeleton: the public shape that pamir-sql builds on).

/// Row lock strengths and conflicts as PostgreSQL's (SELECT ... FOR, "Row-Level Locks").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum RowLock { KeyShare = 0, Share = 1, NoKeyUpdate = 2, Update = 3 }

/// Table lock modes and conflicts as PostgreSQL's ("Table-Level Locks").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum TableLock { AccessShare = 1, RowShare, RowExclusive, ShareUpdateExclusive, Share, ShareRowExclusive, Exclusive, AccessExclusive }

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitPolicy { Block, /// 55P03 at once
    NoWait, /// skip what is locked
    Skip }
