//! The document type's declaration and its internal subset: of it only general entities are kept; the rest is read over.
use super::parse::{Entity, Parser};
use crate::{Result, work};

/// Reads `<!DOCTYPE ...>`.
pub(super) fn doctype(p: &mut Parser) -> Result<()> {
    p.at += 9;
    p.blanks();
    if p.name(true).is_none() {
        p.fatal("xmlParseDocTypeDecl : no DOCTYPE name !");
    }
    p.blanks();
    p.elsewhere |= external(p, true);
    p.blanks();
    if p.byte(0) == b'[' {
        p.at += 1;
        subset(p)?;
        if p.byte(0) == b']' {
            p.at += 1;
            p.blanks();
        }
        if p.byte(0) != b'>' {
            p.fatal("DOCTYPE improperly terminated");
            return Ok(());
        }
    } else if p.byte(0) != b'>' {
        p.fatal("DOCTYPE improperly terminated");
    }
    p.bump();
    Ok(())
}
/// SYSTEM or PUBLIC and what follows; whether there is one.
fn external(p: &mut Parser, both: bool) -> bool {
    if p.looks_at("SYSTEM") {
        p.at += 6;
        if p.blanks() == 0 {
            p.fatal("Space required after 'SYSTEM'");
        }
        return system(p);
    }
    if !p.looks_at("PUBLIC") {
        return false;
    }
    p.at += 6;
    if p.blanks() == 0 {
        p.fatal("Space required after 'PUBLIC'");
    }
    let public = string(p, "SystemLiteral \" or ' expected");
    if !public {
        p.fatal("PUBLIC, the Public Identifier is missing");
    }
    if both {
        if p.blanks() == 0 {
            p.fatal("Space required after the Public Identifier");
        }
        return system(p) || public;
    }
    p.blanks();
    string(p, "") || public
}
fn system(p: &mut Parser) -> bool {
    let there = string(p, "SystemLiteral \" or ' expected");
    if !there {
        p.fatal("SYSTEM or PUBLIC, the URI is missing");
    }
    there
}
fn string(p: &mut Parser, says: &str) -> bool {
    if !matches!(p.byte(0), b'"' | b'\'') {
        if !says.is_empty() {
            p.fatal(says);
        }
        return false;
    }
    if p.literal().is_none() {
        let rest = p.rest().len();
        p.at += rest;
        p.fatal("Unfinished System or Public ID \" or ' expected");
        return false;
    }
    true
}
fn subset(p: &mut Parser) -> Result<()> {
    loop {
        work::charge(16)?;
        p.blanks();
        let before = p.at;
        match (p.byte(0), p.byte(1)) {
            (b']' | 0, _) => return Ok(()),
            (b'<', b'?') => p.instruction()?,
            (b'<', b'!') if p.looks_at("<!--") => p.comment()?,
            (b'<', b'!') if p.looks_at("<!ENTITY") => entity(p)?,
            (b'<', b'!') if ["<!ELEMENT", "<!ATTLIST", "<!NOTATION"].iter().any(|d| p.looks_at(d)) => over(p),
            (b'%', _) => {
                p.at += 1;
                if p.name(true).is_none() {
                    p.fatal("PEReference: no name");
                } else if p.byte(0) != b';' {
                    p.fatal("PEReference: expecting ';'");
                } else {
                    p.at += 1;
                    p.elsewhere = true;
                }
            }
            _ => {}
        }
        if p.at == before {
            p.fatal("internal error: xmlParseInternalSubset: error detected in Markup declaration");
            return Ok(());
        }
    }
}
/// Past a declaration, whose strings may have any character.
fn over(p: &mut Parser) {
    let mut quote = None;
    while let Some(c) = p.char() {
        p.bump();
        match quote {
            None if c == '>' => return,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(q) if q == c => quote = None,
            _ => {}
        }
    }
    p.fatal("internal error: a declaration is not finished");
}
fn entity(p: &mut Parser) -> Result<()> {
    p.at += 8;
    if p.blanks() == 0 {
        p.fatal("Space required after '<!ENTITY'");
    }
    let parameter = p.byte(0) == b'%';
    if parameter {
        p.at += 1;
        if p.blanks() == 0 {
            p.fatal("Space required after '%'");
        }
    }
    let Some(name) = p.name(true) else {
        p.fatal("xmlParseEntityDecl: no name");
        return Ok(());
    };
    if p.blanks() == 0 {
        p.fatal("Space required after the entity name");
    }
    let mut e = Entity { value: None, unparsed: false, read: false };
    if matches!(p.byte(0), b'"' | b'\'') {
        e.value = value(p)?.map(Into::into);
    } else if external(p, true) {
        if p.blanks() > 0 && p.looks_at("NDATA") {
            p.at += 5;
            if p.blanks() == 0 {
                p.fatal("Space required after 'NDATA'");
            }
            p.name(true);
            e.unparsed = true;
        }
    } else {
        p.fatal("EntityValue: \" or ' expected");
    }
    p.blanks();
    if p.byte(0) != b'>' {
        p.fatal(&format!("xmlParseEntityDecl: entity {name} not terminated"));
        return Ok(());
    }
    p.at += 1;
    // The first declaration of a name counts.
    if !parameter {
        p.entities.entry(name).or_insert(e);
    }
    Ok(())
}
/// An entity's text: references of characters are put in where it is declared.
fn value(p: &mut Parser) -> Result<Option<String>> {
    let quote = p.char();
    p.at += 1;
    let mut out = String::new();
    while let Some(c) = p.char() {
        work::charge(1)?;
        if Some(c) == quote {
            p.at += 1;
            return Ok(Some(out));
        }
        if c == '&' && p.byte(1) == b'#' {
            out.extend(p.char_reference());
            continue;
        }
        out.push(c);
        p.bump();
    }
    p.fatal("EntityValue: \" or ' expected");
    Ok(None)
}
