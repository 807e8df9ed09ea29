use super::*;
use well_known::*;

fn scope() -> NameScope {
    NameScope::public(POSTGRES_DB)
}
fn two_tables() -> Catalog {
    let t = TableBuilder::new(16384, "t")
        .column("a", Type::INT4)
        .column("B c", Type::TEXT)
        .column("order", Type::INT8)
        .primary_key(&["a"])
        .index(16390, "t_b_idx", &["B c", "order"], true)
        .check(16391, "t_a_check", "(a > 0)")
        .build();
    let mut u = TableBuilder::new(16400, "u").column("x", Type::INT4).build();
    u.foreign_keys.push(ForeignKey {
        oid: 16402,
        name: "u_x_fkey".into(),
        columns: vec![1],
        ref_table: 16384,
        ref_columns: vec![1],
        ref_index: 16385,
        on_delete: FkAction::Cascade,
        on_update: FkAction::NoAction,
        match_full: false,
        deferrable: true,
        initially_deferred: true,
        not_valid: false,
    });
    Catalog::initial().with_table(t).with_table(u)
}

#[test]
fn initial_catalog_has_its_objects() {
    let c = Catalog::initial();
    assert_eq!(c.databases().iter().map(|d| &*d.name).collect::<Vec<_>>(), ["template1", "template0", "postgres"]);
    assert_eq!(c.database_by_name("postgres").map(|d| d.oid), Some(POSTGRES_DB));
    assert_eq!(c.schema_by_name(POSTGRES_DB, "public").map(|s| s.oid), Some(PUBLIC));
    assert_eq!(c.schema_by_name(TEMPLATE1_DB, "public").map(|s| s.oid), Some(TEMPLATE1_PUBLIC));
    assert_eq!(c.schema_by_name(TEMPLATE1_DB, "pg_catalog").map(|s| s.oid), Some(PG_CATALOG));
    assert_eq!(c.schemas(POSTGRES_DB).len(), 3);
    assert!(c.role_by_name("postgres").is_some_and(|r| r.superuser && r.oid == 10));
    assert_eq!(c.creation_schema(&scope()).map(|s| s.oid), Some(PUBLIC));
}

#[test]
fn every_object_survives_its_byte_form() {
    let c = two_tables();
    let mut objects = Catalog::initial_objects();
    objects.push(c.object(Kind::Table, 16384).unwrap());
    objects.push(Object::Sequence(Arc::new(Sequence {
        oid: 16410,
        database: 5,
        schema: 2200,
        name: "s".into(),
        owner: 10,
        ty: Type::INT8,
        def: SequenceDef { start: 1, increment: -2, min: i64::MIN, max: -1, cycle: true },
        cache: 3,
        owned_by: Some((16384, 1)),
        identity: false,
        comment: None,
        storage: 16410,
    })));
    for o in objects {
        let (k, v) = (store::key(o.kind(), o.oid()), o.encode().unwrap());
        let back = Object::decode(&k, &v).unwrap();
        assert_eq!(format!("{o:?}"), format!("{back:?}"));
        // Damage is an error, never a panic.
        for cut in 0..v.len() {
            assert!(Object::decode(&k, &v[..cut]).is_err(), "a cut entry was read");
        }
        assert_eq!(Object::decode(&store::key(o.kind(), o.oid() + 1), &v).unwrap_err().code().as_str(), "XX001");
    }
    assert!(Object::decode(&[9, 0, 0, 0, 1], &[1]).is_err());
}

