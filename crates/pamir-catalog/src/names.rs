//! Automatic names, as PostgreSQL makes them (makeObjectName, ChooseRelationName, ChooseIndexNameAddition).
use pamir_types::text::{MAX_NAME, cut, cut_name};

/// `name1_name2_label`, the two names shortened (the longer first) until it fits.
fn make(name1: &str, name2: Option<&str>, label: &str) -> String {
    let overhead = (if label.is_empty() { 0 } else { label.len() + 1 }) + usize::from(name2.is_some());
    let room = MAX_NAME.saturating_sub(overhead);
    let (mut n1, mut n2) = (name1.len(), name2.map_or(0, str::len));
    while n1 + n2 > room {
        if n1 > n2 { n1 -= 1 } else { n2 -= 1 }
    }
    let mut out = cut(name1, n1).to_string();
    if let Some(n) = name2 {
        out.push('_');
        out.push_str(cut(n, n2));
    }
    if !label.is_empty() {
        out.push('_');
        out.push_str(label);
    }
    out
}

/// `table_columns_label`, with a number after the label if that is taken: `t_pkey`, `t_a_b_idx`, `t_a_check1`.
pub fn choose_name(name1: &str, name2: Option<&str>, label: &str, taken: impl Fn(&str) -> bool) -> String {
    let first = make(name1, name2, label);
    if !taken(&first) {
        return first;
    }
    (1u32..).map(|n| make(name1, name2, &format!("{label}{n}"))).find(|n| !taken(n)).unwrap_or(first)
}

/// Names of an index's columns: those that repeat get numbers (ChooseIndexColumnNames).
pub fn distinct<'a>(columns: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for c in columns {
        let mut name = cut_name(c).to_string();
        let mut n = 0u32;
        while out.contains(&name) {
            n += 1;
            let number = n.to_string();
            name = format!("{}{number}", cut(c, MAX_NAME - number.len()));
        }
        out.push(name);
    }
    out
}

/// Column names joined by `_`, until the length of a name is reached: the middle of an index's or foreign key's automatic name.
pub fn join_columns<'a>(columns: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for c in columns {
        if !out.is_empty() {
            out.push('_');
        }
        out.push_str(c);
        if out.len() > MAX_NAME {
            break;
        }
    }
    cut_name(&out).to_string()
}
