//! A node in a simulation: what tests that run sessions as its tasks share.
use pamir_net::simulation::{Pace, Simulation};
use pamir_storage::platform::Sim;
use pamir_txn::Shard;
use std::sync::Arc;

/// One that steps the shard's machines.
pub fn simulation(sim: &Arc<Sim>, shard: &Arc<Shard>, pace: Pace) -> Simulation {
    let mut s = Simulation::new(sim.clone(), pace);
    let machine = |step: fn(&Shard) -> bool| {
        let shard = shard.clone();
        move || step(&shard)
    };
    s.machine(machine(|s| s.step_log() > 0));
    s.machine(machine(|s| s.step_applier() > 0));
    s.machine(machine(|s| s.step_checkpoint()));
    // A shard that has failed forgets nothing more.
    s.machine(machine(|s| s.failure().is_none() && s.step_forget().is_ok_and(|more| more)));
    s
}