#[test]
fn names_resolve_and_move() {
    let c = two_tables();
    let find = |c: &Catalog, s: Option<&str>, n: &str| c.resolve(&scope(), s, n).unwrap().map(|r| r.oid());
    assert_eq!(find(&c, None, "t"), Some(16384));
    assert_eq!(find(&c, Some("public"), "t_b_idx"), Some(16390));
    assert_eq!(find(&c, Some("nowhere"), "t"), None);
    assert_eq!(c.index_table(16385).map(|t| t.oid), Some(16384));
    // A rename frees the old name; an index goes with its table.
    let mut t = (**c.table(16384).unwrap()).clone();
    t.name = "renamed".into();
    t.indexes.retain(|i| i.primary);
    let c2 = c.with_table(t);
    assert_eq!(
        (find(&c2, None, "t"), find(&c2, None, "renamed"), find(&c2, None, "t_b_idx")),
        (None, Some(16384), None)
    );
    assert_eq!(find(&c, None, "t"), Some(16384), "a snapshot never changes");
    let mut c3 = c2.clone();
    c3.remove(Kind::Table, 16384);
    assert_eq!(find(&c3, None, "renamed"), None);
    assert_eq!(c3.index_table(16385).map(|t| t.oid), None);
    // Names swapped between two tables, in either order of publication.
    let swap = |order: [Oid; 2]| {
        let mut out = c.clone();
        for oid in order {
            let mut t = (**c.table(oid).unwrap()).clone();
            t.name = if oid == 16384 { "u".into() } else { "t".into() };
            out.put(Object::Table(Arc::new(t)));
        }
        (find(&out, None, "t"), find(&out, None, "u"))
    };
    assert_eq!(swap([16384, 16400]), (Some(16400), Some(16384)));
    assert_eq!(swap([16400, 16384]), (Some(16400), Some(16384)));
}

#[test]
fn errors_name_what_is_missing() {
    let c = two_tables();
    let e = c.resolve_table(&scope(), None, "nope").unwrap_err();
    assert_eq!((e.code().as_str(), e.message()), ("42P01", "relation \"nope\" does not exist"));
    let e = c.resolve_table(&scope(), Some("x"), "nope").unwrap_err();
    assert_eq!(e.message(), "relation \"x.nope\" does not exist");
    assert_eq!(c.resolve_table(&scope(), None, "t_pkey").unwrap_err().code().as_str(), "42809");
}

#[test]
fn display_names_are_qualified_when_hidden() {
    let c = two_tables();
    assert_eq!(c.display_name(&scope(), 16384).as_deref(), Some("t"));
    let other = NameScope { database: POSTGRES_DB, search_path: vec![], user: 0 };
    assert_eq!(c.display_name(&other, 16384).as_deref(), Some("public.t"));
}

#[test]
fn definitions_as_postgres_prints_them() {
    let c = two_tables();
    let t = c.table(16384).unwrap();
    let idx = |i: &Index| defs::index_def(&c, t, i, false, &scope());
    assert_eq!(idx(&t.indexes[0]), "CREATE UNIQUE INDEX t_pkey ON public.t USING btree (a)");
    assert_eq!(idx(&t.indexes[1]), "CREATE UNIQUE INDEX t_b_idx ON public.t USING btree (\"B c\", \"order\")");
    let mut i = t.indexes[1].clone();
    i.unique = false;
    i.columns = vec![
        (IndexColumn::Attr(1), KeyOrder { desc: true, nulls_first: true }),
        (IndexColumn::Expr(SqlText("lower(\"B c\")".into()), Type::TEXT), KeyOrder { desc: true, nulls_first: false }),
        (IndexColumn::Expr(SqlText("(a + 1)".into()), Type::INT4), KeyOrder { desc: false, nulls_first: true }),
    ];
    i.include = vec![3];
    i.predicate = Some(SqlText("((a > 0) AND (a < 9))".into()));
    assert_eq!(
        idx(&i),
        "CREATE INDEX t_b_idx ON public.t USING btree (a DESC, lower(\"B c\") DESC NULLS LAST, ((a + 1)) NULLS FIRST) INCLUDE (\"order\") WHERE ((a > 0) AND (a < 9))"
    );
    let con = |oid| defs::constraint_def(&c, oid, &scope());
    assert_eq!(con(16385).as_deref(), Some("PRIMARY KEY (a)"));
    assert_eq!(con(16391).as_deref(), Some("CHECK ((a > 0))"));
    assert_eq!(defs::constraint_def_pretty(&c, 16391, &scope()).as_deref(), Some("CHECK (a > 0)"));
    assert_eq!(
        con(16402).as_deref(),
        Some("FOREIGN KEY (x) REFERENCES t(a) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED")
    );
    assert_eq!(con(16390), None, "an index without a constraint");
}

