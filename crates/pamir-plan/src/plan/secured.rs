//! Tables of which row level security lets somebody see a part, and views behind a security barrier: which conditions from above may be asked of rows that are left out.
//!
//! ```text
//!   conditions from above --leakproof--> the table's scan, beside the policies' or the view's own, so that indexes serve both
//!                         --the others-> a filter over it: they meet only rows that these let through
//! ```
//! A condition is leakproof if nothing that it computes tells of its arguments but by its result: no error, no notice, no effect. Of PostgreSQL's own functions
//! `pg_proc.proleakproof` says it, of a user's whoever defined it (LEAKPROOF). What is not known to be is not.
use super::*;
use pamir_catalog::well_known::PG_CATALOG;
use pamir_expr::func::Function;

/// The OIDs of PostgreSQL's leakproof functions: comparisons, and conversions that never fail.
#[rustfmt::skip]
const LEAKPROOF: &[u32] = &[
    56, 57, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 72, 73, 74, 84, 144, 145, 146, 147, 148, 149, 150, 151,
    157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 184, 185, 235, 236, 240, 241, 242, 243, 244,
    245, 246, 247, 248, 249, 250, 251, 252, 253, 287, 288, 289, 290, 291, 292, 293, 294, 295, 296, 297, 298, 299,
    300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 313, 316, 318, 350, 351, 354, 355, 356, 358, 359,
    360, 377, 404, 406, 407, 409, 458, 459, 467, 468, 469, 470, 471, 472, 474, 475, 476, 477, 478, 479, 481, 482,
    619, 652, 655, 656, 657, 658, 659, 677, 678, 679, 680, 681, 716, 717, 740, 741, 742, 743, 754, 830, 831, 832,
    833, 834, 835, 836, 842, 852, 853, 854, 855, 856, 857, 888, 889, 890, 891, 892, 893, 920, 921, 922, 923, 924,
    925, 926, 999, 1048, 1049, 1050, 1051, 1052, 1053, 1063, 1064, 1078, 1086, 1087, 1088, 1089, 1090, 1091, 1092,
    1102, 1103, 1104, 1105, 1106, 1107, 1145, 1152, 1153, 1154, 1155, 1156, 1157, 1162, 1163, 1164, 1165, 1166,
    1167, 1246, 1265, 1288, 1292, 1314, 1315, 1319, 1352, 1353, 1354, 1355, 1356, 1357, 1358, 1370, 1400, 1401,
    1462, 1463, 1464, 1465, 1466, 1467, 1482, 1483, 1484, 1485, 1486, 1581, 1582, 1592, 1593, 1594, 1595, 1596,
    1638, 1639, 1666, 1667, 1668, 1669, 1670, 1671, 1672, 1691, 1692, 1693, 1740, 1742, 1743, 1781, 1782, 1850,
    1851, 1852, 1853, 1854, 1855, 1856, 1857, 1858, 1859, 1860, 1861, 1948, 1949, 1950, 1951, 1952, 1953, 1954,
    2045, 2052, 2053, 2054, 2055, 2056, 2057, 2160, 2161, 2163, 2164, 2166, 2174, 2175, 2177, 2178, 2180, 2188,
    2189, 2190, 2191, 2192, 2193, 2194, 2195, 2311, 2321, 2557, 2558, 2790, 2791, 2792, 2793, 2794, 2954, 2955,
    2956, 2957, 2958, 2959, 2960, 3231, 3232, 3233, 3234, 3235, 3236, 3251, 3308, 3309, 3419, 3420, 3421, 3422,
    3432, 3696, 4113, 4114, 4115, 4116, 4117, 4118, 4119, 4123, 5034, 5035, 5036, 5037, 5084, 5085, 5096,
];

impl Planner<'_> {
    pub(super) fn plan_secured(&mut self, input: &Rel, cond: &Expr, conds: Vec<Expr>, want: &Want) -> Result<PNode> {
        let (down, up): (Vec<_>, Vec<_>) = conds.into_iter().partition(|c| self.is_leakproof(c));
        let rel = Rel::Filter { input: Box::new(input.clone()), cond: cond.clone() };
        let want = if up.is_empty() { want.clone() } else { want.whole() };
        let node = self.plan_rel(&rel, down, &want)?;
        self.add_filter(node, up)
    }
    fn is_leakproof(&self, e: &Expr) -> bool {
        // Of what has no column nothing can be told.
        if !expr::any(e, &|x| matches!(x, Expr::Col(..) | Expr::Subquery(_))) {
            return !is_volatile(e);
        }
        let own = match e {
            Expr::Const(..) | Expr::Col(..) | Expr::Param(..) => true,
            Expr::And(_) | Expr::Or(_) | Expr::Not(_) | Expr::IsNull(..) | Expr::IsBool(..) => true,
            Expr::Case { .. } | Expr::Coalesce(..) => true,
            Expr::Call { f, .. } => self.function_is_leakproof(f),
            Expr::IsDistinct { eq, .. } | Expr::NullIf { eq, .. } | Expr::InList { eq, .. } => {
                self.function_is_leakproof(eq)
            }
            Expr::AnyAll { op, .. } => self.function_is_leakproof(op),
            Expr::Cast { f: CastHow::Relabel, .. } => true,
            Expr::Cast { f: CastHow::Func(f), .. } => self.function_is_leakproof(f),
            _ => false,
        };
        let mut all = own;
        if own {
            expr::children(e, &mut |x| all = all && self.is_leakproof(x));
        }
        all
    }
    fn function_is_leakproof(&self, f: &Function) -> bool {
        if f.schema == PG_CATALOG {
            return LEAKPROOF.binary_search(&f.oid).is_ok();
        }
        self.catalog.function(f.oid).is_some_and(|f| f.leakproof)
    }
}
