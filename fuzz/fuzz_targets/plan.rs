//! A tournament file of any kind is read or refused with reasons, and what is read has sound fixtures.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_arena::tournament::Plan;

fuzz_target!(|text: &str| {
    if let Ok(plan) = Plan::read(text)
        && plan.teams.len() < 40
    {
        for fixture in plan.fixtures() {
            let teams = fixture.teams;
            assert!(teams.values().all(|&team| team < plan.teams.len()));
            assert_ne!(teams.defenders, teams.attackers);
        }
    }
});
