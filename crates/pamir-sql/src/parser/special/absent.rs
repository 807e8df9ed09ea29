//! DROP of kinds of objects that are not built yet (`ddl/absent.rs`).
use super::{Cur, Stmt};
use crate::ddl::{Absent, AbsentKind, DropAbsent, OwnStatement};
use pamir_types::Result;
use sqlparser::tokenizer::Token;

/// After the word DROP; None: another kind.
pub(super) fn drop(c: &mut Cur) -> Result<Option<Stmt>> {
    const KINDS: &[(&str, AbsentKind)] = &[
        ("domain", AbsentKind::Domain),
        ("function", AbsentKind::Function),
        ("procedure", AbsentKind::Procedure),
        ("routine", AbsentKind::Routine),
        ("aggregate", AbsentKind::Aggregate),
        ("trigger", AbsentKind::Trigger),
        ("rule", AbsentKind::Rule),
        ("policy", AbsentKind::Policy),
    ];
    let Some((_, kind)) = KINDS.iter().find(|k| c.word(k.0)) else { return Ok(None) };
    let if_exists = c.word("if");
    if if_exists {
        c.expect("exists")?;
    }
    let mut what = Vec::new();
    loop {
        let name = c.qualified()?;
        let (mut arguments, mut on) = (None, None);
        match kind {
            AbsentKind::Domain => {}
            AbsentKind::Trigger | AbsentKind::Rule | AbsentKind::Policy => {
                c.expect("on")?;
                on = Some(c.qualified()?);
            }
            _ if c.token(&Token::LParen) => arguments = Some(list(c)?),
            _ => {}
        }
        what.push(Absent { name, arguments, on });
        if !c.token(&Token::Comma) {
            break;
        }
    }
    let _ = c.word("cascade") || c.word("restrict");
    let d = DropAbsent { kind: *kind, if_exists, what };
    c.done(Stmt::Ddl(Box::new(OwnStatement::DropAbsent(d)))).map(Some)
}
/// What stands up to the closing parenthesis.
fn list(c: &mut Cur) -> Result<String> {
    let (mut out, mut depth) = (String::new(), 0);
    loop {
        let t = c.next()?;
        match t {
            Token::RParen if depth == 0 => return Ok(out),
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        let text = t.to_string();
        if !out.is_empty() && !matches!(t, Token::Comma) {
            out.push_str(if out.ends_with(',') { "" } else { " " });
        }
        out.push_str(&text);
    }
}
