use super::normalize;

/// As PostgreSQL 15 prints them.
#[test]
fn prints_one_form() {
    for (given, wanted) in [
        ("$.a[*] ? (@.b>1)", "$.\"a\"[*]?(@.\"b\" > 1)"),
        ("strict $.a.**{2 to last}.type()", "strict $.\"a\".**{2 to last}.type()"),
        ("1+2*-3", "(1 + 2 * -3)"),
        ("(1+2)*3", "((1 + 2) * 3)"),
        ("!(exists($.a))||(1==2) is unknown", "(!(exists ($.\"a\")) || (1 == 2) is unknown)"),
        ("$ ? (@ like_regex \"^a\" flag \"im\")", "$?(@ like_regex \"^a\" flag \"im\")"),
        ("$[last, 1 to 2]", "$[last,1 to 2]"),
        ("(1).type()", "(1).type()"),
    ] {
        assert_eq!(normalize(given).unwrap(), wanted, "{given}");
        assert_eq!(normalize(wanted).unwrap(), wanted, "{wanted}");
    }
}
/// Brackets, signs and operators in a row are deep trees.
#[test]
fn depth_is_limited() {
    for deep in ["(".repeat(5000), "-".repeat(5000) + "$", "1".to_string() + &"+1".repeat(5000)] {
        assert!(normalize(&deep).is_err());
    }
}
