//! Text search objects: configurations and dictionaries that users make, beside the server's own and those of extensions.
//!
//! ```text
//!   [21][OID, 4 bytes]  ->  [1][Config, postcard]           [NAME][21][schema, 4 bytes][name] -> OID
//!   [22][OID, 4 bytes]  ->  [1][Dictionary, postcard]       [NAME][22][schema, 4 bytes][name] -> OID
//!
//!   configuration --(kind of token)--> dictionaries, asked one after the other --template, options--> what they do
//! ```
//! Three sources, one name space, looked at by [`Catalog::ts_find`] and [`Catalog::ts_place`]: the server's own (`pamir_types::tsconfig`, in pg_catalog), those of
//! extensions (unaccent's, with fixed OIDs in the extension's schema), and users' objects, which are rows of the catalog.
//!
//! Invariants: kinds of a map ascend and have dictionaries; a dictionary of a map stays while the configuration is there; stored expressions name users'
//! objects by OID (`'16390'::regconfig`), so that new names change nothing.
//!
//! Limits: there is one parser, the default one, and no template but the server's own and unaccent's; the server's own objects do not change.
use super::*;
use pamir_types::tsconfig::{LANGUAGES, SIMPLE_CONFIG, SIMPLE_DICTIONARY};
use pamir_types::{err, oid};

/// The default parser.
pub const PARSER: Oid = 3722;
pub const PARSER_NAME: &str = "default";
pub const SIMPLE: Oid = 3727;
pub const SYNONYM: Oid = 3730;
pub const ISPELL: Oid = 3733;
pub const THESAURUS: Oid = 3742;
pub const SNOWBALL: Oid = 13150;
/// The extension unaccent's template and dictionary.
pub const UNACCENT: Oid = 805_310_631;
pub const UNACCENT_DICTIONARY: Oid = 805_310_632;
const UNACCENT_NAME: &str = "unaccent";
/// The server's own templates.
pub const TEMPLATES: [(Oid, &str); 5] =
    [(SIMPLE, "simple"), (SYNONYM, "synonym"), (ISPELL, "ispell"), (THESAURUS, "thesaurus"), (SNOWBALL, "snowball")];

