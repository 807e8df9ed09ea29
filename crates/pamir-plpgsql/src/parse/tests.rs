//! Bodies that are read, and what is wrong with those that are not. What PostgreSQL says of them, the golden scripts of the binary hold.
use super::*;
use crate::tree::StmtKind;

struct NoTables;
impl Catalog for NoTables {
    fn type_of(&mut self, written: &str) -> Result<VarType> {
        match written {
            "int" => Ok(VarType::Plain(Type::INT4)),
            "text" | "refcursor" => Ok(VarType::Plain(Type::TEXT)),
            _ => bail!(UNDEFINED_OBJECT, "type \"{written}\" does not exist"),
        }
    }
}
fn read(body: &str) -> Result<Function> {
    let returns = Returns { ty: Type::INT4, set: false, row: None, procedure: false };
    let params = vec![Param { name: "a".into(), ty: VarType::Plain(Type::INT4), input: true, output: false }];
    let header = Header {
        name: "f",
        signature: "f(integer)".into(),
        params,
        returns,
        fires: Fires::No,
        settings: Default::default(),
    };
    parse(body, header, &mut NoTables)
}
fn says(body: &str) -> (String, Option<u32>) {
    let e = read(body).expect_err(body);
    (e.message().to_string(), e.data().position)
}

#[test]
fn words_of_the_language_may_name_variables() {
    let f = read("declare raise int; loop int; begin raise := 1; loop := raise + a; return loop; end").unwrap();
    assert!(matches!(f.body.body[0].kind, StmtKind::Assign(..)));
    assert!(matches!(f.body.body[1].kind, StmtKind::Assign(..)));
}
#[test]
fn lines_count_from_the_first_of_the_body() {
    let f = read("\nbegin\n  a := 1;\n\n  return a;\nend").unwrap();
    assert_eq!(f.body.body.iter().map(|s| s.line).collect::<Vec<_>>(), [3, 5]);
}
#[test]
fn into_is_taken_out_and_places_stay() {
    let f = read("declare x int; begin select 1 into x from t where a = b; return x; end").unwrap();
    let StmtKind::Execute { sql, into: Some(_), .. } = &f.body.body[0].kind else { panic!("{:?}", f.body.body[0]) };
    assert_eq!(sql.text, "select 1        from t where a = b");
    // INSERT's INTO is no such clause.
    let f = read("begin insert into t values (a); return 1; end").unwrap();
    assert!(matches!(f.body.body[0].kind, StmtKind::Execute { into: None, .. }));
}
#[test]
fn what_is_wrong_has_its_place_in_the_body() {
    assert_eq!(says("begin return 1 end"), ("syntax error at end of input".into(), Some(19)));
    assert_eq!(says("begin b := 1; return 1; end"), ("\"b\" is not a known variable".into(), Some(7)));
    assert_eq!(says("begin return a +; end"), ("syntax error at end of input".into(), Some(17)));
    assert_eq!(says("begin continue; end").0, "CONTINUE cannot be used outside a loop");
    // A session's stack is measured, a plain thread's is not: one that takes what the limit lets through.
    let deep = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let deep = "begin ".repeat(1000);
        assert_eq!(read(&deep).unwrap_err().code().as_str(), "54001");
    });
    deep.unwrap().join().unwrap();
}