#[test]
fn automatic_names() {
    assert_eq!(choose_name("t", None, "pkey", |_| false), "t_pkey");
    assert_eq!(choose_name("t", Some("a_b"), "idx", |n| n == "t_a_b_idx"), "t_a_b_idx1");
    let long = "x".repeat(60);
    let n = choose_name(&long, Some(&long), "fkey", |_| false);
    assert_eq!(n.len(), 63);
    assert!(n.ends_with("_fkey"));
    assert_eq!(names::join_columns(["a", "b"]), "a_b");
    assert_eq!(&*defs::quote_ident("a1"), "a1");
    assert_eq!(&*defs::quote_ident("user"), "\"user\"");
    assert_eq!(&*defs::quote_ident("A\"b"), "\"A\"\"b\"");
}

/// Tables of the first format lack what definitions declare; they are read with nothing declared, and a new one keeps it.
#[test]
fn tables_of_the_first_format_open() {
    let key = |t: &Table| [&[store::Kind::Table as u8][..], &t.oid.to_be_bytes()].concat();
    let mut t = build::TableBuilder::new(20000, "t").build();
    let now = Object::Table(Arc::new(t.clone())).encode().unwrap();
    let mut first = now.get(..now.len() - declared::NOTHING.len()).unwrap().to_vec();
    *first.first_mut().unwrap() = 1;
    // The others end within it.
    let older = |format: u8| {
        let mut bytes = now.get(..now.len() - declared::missing(format).len()).unwrap().to_vec();
        *bytes.first_mut().unwrap() = format;
        bytes
    };
    assert_eq!((older(1), older(2).len(), older(3).len()), (first.clone(), now.len() - 3, now.len() - 1));
    for bytes in [&now, &first, &older(2), &older(3)] {
        let Object::Table(r) = Object::decode(&key(&t), bytes).unwrap() else { panic!("a table") };
        assert_eq!((&*r.name, &r.declared), ("t", &declared::Declared::default()));
    }
    t.declared.set_collation(1, Some(950));
    t.declared.classes.push((20001, 0, 4217));
    t.declared.options.push((20000, "fillfactor".into(), "70".into()));
    t.declared.set_columns.push((20002, vec![2]));
    t.declared.set_comment(20002, Some("a comment".into()));
    let Object::Table(r) = Object::decode(&key(&t), &Object::Table(Arc::new(t.clone())).encode().unwrap()).unwrap()
    else {
        panic!("a table")
    };
    assert_eq!(r.declared, t.declared);
}

/// A domain's collation is kept behind the type; a type without one is written as before.
#[test]
fn a_domains_collation_is_kept() {
    use crate::types::{Body, Domain, UserType};
    let domain = |collation| {
        let (not_null, default, checks, comments) = (false, None, Vec::new(), Vec::new());
        let body = Body::Domain(Domain { base: Type::TEXT, not_null, default, checks, comments, collation });
        let (oid, name, comment) = (0x4800_0002, "d".to_string(), None);
        let (database, schema, owner, cache) = (1, 2200, 10, Default::default());
        Object::Type(Arc::new(UserType { oid, database, schema, name, owner, comment, body, cache }))
    };
    let key = [&[store::Kind::Type as u8][..], &0x4800_0002u32.to_be_bytes()].concat();
    for (collation, format) in [(None, 3), (Some(951), 5)] {
        let o = domain(collation);
        let Object::Type(t) = Object::decode(&key, &o.encode().unwrap()).unwrap() else { panic!("a type") };
        assert_eq!((t.collation(), o.format()), (collation, format));
    }
    let (plain, collated) = (domain(None).encode().unwrap(), domain(Some(951)).encode().unwrap());
    assert!(plain[0] != collated[0] && collated[1..].starts_with(&plain[1..]));
}