/// What a name of text search is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Config,
    Dictionary,
    Parser,
    Template,
}
impl What {
    /// As messages call it: `text search configuration`.
    pub fn words(self) -> &'static str {
        match self {
            What::Config => "text search configuration",
            What::Dictionary => "text search dictionary",
            What::Parser => "text search parser",
            What::Template => "text search template",
        }
    }
    /// The name of its catalog.
    pub fn table(self) -> &'static str {
        match self {
            What::Config => "pg_ts_config",
            What::Dictionary => "pg_ts_dict",
            What::Parser => "pg_ts_parser",
            What::Template => "pg_ts_template",
        }
    }
    /// The OID of that.
    pub fn catalog(self) -> Oid {
        match self {
            What::Config => 3602,
            What::Dictionary => 3600,
            What::Parser => 3601,
            What::Template => 3764,
        }
    }
    /// What values of a type name; None: of no such thing.
    #[inline]
    pub fn of_type(ty: Oid) -> Option<What> {
        match ty {
            oid::REGCONFIG => Some(What::Config),
            oid::REGDICTIONARY => Some(What::Dictionary),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    /// By kind of token, ascending: its dictionaries in their order.
    pub map: Vec<(u8, Vec<Oid>)>,
}
impl Config {
    pub fn dictionaries(&self, kind: u8) -> &[Oid] {
        self.map.binary_search_by_key(&kind, |m| m.0).map_or(&[], |i| &self.map[i].1)
    }
}
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dictionary {
    pub oid: Oid,
    pub database: Oid,
    pub schema: Oid,
    pub name: String,
    pub owner: Oid,
    pub template: Oid,
    pub options: Vec<Setting>,
}
/// One of a dictionary's options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    pub name: String,
    pub value: String,
    /// It was written as a number, and is shown without quotes.
    pub number: bool,
}
/// pg_ts_dict.dictinitoption; None: there are none.
pub fn shown_settings(options: &[Setting]) -> Option<String> {
    let one = |s: &Setting| {
        let name = defs::quote_ident(&s.name);
        if s.number {
            return format!("{name} = {}", s.value);
        }
        let escapes = if s.value.contains('\\') { "E" } else { "" };
        format!("{name} = {escapes}'{}'", s.value.replace('\\', "\\\\").replace('\'', "''"))
    };
    let all: Vec<String> = options.iter().map(one).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
/// One that initdb makes: its OID by name.
fn own_named(what: What, name: &str) -> Option<Oid> {
    match what {
        What::Config if name == "simple" => Some(SIMPLE_CONFIG),
        What::Config => LANGUAGES.iter().find(|l| l.1 == name).map(|l| l.0),
        What::Dictionary if name == "simple" => Some(SIMPLE_DICTIONARY),
        What::Dictionary => LANGUAGES.iter().find(|l| name.strip_suffix("_stem") == Some(l.1)).map(|l| l.2),
        What::Parser => (name == PARSER_NAME).then_some(PARSER),
        What::Template => TEMPLATES.iter().find(|t| t.1 == name).map(|t| t.0),
    }
}
fn own_name(what: What, oid: Oid) -> Option<String> {
    match what {
        What::Config => pamir_types::tsconfig::name(oid::REGCONFIG, oid),
        What::Dictionary => pamir_types::tsconfig::name(oid::REGDICTIONARY, oid),
        What::Parser => (oid == PARSER).then(|| PARSER_NAME.to_string()),
        What::Template => TEMPLATES.iter().find(|t| t.0 == oid).map(|t| t.1.to_string()),
    }
}
/// What initdb says of the server's own objects.
pub fn own_descriptions() -> Vec<(What, Oid, String)> {
    const SIMPLE_WORDS: &str = "simple dictionary: just lower case and check for stopword";
    let mut out = vec![
        (What::Parser, PARSER, "default word parser".to_string()),
        (What::Template, SIMPLE, SIMPLE_WORDS.into()),
        (What::Template, SYNONYM, "synonym dictionary: replace word by its synonym".into()),
        (What::Template, ISPELL, "ispell dictionary".into()),
        (What::Template, THESAURUS, "thesaurus dictionary: phrase by phrase substitution".into()),
        (What::Template, SNOWBALL, "snowball stemmer".into()),
        (What::Config, SIMPLE_CONFIG, "simple configuration".into()),
        (What::Dictionary, SIMPLE_DICTIONARY, SIMPLE_WORDS.into()),
    ];
    for (config, language, dictionary) in LANGUAGES {
        out.push((What::Config, config, format!("configuration for {language} language")));
        out.push((What::Dictionary, dictionary, format!("snowball stemmer for {language} language")));
    }
    out
}
/// unaccent's, if it is one of its kinds.
fn of_unaccent(what: What) -> Option<Oid> {
    match what {
        What::Dictionary => Some(UNACCENT_DICTIONARY),
        What::Template => Some(UNACCENT),
        _ => None,
    }
}
/// The objects of users that a stored expression names (`'16390'::regconfig`, `'16391'::regdictionary`).
pub fn named_in(text: &str) -> Vec<(What, Oid)> {
    let mut out = Vec::new();
    for (suffix, what) in [("'::regconfig", What::Config), ("'::regdictionary", What::Dictionary)] {
        for (at, _) in text.match_indices(suffix) {
            let before = &text[..at];
            if let Some(from) = before.rfind('\'')
                && let Ok(oid) = before[from + 1..].parse::<Oid>()
                && oid >= oid::FIRST_USER
                && !out.contains(&(what, oid))
            {
                out.push((what, oid));
            }
        }
    }
    out
}
/// A stored text with these objects' names in it, as `scope` must write them.
pub fn shown(catalog: &Catalog, scope: &NameScope, text: String) -> String {
    if !text.contains("'::reg") {
        return text;
    }
    let named =
        |what: What| move |oid: &str| Some(catalog.ts_name(scope, what, oid.parse().ok()?)?.replace('\'', "''"));
    let text = defs::map_literals(&text, "'::regconfig", named(What::Config));
    defs::map_literals(&text, "'::regdictionary", named(What::Dictionary))
}

impl Catalog {
    pub fn ts_config(&self, oid: Oid) -> Option<&Arc<Config>> {
        self.inner.ts_configs.get(&oid)
    }
    /// Those of a database, by OID.
    pub fn ts_configs(&self, db: Oid) -> Vec<&Arc<Config>> {
        sorted(self.inner.ts_configs.values().filter(|c| c.database == db).collect(), |c| c.oid)
    }
    pub fn ts_dictionary(&self, oid: Oid) -> Option<&Arc<Dictionary>> {
        self.inner.ts_dictionaries.get(&oid)
    }
    /// Those of a database, by OID.
    pub fn ts_dictionaries(&self, db: Oid) -> Vec<&Arc<Dictionary>> {
        sorted(self.inner.ts_dictionaries.values().filter(|d| d.database == db).collect(), |d| d.oid)
    }
    /// Has the database the extension's?
    fn unaccent_schema(&self, db: Oid) -> Option<Oid> {
        self.has_extensions().then(|| self.extension_named(db, UNACCENT_NAME))?.map(|e| e.schema)
    }
    /// An object's schema and name; None: there is none of the OID in the database.
    pub fn ts_place(&self, db: Oid, what: What, oid: Oid) -> Option<(Oid, String)> {
        if let Some(name) = own_name(what, oid) {
            return Some((well_known::PG_CATALOG, name));
        }
        if of_unaccent(what) == Some(oid) {
            return self.unaccent_schema(db).map(|s| (s, UNACCENT_NAME.to_string()));
        }
        match what {
            What::Config => self.ts_config(oid).map(|c| (c.schema, c.name.clone())),
            What::Dictionary => self.ts_dictionary(oid).map(|d| (d.schema, d.name.clone())),
            _ => None,
        }
    }
    fn ts_in(&self, db: Oid, what: What, schema: Oid, name: &str) -> Option<Oid> {
        if schema == well_known::PG_CATALOG {
            return own_named(what, name);
        }
        if name == UNACCENT_NAME && self.unaccent_schema(db) == Some(schema) && of_unaccent(what).is_some() {
            return of_unaccent(what);
        }
        match what {
            What::Config => {
                self.inner.ts_configs.values().find(|c| c.schema == schema && c.name == name).map(|c| c.oid)
            }
            What::Dictionary => {
                self.inner.ts_dictionaries.values().find(|d| d.schema == schema && d.name == name).map(|d| d.oid)
            }
            _ => None,
        }
    }
    /// An object by name, along the search path where no schema is written. 3F000 for a schema that is not there, 42501 for one that the user may not use.
    pub fn ts_find(&self, scope: &NameScope, what: What, schema: Option<&str>, name: &str) -> Result<Option<Oid>> {
        let db = scope.database;
        if let Some(schema) = schema {
            let Some(s) = self.schema_by_name(db, schema) else {
                bail!(INVALID_SCHEMA_NAME, "schema \"{schema}\" does not exist")
            };
            if !self.may_use_schema(scope, s.oid) {
                bail!(INSUFFICIENT_PRIVILEGE, "permission denied for schema {schema}");
            }
            return Ok(self.ts_in(db, what, s.oid, name));
        }
        if !scope.search_path.iter().any(|s| s == PG_CATALOG_NAME)
            && let Some(oid) = own_named(what, name)
        {
            return Ok(Some(oid));
        }
        Ok(scope.search_path.iter().find_map(|s| {
            let s = self.schema_by_name(db, s)?;
            let found = self.ts_in(db, what, s.oid, name)?;
            self.may_use_schema(scope, s.oid).then_some(found)
        }))
    }
    /// The same of a name's parts; 42704 where there is none.
    pub fn ts_named(&self, scope: &NameScope, what: What, parts: &[String]) -> Result<Oid> {
        let (schema, name) = match parts {
            [name] => (None, name),
            [schema, name] => (Some(schema.as_str()), name),
            [db, schema, name] if self.database(scope.database).is_some_and(|d| d.name == *db) => {
                (Some(schema.as_str()), name)
            }
            [_, _, _] => {
                bail!(FEATURE_NOT_SUPPORTED, "cross-database references are not implemented: {}", parts.join("."))
            }
            _ => bail!(SYNTAX_ERROR, "improper qualified name (too many dotted names): {}", parts.join(".")),
        };
        self.ts_find(scope, what, schema, name)?
            .ok_or_else(|| err!(UNDEFINED_OBJECT, "{} \"{}\" does not exist", what.words(), parts.join(".")))
    }
    /// Does the bare name mean it? None: there is no such object.
    pub fn ts_is_visible(&self, scope: &NameScope, what: What, oid: Oid) -> Option<bool> {
        let (_, name) = self.ts_place(scope.database, what, oid)?;
        Some(self.ts_find(scope, what, None, &name).ok()? == Some(oid))
    }
    /// Its name as `scope` must write it, with its schema where the name alone would not do.
    pub fn ts_name(&self, scope: &NameScope, what: What, oid: Oid) -> Option<String> {
        let (schema, name) = self.ts_place(scope.database, what, oid)?;
        Some(match self.ts_is_visible(scope, what, oid)? {
            true => defs::quote_ident(&name).into_owned(),
            false => defs::qualified(&self.schema(schema)?.name, &name),
        })
    }
    /// Its name with its schema.
    pub fn ts_full_name(&self, db: Oid, what: What, oid: Oid) -> Option<String> {
        let (schema, name) = self.ts_place(db, what, oid)?;
        Some(defs::qualified(&self.schema(schema)?.name, &name))
    }
}
