//! Aggregates that users define with SQL (CREATE AGGREGATE): a state, the function that steps it, the one that ends it.
//!
//! ```text
//!   update:  state = step(state, arguments)        a strict step passes rows with NULLs over, and takes the first value for its state where there is none yet
//!   current: last(state)                           of an ordered set: last(state, direct arguments); FINALFUNC_EXTRA: and a NULL for each other argument
//! ```
//! Functions are found by their OIDs in the catalog of the moment at a state's first use, so that CREATE OR REPLACE changes what runs.
//!
//! *Invariants*: the state is never changed but by the step, so [`AggState::current`] may be asked at any time. What a state holds is told by
//! [`AggState::size`].
//!
//! Limits: moving-aggregate functions are not called, a frame whose start moves is computed anew; combine functions are not either, since nothing is aggregated
//! in parts; an ordered-set aggregate with direct arguments over no rows answers 0A000, for its direct arguments come with its rows.
use super::*;
use pamir_catalog::function::{Function as Stored, FunctionKind};
use pamir_catalog::operator::Machine;
use pamir_types::record::weight;
use pamir_types::{Error, oid};

/// The aggregate, kept with its descriptor; None: it is none.
pub fn of(f: &Stored) -> Option<Arc<Aggregate>> {
    if f.kind != FunctionKind::Aggregate {
        return None;
    }
    let a = f.more.aggregate.as_ref()?;
    let make = || {
        let args: Vec<Oid> = f.arg_types().collect();
        let ordered = (a.kind != b'n').then_some(usize::from(a.direct));
        let plan = Arc::new(Plan { machine: a.plain.clone(), declared: args.clone(), direct: ordered.unwrap_or(0) });
        let state: Arc<StateFn> = Arc::new(move |ci: &CallInfo| State::begin(plan.clone(), ci));
        Arc::new(Aggregate {
            oid: f.oid,
            schema: f.schema,
            name: f.name.clone().into(),
            args: args.into(),
            ret: f.ret.oid,
            strict: false,
            extreme: None,
            ordered,
            hypothetical: a.kind == b'h',
            state: Code::Closure(state),
        })
    };
    Some(f.cache.get_or_init(make).clone())
}

/// What all groups' states share.
struct Plan {
    machine: Machine,
    /// The arguments as they are declared.
    declared: Vec<Oid>,
    direct: usize,
}
struct Ready {
    step: FunctionRef,
    last: Option<FunctionRef>,
}
struct State {
    plan: Arc<Plan>,
    args: Vec<Type>,
    ret: Type,
    /// What the state is in this call, whatever polymorphic type it is declared as.
    state: Type,
    ready: Option<Ready>,
    value: Datum,
    /// A strict step still waits for its first value.
    waits: bool,
    direct: Option<Vec<Datum>>,
    rows: u64,
}

/// The type that a polymorphic one is, where the arguments are `given`.
pub fn concrete(ty: Type, declared: &[Oid], given: &[Type]) -> Type {
    let is_array = |t: Oid| matches!(t, oid::ANYARRAY | oid::ANYCOMPATIBLEARRAY);
    let is_elem = |t: Oid| matches!(t, oid::ANYELEMENT | oid::ANYNONARRAY | oid::ANYENUM | oid::ANYCOMPATIBLE);
    if !is_array(ty.oid) && !is_elem(ty.oid) {
        return ty;
    }
    let elem = std::iter::zip(declared, given).find_map(|(d, g)| match *d {
        d if is_array(d) => g.element(),
        d if is_elem(d) => Some(*g),
        _ => None,
    });
    match elem {
        Some(e) if is_array(ty.oid) => oid::array_of(e.oid).map_or(ty, Type::new),
        Some(e) => e,
        None => ty,
    }
}