/// What a table says of its family is kept behind all else; one that says nothing, or no longer does, is written as before.
#[test]
fn families_are_kept() {
    use crate::family::Origin;
    let key = [&[store::Kind::Table as u8][..], &20000u32.to_be_bytes()].concat();
    let plain = build::TableBuilder::new(20000, "t").build();
    let before = Object::Table(Arc::new(plain.clone())).encode().unwrap();
    let mut t = plain.clone();
    t.change_family(|f| (f.parents, f.children, f.of_type) = (vec![20001, 20002], vec![20003], Some(7)));
    t.set_column_origin(1, Origin { parents: 2, local: true });
    t.set_check_origin(20004, Origin::INHERITED);
    let bytes = Object::Table(Arc::new(t.clone())).encode().unwrap();
    let Object::Table(r) = Object::decode(&key, &bytes).unwrap() else { panic!("a table") };
    assert_eq!((bytes[0], &r.declared), (7, &t.declared));
    // Not before all nodes of a cluster read it.
    assert_eq!((Object::Table(Arc::new(plain.clone())).format(), Object::Table(r.clone()).format()), (1, 5));
    assert_eq!((r.parents(), r.children(), r.of_type()), (&[20001, 20002][..], &[20003][..], Some(7)));
    assert_eq!((r.column_origin(1).parents, r.column_origin(2)), (2, Origin::OWN));
    t.set_column_origin(1, Origin::OWN);
    t.set_check_origin(20004, Origin::OWN);
    t.change_family(|f| *f = Default::default());
    assert_eq!(Object::Table(Arc::new(t)).encode().unwrap(), before);
    assert!(Origin::INHERITED.hangs_on_one() && Origin::INHERITED.without_one().local);
}

/// Deferrable keys are kept behind all else, with or without a family; a table without one is written as before.
#[test]
fn deferrable_keys_are_kept() {
    let key = [&[store::Kind::Table as u8][..], &20000u32.to_be_bytes()].concat();
    let table = |deferrable| {
        let mut t = build::TableBuilder::new(20000, "t")
            .column("a", Type::INT4)
            .index(20001, "t_a", &["a"], false)
            .index(20002, "t_b", &["a"], false)
            .build();
        t.indexes[1].deferrable = deferrable;
        t
    };
    let d = Some(Deferrable { primary: true, initially_deferred: true });
    assert_eq!(Object::Table(Arc::new(table(None))).format(), 1);
    for family in [false, true] {
        let mut t = table(d);
        t.declared.more.unlogged = true;
        if family {
            t.change_partition(|p| {
                p.bound = Some(partition::Bound::Default);
                p.indexes.push((20002, 20009));
            });
            assert!(t.partition().is_some());
        }
        let o = Object::Table(Arc::new(t.clone()));
        let bytes = o.encode().unwrap();
        let Object::Table(r) = Object::decode(&key, &bytes).unwrap() else { panic!("a table") };
        assert_eq!((bytes[0], o.format(), &r.declared), (9, 7, &t.declared));
        assert_eq!((r.indexes[0].deferrable, r.indexes[1].deferrable), (None, d));
        let i = &r.indexes[1];
        assert!(i.is_unique() && i.is_primary() && !i.unique && !i.primary && i.initially_deferred());
        assert!(r.primary_key().is_none() && r.declared_primary_key().is_some_and(|p| p.oid == 20002));
    }
}

