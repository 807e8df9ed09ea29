//! XML in the standard's grammar: XMLELEMENT and its kin behind their parenthesis, XMLTABLE.
use super::expr::of;
use super::*;

impl Parser<'_> {
    /// XMLELEMENT and so on, from behind the parenthesis to the one that closes it
    pub(super) fn xml(&mut self, k: K, at: At) -> Result<Expr> {
        let xml = match k {
            K::Xmlconcat => Xml::Concat(self.exprs()?),
            K::Xmlelement => {
                self.expect_word(K::Name)?;
                let name = self.label()?;
                let (mut attributes, mut content) = (Vec::new(), Vec::new());
                if self.eat(Kind::Comma) {
                    let attributed = self.is_word(K::Xmlattributes) && self.ahead(1) == Kind::LParen;
                    if attributed {
                        self.bump();
                        attributes = self.parenthesized(Self::xml_named)?;
                    }
                    if !attributed || self.eat(Kind::Comma) {
                        content = self.exprs()?;
                    }
                }
                Xml::Element { name, attributes, content }
            }
            K::Xmlexists => {
                let path = self.operand()?;
                let document = self.xml_passing()?;
                return Ok(self.system_call("xmlexists", vec![path, document], at));
            }
            K::Xmlforest => Xml::Forest(self.list(Self::xml_named)?),
            K::Xmlparse => {
                let document = self.expect_one_of(&[K::Document, K::Content])? == K::Document;
                let arg = self.expr()?;
                let space = self.one_of(&[K::Preserve, K::Strip]);
                if space.is_some() {
                    self.expect_word(K::Whitespace)?;
                }
                Xml::Parse { document, arg, preserve: space == Some(K::Preserve) }
            }
            K::Xmlpi => {
                self.expect_word(K::Name)?;
                let name = self.label()?;
                let arg = if self.eat(Kind::Comma) { Some(self.expr()?) } else { None };
                Xml::Pi { name, arg }
            }
            K::Xmlroot => self.xml_root()?,
            _ => {
                let document = self.expect_one_of(&[K::Document, K::Content])? == K::Document;
                let arg = self.expr()?;
                self.expect_word(K::As)?;
                Xml::Serialize { document, arg, to: self.simple_type()? }
            }
        };
        Ok(of(ExprKind::Xml(Box::new(xml)), at))
    }
    fn xml_root(&mut self) -> Result<Xml> {
        let arg = self.expr()?;
        self.expect(Kind::Comma)?;
        self.expect_word(K::Version)?;
        let version = if self.eat_words(&[K::No, K::Value]) { None } else { Some(self.expr()?) };
        let mut standalone = XmlStandalone::Omitted;
        if self.eat(Kind::Comma) {
            self.expect_word(K::Standalone)?;
            standalone = match self.expect_one_of(&[K::Yes, K::No])? {
                K::Yes => XmlStandalone::Yes,
                _ if self.eat_word(K::Value) => XmlStandalone::NoValue,
                _ => XmlStandalone::No,
            };
        }
        Ok(Xml::Root { arg, version, standalone })
    }
    fn xml_named(&mut self) -> Result<XmlNamed> {
        let at = self.at();
        let value = self.expr()?;
        let name = if self.eat_word(K::As) { Some(self.label()?) } else { None };
        Ok(XmlNamed { value, name, at })
    }
    /// PASSING and what is passed
    fn xml_passing(&mut self) -> Result<Expr> {
        self.expect_word(K::Passing)?;
        self.xml_mechanism()?;
        let document = self.operand()?;
        self.xml_mechanism()?;
        Ok(document)
    }
    fn xml_mechanism(&mut self) -> Result<()> {
        if self.eat_word(K::By) {
            self.expect_one_of(&[K::Ref, K::Value])?;
        }
        Ok(())
    }
    /// XMLTABLE with its parentheses
    pub(super) fn xml_table(&mut self) -> Result<XmlTable> {
        self.bump();
        self.expect(Kind::LParen)?;
        let mut namespaces = Vec::new();
        if self.is_word(K::Xmlnamespaces) && self.ahead(1) == Kind::LParen {
            self.bump();
            namespaces = self.parenthesized(|p| {
                if p.eat_word(K::Default) {
                    return Ok((p.restricted()?, None));
                }
                let uri = p.restricted()?;
                p.expect_word(K::As)?;
                Ok((uri, Some(p.label()?)))
            })?;
            self.expect(Kind::Comma)?;
        }
        let rows = self.operand()?;
        let document = self.xml_passing()?;
        self.expect_word(K::Columns)?;
        let columns = self.list(Self::xml_column)?;
        self.expect(Kind::RParen)?;
        Ok(XmlTable { namespaces, rows, document, columns })
    }
    fn xml_column(&mut self) -> Result<XmlColumn> {
        let at = self.at();
        let name = self.col_id()?;
        let mut c = XmlColumn { name, ty: None, path: None, default: None, not_null: false, at };
        if self.eat_words(&[K::For, K::Ordinality]) {
            return Ok(c);
        }
        c.ty = Some(self.type_name()?);
        let mut nullable = false;
        loop {
            let here = self.at();
            match self.kind() {
                Kind::Keyword(K::Null) => {
                    self.bump();
                    if nullable || c.not_null {
                        return Err(self.nullable_twice(&c.name, here));
                    }
                    nullable = true;
                }
                Kind::Keyword(K::Not) => {
                    self.bump();
                    self.expect_word(K::Null)?;
                    if nullable || c.not_null {
                        return Err(self.nullable_twice(&c.name, here));
                    }
                    c.not_null = true;
                }
                Kind::Keyword(K::Default) => {
                    self.bump();
                    if c.default.is_some() {
                        let e = err!(SYNTAX_ERROR, "only one DEFAULT value is allowed");
                        return Err(self.at_place(e, here));
                    }
                    c.default = Some(self.restricted()?);
                }
                Kind::Ident => {
                    let option = self.col_id()?;
                    let value = self.restricted()?;
                    match option.as_str() {
                        "path" if c.path.is_some() => {
                            let e = err!(SYNTAX_ERROR, "only one PATH value per column is allowed");
                            return Err(self.at_place(e, here));
                        }
                        "path" => c.path = Some(value),
                        "__pg__is_not_null" => {
                            let e = err!(SYNTAX_ERROR, "option name \"{option}\" cannot be used in XMLTABLE");
                            return Err(self.at_place(e, here));
                        }
                        _ => {
                            let e = err!(SYNTAX_ERROR, "unrecognized column option \"{option}\"");
                            return Err(self.at_place(e, here));
                        }
                    }
                }
                _ => return Ok(c),
            }
        }
    }
    fn nullable_twice(&self, column: &str, at: At) -> Error {
        let says = "conflicting or redundant NULL / NOT NULL declarations";
        self.at_place(err!(SYNTAX_ERROR, "{says} for column \"{column}\""), at)
    }
}
