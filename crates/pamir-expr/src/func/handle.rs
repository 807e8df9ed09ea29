//! Who holds a function, operator or aggregate: the registry for ever, or everybody who has a handle.
//!
//! A handle of the server's own is a reference, so copying one counts nothing that processors would share; a user's is counted, and is gone when the
//! catalog and the last plan have let go of it.
use std::fmt::{Debug, Formatter};
use std::ops::Deref;
use std::sync::Arc;

/// Reading through one is a test of which it is and the reference behind: loops that call take what they need of it first.
pub enum Handle<T: 'static> {
    Own(&'static T),
    Users(Arc<T>),
}
impl<T> Handle<T> {
    /// Are both handles of one thing?
    #[inline]
    pub fn is(&self, other: &T) -> bool {
        std::ptr::eq(&**self, other)
    }
}
impl<T> Deref for Handle<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        match self {
            Handle::Own(t) => t,
            Handle::Users(t) => t,
        }
    }
}
impl<T> Clone for Handle<T> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Handle::Own(t) => Handle::Own(t),
            Handle::Users(t) => Handle::Users(t.clone()),
        }
    }
}
impl<T> From<&'static T> for Handle<T> {
    fn from(t: &'static T) -> Self {
        Handle::Own(t)
    }
}
impl<T> From<Arc<T>> for Handle<T> {
    fn from(t: Arc<T>) -> Self {
        Handle::Users(t)
    }
}
impl<T: Debug> Debug for Handle<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