/// What was begun beside writers is kept behind all else, with what other formats have at their ends; a table without it is written as before.
#[test]
fn what_is_begun_online_is_kept() {
    let key = [&[store::Kind::Table as u8][..], &20000u32.to_be_bytes()].concat();
    let t = build::TableBuilder::new(20000, "t")
        .column("a", Type::INT4)
        .index(20001, "t_a", &["a"], false)
        .index(20002, "t_b", &["a"], false)
        .build();
    let before = Object::Table(Arc::new(t.clone())).encode().unwrap();
    let deferrable = Some(Deferrable { primary: false, initially_deferred: true });
    let security = policy::RowSecurity { enabled: true, forced: false };
    for (own, family, secured) in [(false, false, false), (true, false, true), (false, true, true), (true, true, false)]
    {
        let mut t = t.clone();
        t.indexes[0].deferrable = deferrable.filter(|_| own);
        if secured {
            t.security = security;
        }
        if family {
            t.change_partition(|p| p.bound = Some(partition::Bound::Default));
        }
        t.change_online(|o| {
            o.invalid.push(20002);
            o.whole_since.push((20001, 77));
            o.freeing.push(9);
        });
        let o = Object::Table(Arc::new(t.clone()));
        let bytes = o.encode().unwrap();
        let Object::Table(r) = Object::decode(&key, &bytes).unwrap() else { panic!("a table") };
        assert_eq!((bytes[0], o.format(), &r.declared), (12, 9, &t.declared));
        assert_eq!((r.security, r.indexes[0].deferrable), (t.security, t.indexes[0].deferrable));
        let [a, b] = r.indexes.as_slice() else { panic!("two indexes") };
        assert_eq!((r.is_readable(a), r.is_readable(b), r.is_invalid(b.oid)), (true, false, true));
        assert_eq!((r.whole_since(a), r.whole_since(b)), (77, 0));
    }
    // Nothing is left where nothing is going on.
    let mut t = t;
    t.change_online(|o| o.invalid.push(20002));
    t.change_online(|o| o.invalid.clear());
    assert_eq!(Object::Table(Arc::new(t)).encode().unwrap(), before);
}

/// Row level security is kept behind all else, with what other formats have at their ends; a table without it is written as before. Policies are rows of their own.
#[test]
fn row_level_security_is_kept() {
    use policy::{Command, Policy, RowSecurity};
    let key = [&[store::Kind::Table as u8][..], &20000u32.to_be_bytes()].concat();
    let t = build::TableBuilder::new(20000, "t").column("a", Type::INT4).index(20001, "t_a", &["a"], false).build();
    let before = Object::Table(Arc::new(t.clone())).encode().unwrap();
    let security = RowSecurity { enabled: true, forced: true };
    for (deferrable, family) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut t = Table { security, ..t.clone() };
        if deferrable {
            t.indexes[0].deferrable = Some(Deferrable { primary: false, initially_deferred: true });
        }
        if family {
            t.change_partition(|p| {
                p.bound = Some(partition::Bound::Default);
                p.indexes.push((20001, 20009));
            });
            assert!(t.partition().is_some());
        }
        let o = Object::Table(Arc::new(t.clone()));
        let bytes = o.encode().unwrap();
        let Object::Table(r) = Object::decode(&key, &bytes).unwrap() else { panic!("a table") };
        assert_eq!((bytes[0], o.format(), &r.declared), (10, 7, &t.declared));
        assert_eq!((r.security, r.indexes[0].deferrable), (security, t.indexes[0].deferrable));
        let off = Table { security: RowSecurity::default(), ..t };
        assert_eq!(
            Object::Table(Arc::new(off.clone())).format(),
            if deferrable {
                7
            } else if family {
                6
            } else {
                1
            }
        );
        if !deferrable && !family {
            assert_eq!(Object::Table(Arc::new(off)).encode().unwrap(), before);
        }
    }
    let p = Policy {
        oid: 20010,
        database: 5,
        name: "p".into(),
        relation: 20000,
        command: Command::Update,
        permissive: false,
        roles: vec![10, 20],
        using: Some(SqlText(" SELECT\n   FROM public.t\n  WHERE true".into())),
        check: None,
        comment: None,
        depends: vec![depend::ObjectRef::column(20000, 1)],
    };
    let o = Object::Policy(Arc::new(p.clone()));
    let key = [&[store::Kind::Policy as u8][..], &20010u32.to_be_bytes()].concat();
    let Object::Policy(r) = Object::decode(&key, &o.encode().unwrap()).unwrap() else { panic!("a policy") };
    assert_eq!((&*r, o.format()), (&p, 7));
}