impl State {
    fn begin(plan: Arc<Plan>, ci: &CallInfo) -> Box<dyn AggState> {
        let args: Vec<Type> = ci.arg_types.to_vec();
        let state = concrete(plan.machine.state, &plan.declared, &args);
        let ret = ci.ret;
        Box::new(State { plan, args, ret, state, ready: None, value: Datum::Null, waits: true, direct: None, rows: 0 })
    }
    /// Finds the functions, and makes the first state.
    fn prepare(&mut self, env: &mut dyn Env) -> Result<()> {
        if self.ready.is_some() {
            return Ok(());
        }
        let catalog = env.catalog().clone();
        let m = &self.plan.machine;
        let find = |oid| lookup::by_oid::<Function>(&catalog, oid);
        let gone = || Error::internal("a function of an aggregate is gone");
        let step = find(m.step).ok_or_else(gone)?;
        let last = if m.last == 0 { None } else { Some(find(m.last).ok_or_else(gone)?) };
        if let Some(text) = &m.initial {
            self.value = pamir_types::text::parse(text, self.state, env.text_ctx())?;
            self.waits = false;
        }
        self.ready = Some(Ready { step, last });
        Ok(())
    }
    fn outcome(&mut self, env: &mut dyn Env) -> Result<Datum> {
        self.prepare(env)?;
        let Some(Ready { last, .. }) = &self.ready else { return Err(Error::internal("an aggregate is not ready")) };
        let Some(last) = last else { return Ok(self.value.clone()) };
        let (mut args, mut types) = (vec![self.value.clone()], vec![self.state]);
        if self.plan.direct > 0 {
            let Some(direct) = &self.direct else {
                return Err(Error::unsupported("an ordered-set aggregate of a user over no rows"));
            };
            args.extend(direct.iter().cloned());
            types.extend(self.args.iter().take(self.plan.direct));
        }
        if self.plan.machine.extra {
            let rest = self.args.iter().skip(self.plan.direct);
            types.extend(rest.clone());
            args.extend(rest.map(|_| Datum::Null));
        }
        if last.strict && args.iter().any(Datum::is_null) {
            return Ok(Datum::Null);
        }
        work::charge(work::CALL as usize)?;
        apply(last, &CallInfo { arg_types: &types, ret: self.ret }, &args, env)
    }
}
fn apply(f: &FunctionRef, ci: &CallInfo, args: &[Datum], env: &mut dyn Env) -> Result<Datum> {
    match &f.body {
        Body::Scalar(code) => code.call(ci, args, env),
        _ => Err(Error::internal("a function of an aggregate returns a set")),
    }
}

impl AggState for State {
    fn update(&mut self, args: &[Datum], env: &mut dyn Env) -> Result<()> {
        self.prepare(env)?;
        let direct = self.plan.direct.min(args.len());
        let (before, args) = args.split_at(direct);
        if self.direct.is_none() {
            self.direct = Some(before.to_vec());
        }
        self.rows += 1;
        let Some(Ready { step, .. }) = &self.ready else { return Err(Error::internal("an aggregate is not ready")) };
        if step.strict {
            if args.iter().any(Datum::is_null) {
                return Ok(());
            }
            if self.waits {
                self.waits = false;
                self.value = args.first().cloned().unwrap_or(Datum::Null);
                return Ok(());
            }
            if self.value.is_null() {
                return Ok(());
            }
        }
        work::charge(work::CALL as usize)?;
        let mut values = Vec::with_capacity(args.len() + 1);
        values.push(std::mem::replace(&mut self.value, Datum::Null));
        values.extend(args.iter().cloned());
        let mut types = Vec::with_capacity(values.len());
        types.push(self.state);
        types.extend(self.args.iter().skip(direct));
        self.value = apply(step, &CallInfo { arg_types: &types, ret: self.state }, &values, env)?;
        Ok(())
    }
    fn finish(&mut self, env: &mut dyn Env) -> Result<Datum> {
        self.outcome(env)
    }
    fn size(&self) -> usize {
        size_of::<State>() + weight(&self.value) + self.args.len() * size_of::<Type>()
    }
}
