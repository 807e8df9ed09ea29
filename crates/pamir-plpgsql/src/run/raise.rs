//! RAISE, ASSERT, GET DIAGNOSTICS.
use super::*;
use crate::conditions;
use crate::parse::state_of;
use crate::tree::{Diagnostic, Level, Raise, RaiseOption, Target};
use pamir_types::error::Severity;

impl Run<'_, '_> {
    fn text(&mut self, s: &Sql) -> Result<Option<String>> {
        let (d, t) = self.eval(s, Want::Any)?;
        if d.is_null() { Ok(None) } else { self.host.text_of(&d, t).map(Some) }
    }
    pub(super) fn raise(&mut self, r: &Raise) -> Result<()> {
        if r.again {
            let Some(e) = self.errors.last().cloned() else {
                let code = SqlState::new("0Z002");
                return Err(Error::new(code, "RAISE without parameters cannot be used outside an exception handler"));
            };
            self.told = true;
            return Err(e);
        }
        let mut message = match &r.format {
            Some(f) => Some(self.formatted(f, &r.args)?),
            None => None,
        };
        let mut code = r.condition;
        let mut name = r.name.clone();
        let mut given: Vec<(RaiseOption, String)> = Vec::new();
        for (what, s) in &r.options {
            let Some(v) = self.text(s)? else { bail!(NULL_VALUE_NOT_ALLOWED, "RAISE statement option cannot be null") };
            let again = match what {
                RaiseOption::Errcode => code.is_some(),
                RaiseOption::Message => message.is_some(),
                w => given.iter().any(|g| g.0 == *w),
            };
            if again {
                bail!(SYNTAX_ERROR, "RAISE option already specified: {}", what.name());
            }
            match what {
                RaiseOption::Errcode => {
                    code = state_of(&v).or_else(|| conditions::states(&v).next());
                    if code.is_none() {
                        bail!(UNDEFINED_OBJECT, "unrecognized exception condition \"{v}\"");
                    }
                    name = Some(v);
                }
                RaiseOption::Message => message = Some(v),
                w => given.push((*w, v)),
            }
        }
        let severity = match r.level {
            Level::Debug => Severity::Debug,
            Level::Log => Severity::Log,
            Level::Info => Severity::Info,
            Level::Notice => Severity::Notice,
            Level::Warning => Severity::Warning,
            Level::Error => Severity::Error,
        };
        let code = code.unwrap_or(match r.level {
            Level::Error => SqlState::new("P0001"),
            Level::Warning => state::WARNING,
            _ => state::SUCCESSFUL_COMPLETION,
        });
        let message = message.or(name).unwrap_or_else(|| code.as_str().to_string());
        // Who listens to notices knows RAISE's by the routine.
        let mut e = Error::new(code, message).severity(severity).routine("exec_stmt_raise");
        let d = e.data_mut();
        for (what, v) in given {
            match what {
                RaiseOption::Detail => d.detail = Some(v),
                RaiseOption::Hint => d.hint = Some(v),
                RaiseOption::Column => d.column = Some(v),
                RaiseOption::Constraint => d.constraint = Some(v),
                RaiseOption::Datatype => d.datatype = Some(v),
                RaiseOption::Table => d.table = Some(v),
                RaiseOption::Schema => d.schema = Some(v),
                RaiseOption::Errcode | RaiseOption::Message => {}
            }
        }
        d.placeless = true;
        if r.level == Level::Error {
            return Err(e);
        }
        let e = self.with_context(e);
        self.host.say(e);
        Ok(())
    }
    fn formatted(&mut self, format: &str, args: &[Sql]) -> Result<String> {
        let mut out = String::new();
        let mut args = args.iter();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
            } else if chars.next_if_eq(&'%').is_some() {
                out.push('%');
            } else if let Some(s) = args.next() {
                let text = self.text(s)?;
                let text = text.as_deref().unwrap_or("<NULL>");
                pamir_types::memory::admit_growth(out.capacity(), out.len() + text.len())?;
                out.push_str(text);
            }
        }
        Ok(out)
    }
    pub(super) fn assert(&mut self, condition: &Sql, message: Option<&Sql>) -> Result<()> {
        if !self.host.asserts() || self.holds(condition)? {
            return Ok(());
        }
        let text = match message {
            Some(m) => self.text(m)?,
            None => None,
        };
        Err(Error::new(ASSERT_FAILURE, text.unwrap_or_else(|| "assertion failed".into())))
    }
    pub(super) fn diagnostics(&mut self, stacked: bool, items: &[(Target, Diagnostic)]) -> Result<()> {
        use Diagnostic as D;
        let error = self.errors.last().cloned();
        if stacked && error.is_none() {
            let code = SqlState::new("0Z002");
            return Err(Error::new(code, "GET STACKED DIAGNOSTICS cannot be used outside an exception handler"));
        }
        for (target, what) in items {
            let data = error.as_ref().map(|e| e.data());
            let of = |f: fn(&pamir_types::error::ErrorData) -> Option<&String>| {
                data.and_then(f).cloned().unwrap_or_default()
            };
            let text = match what {
                D::RowCount => {
                    self.put(target, Datum::Int8(self.row_count as i64), Type::INT8)?;
                    continue;
                }
                D::Context => self.whole_context(),
                D::Sqlstate => error.as_ref().map_or(String::new(), |e| e.code().as_str().to_string()),
                D::Message => error.as_ref().map_or(String::new(), |e| e.message().to_string()),
                D::Detail => of(|d| d.detail.as_ref()),
                D::Hint => of(|d| d.hint.as_ref()),
                D::ErrorContext => {
                    let own = of(|d| d.context.as_ref());
                    std::iter::once(own).chain(self.host.callers()).collect::<Vec<_>>().join("\n")
                }
                D::Column => of(|d| d.column.as_ref()),
                D::Constraint => of(|d| d.constraint.as_ref()),
                D::Datatype => of(|d| d.datatype.as_ref()),
                D::Table => of(|d| d.table.as_ref()),
                D::Schema => of(|d| d.schema.as_ref()),
            };
            self.put(target, Datum::text(text), Type::TEXT)?;
        }
        Ok(())
    }
}