/// Text search objects are rows of their own, found by name as the server's own are; stored texts name them by number.
#[test]
fn text_search_objects_are_kept_and_named() {
    use text_search::{Config, Dictionary, SIMPLE, Setting, What, named_in, shown, shown_settings};
    let (database, schema, owner) = (well_known::POSTGRES_DB, well_known::PUBLIC, well_known::POSTGRES_ROLE);
    let setting = |name: &str, value: &str, number| Setting { name: name.into(), value: value.into(), number };
    let d = Dictionary {
        oid: 20001,
        database,
        schema,
        name: "words".into(),
        owner,
        template: SIMPLE,
        options: vec![setting("accept", "fa'l\\se", false), setting("Odd", "7", true)],
    };
    let c = Config { oid: 20002, database, schema, name: "English".into(), owner, map: vec![(1, vec![20001, 3765])] };
    let key = |k: u8, oid: u32| [&[k][..], &oid.to_be_bytes()].concat();
    for (o, kind) in [(Object::TsDictionary(Arc::new(d.clone())), 22), (Object::TsConfig(Arc::new(c.clone())), 21)] {
        let bytes = o.encode().unwrap();
        assert_eq!((bytes[0], o.format(), o.kind() as u8), (1, 8, kind));
        match Object::decode(&key(kind, o.oid()), &bytes).unwrap() {
            Object::TsDictionary(r) => assert_eq!(*r, d),
            Object::TsConfig(r) => assert_eq!(*r, c),
            _ => panic!("a text search object"),
        }
        // No part of it is one.
        for n in 0..bytes.len() {
            assert!(Object::decode(&key(kind, o.oid()), &bytes[..n]).is_err());
        }
    }
    assert_eq!(shown_settings(&d.options).as_deref(), Some("accept = E'fa''l\\\\se', \"Odd\" = 7"));
    let catalog =
        Catalog::initial().with(Object::TsDictionary(Arc::new(d))).with(Object::TsConfig(Arc::new(c.clone())));
    let scope = NameScope::public(database);
    let find = |what, name: &str| catalog.ts_find(&scope, what, None, name).unwrap();
    assert_eq!((find(What::Config, "English"), find(What::Config, "english")), (Some(20002), Some(13164)));
    assert_eq!((find(What::Dictionary, "words"), find(What::Dictionary, "unaccent")), (Some(20001), None));
    assert_eq!(catalog.ts_name(&scope, What::Config, 20002).as_deref(), Some("\"English\""));
    let stored = NameScope::stored(database);
    assert_eq!(catalog.ts_name(&stored, What::Config, 20002).as_deref(), Some("public.\"English\""));
    assert_eq!((c.dictionaries(1), c.dictionaries(2)), (&[20001, 3765][..], &[][..]));
    let text = "f('20002'::regconfig, 'english'::regconfig, '20001'::regdictionary, '''20009''::regconfig')";
    assert_eq!(named_in(text), [(What::Config, 20002), (What::Dictionary, 20001)]);
    let seen = shown(&catalog, &scope, text.into());
    assert!(seen.starts_with("f('\"English\"'::regconfig, 'english'::regconfig, 'words'::regdictionary"), "{seen}");
}

/// The server's own rows have numbers and schemas of the server's own: what a peer had made besides must not come along when they are generated.
#[test]
fn rows_of_the_system_are_the_servers_own() {
    for name in [
        "pg_type",
        "pg_opclass",
        "pg_opfamily",
        "pg_amop",
        "pg_amproc",
        "pg_cast",
        "pg_collation",
        "pg_am",
        "pg_ts_config",
        "pg_ts_dict",
    ] {
        let columns = system::find("pg_catalog", name).map_or(&[][..], |t| t.columns);
        let of_schema = columns.iter().position(|c| c.0.ends_with("namespace"));
        for row in system::read_fixed("pg_catalog", name) {
            let number = |i: usize| match row.get(i) {
                Some(Datum::Oid(o)) => *o,
                _ => 0,
            };
            assert!(number(0) < 16384, "{name}: {row:?}");
            let schema = of_schema.map_or(0, number);
            assert!([0, well_known::PG_CATALOG, well_known::INFORMATION_SCHEMA].contains(&schema), "{name}: {row:?}");
        }
    }
}
