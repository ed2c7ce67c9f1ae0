//! The faults: what is done, and for how long.

use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::process::Signal;
use tablut_rules::Random;
use tokio::time::sleep;

use super::{
    process::Program,
    proxy::{Proxy, Wire},
    world::{BackEnd, World},
};

/// How long a fault waits at most for those it should strike to notice.
const NOTICE: Duration = Duration::from_secs(60);

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fault {
    KillServer,
    KillRun,
    KillWorker,
    KillReferee,
    KillAll,
    StopServer,
    StopRun,
    StopWorker,
    StopReferee,
    /// The disk is full until this many writes have failed.
    DiskFull(usize),
    WritesFail,
    ReadOnly,
    WireCut,
    WireTorn,
    WireFrozen,
    WireSlow,
    DatabaseRestart,
    DatabaseCrash,
    DatabaseSessions,
    DatabaseWireCut,
    DatabaseWireTorn,
    DatabaseWireFrozen,
    DatabaseWireSlow,
    ClockForward,
    ClockBack,
}

/// What came of a fault.
pub(super) enum Inflicted {
    Done,
    /// It cannot be done here, and why.
    NotTried(String),
}

impl Fault {
    pub(super) const ALL: [Self; 27] = [
        Self::KillServer,
        Self::KillRun,
        Self::KillWorker,
        Self::KillReferee,
        Self::KillAll,
        Self::StopServer,
        Self::StopRun,
        Self::StopWorker,
        Self::StopReferee,
        Self::DiskFull(1),
        Self::DiskFull(2),
        Self::DiskFull(10),
        Self::WritesFail,
        Self::ReadOnly,
        Self::WireCut,
        Self::WireTorn,
        Self::WireFrozen,
        Self::WireSlow,
        Self::DatabaseRestart,
        Self::DatabaseCrash,
        Self::DatabaseSessions,
        Self::DatabaseWireCut,
        Self::DatabaseWireTorn,
        Self::DatabaseWireFrozen,
        Self::DatabaseWireSlow,
        Self::ClockForward,
        Self::ClockBack,
    ];

    /// Its name, and what is done.
    pub(super) const fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::KillServer => ("kill-server", "kill -9 of a server"),
            Self::KillRun => ("kill-run", "kill -9 of tournament run"),
            Self::KillWorker => ("kill-worker", "kill -9 of a worker"),
            Self::KillReferee => ("kill-referee", "kill -9 of the referee"),
            Self::KillAll => ("kill-all", "kill -9 of all of them at once"),
            Self::StopServer => (
                "stop-server",
                "a server is stopped for a while, and continues",
            ),
            Self::StopRun => (
                "stop-run",
                "tournament run is stopped for longer than its lease",
            ),
            Self::StopWorker => (
                "stop-worker",
                "a worker is stopped for longer than its lease",
            ),
            Self::StopReferee => ("stop-referee", "the referee is stopped for a while"),
            Self::DiskFull(1) => ("disk-full-1", "the disk is full until a write has failed"),
            Self::DiskFull(2) => (
                "disk-full-2",
                "the disk is full until two writes have failed",
            ),
            Self::DiskFull(_) => (
                "disk-full-10",
                "the disk is full until ten writes have failed",
            ),
            Self::WritesFail => ("writes-fail", "every write to a file fails for a while"),
            Self::ReadOnly => (
                "read-only",
                "all start again on a disk that is read-only at first",
            ),
            Self::WireCut => ("wire-cut", "all connections to a server break at once"),
            Self::WireTorn => (
                "wire-torn",
                "connections to a server break in the middle of a message",
            ),
            Self::WireFrozen => (
                "wire-frozen",
                "nothing passes between players and a server, then all connections break",
            ),
            Self::WireSlow => ("wire-slow", "messages arrive late and in pieces"),
            Self::DatabaseRestart => ("database-restart", "the database is restarted (fast)"),
            Self::DatabaseCrash => (
                "database-crash",
                "the database crashes (immediate) and recovers",
            ),
            Self::DatabaseSessions => ("database-sessions", "the database ends all sessions"),
            Self::DatabaseWireCut => (
                "database-cut",
                "all connections to the database break at once",
            ),
            Self::DatabaseWireTorn => (
                "database-torn",
                "connections to the database break in the middle of a message",
            ),
            Self::DatabaseWireFrozen => (
                "database-frozen",
                "nothing passes to the database, then all connections break",
            ),
            Self::DatabaseWireSlow => ("database-slow", "the database answers late and in pieces"),
            Self::ClockForward => (
                "clock-forward",
                "the wall clock jumps an hour forward, and back later",
            ),
            Self::ClockBack => (
                "clock-back",
                "the wall clock jumps an hour back, and forward later",
            ),
        }
    }

    pub(super) const fn name(self) -> &'static str {
        self.describe().0
    }

    /// Whether it can strike a back end at all.
    pub(super) const fn concerns(self, back_end: BackEnd) -> bool {
        match self {
            Self::DatabaseRestart
            | Self::DatabaseCrash
            | Self::DatabaseSessions
            | Self::DatabaseWireCut
            | Self::DatabaseWireTorn
            | Self::DatabaseWireFrozen
            | Self::DatabaseWireSlow => matches!(back_end, BackEnd::Postgres),
            // The database does its writing itself.
            Self::WritesFail => matches!(back_end, BackEnd::Sqlite),
            // Only one of them: the database decides itself what it does without space.
            Self::DiskFull(count) => matches!(back_end, BackEnd::Sqlite) || count == 10,
            _ => true,
        }
    }

    /// Does it, and lifts it again.
    pub(super) async fn inflict(self, world: &World, random: &mut Random) -> Result<Inflicted> {
        let worker = &world.workers[random.below(world.workers.len())];
        let number = random.below(world.servers.len());
        let (server, wire) = (&world.servers[number], &world.wires[number]);
        let while_ms =
            |random: &mut Random, ms: usize| Duration::from_millis((ms + random.below(ms)) as u64);
        match self {
            Self::KillServer => kill(&[server]),
            Self::KillRun => kill(&[&world.run]),
            Self::KillWorker => kill(&[worker]),
            Self::KillReferee => kill(&[&world.referee]),
            Self::KillAll => kill(&world.programs().collect::<Vec<_>>()),
            Self::StopServer => stop(server, while_ms(random, 700)).await,
            Self::StopRun => stop(&world.run, while_ms(random, 2200)).await,
            Self::StopWorker => stop(worker, while_ms(random, 2200)).await,
            Self::StopReferee => stop(&world.referee, while_ms(random, 700)).await,
            Self::DiskFull(count) => return fill(world, count).await,
            Self::WritesFail => fail_writes(world, while_ms(random, 700)).await,
            Self::ReadOnly => return read_only(world, while_ms(random, 700)).await,
            Self::WireCut => disturb(wire, Wire::Cut, while_ms(random, 100)).await,
            Self::WireTorn => disturb(wire, Wire::Torn, while_ms(random, 400)).await,
            Self::WireFrozen => freeze(wire, while_ms(random, 900)).await,
            Self::WireSlow => disturb(wire, Wire::Slow, while_ms(random, 900)).await,
            Self::ClockForward => return jump(world, 3600, while_ms(random, 1500)).await,
            Self::ClockBack => return jump(world, -3600, while_ms(random, 1500)).await,
            _ => return self.strike_database(world, random).await,
        }
        Ok(Inflicted::Done)
    }

    async fn strike_database(self, world: &World, random: &mut Random) -> Result<Inflicted> {
        let (Some((database, server)), Some(wire)) = (&world.database, &world.database_wire) else {
            return Ok(Inflicted::NotTried("there is no database server".into()));
        };
        let some_time = Duration::from_millis(500 + random.below(700) as u64);
        match self {
            // The signals of the modes fast and immediate.
            Self::DatabaseRestart => restart(server, Signal::INT).await,
            Self::DatabaseCrash => restart(server, Signal::QUIT).await,
            Self::DatabaseSessions => database.terminate()?,
            Self::DatabaseWireCut => disturb(wire, Wire::Cut, some_time / 4).await,
            Self::DatabaseWireTorn => disturb(wire, Wire::Torn, some_time).await,
            Self::DatabaseWireFrozen => freeze(wire, 2 * some_time).await,
            _ => disturb(wire, Wire::Slow, 2 * some_time).await,
        }
        Ok(Inflicted::Done)
    }
}

fn kill(programs: &[&Program]) {
    for program in programs {
        program.signal(Signal::KILL);
    }
}

async fn stop(program: &Program, time: Duration) {
    program.signal(Signal::STOP);
    sleep(time).await;
    program.signal(Signal::CONT);
}

/// Ends the database, which is then started again.
async fn restart(server: &Program, signal: Signal) {
    let (starts, begin) = (server.starts(), Instant::now());
    server.signal(signal);
    while server.starts() == starts && begin.elapsed() < NOTICE {
        sleep(Duration::from_millis(20)).await;
    }
}

async fn disturb(wire: &Proxy, how: Wire, time: Duration) {
    wire.set(how);
    sleep(time).await;
    wire.set(Wire::Good);
}

/// Nothing passes, and then everything breaks: what was on its way never arrives.
async fn freeze(wire: &Proxy, time: Duration) {
    wire.set(Wire::Frozen);
    sleep(time).await;
    disturb(wire, Wire::Cut, Duration::from_millis(50)).await;
}

/// Fills the disk until this many writes have failed, and frees it.
async fn fill(world: &World, count: usize) -> Result<Inflicted> {
    let Some(disk) = &world.disk else {
        return Ok(no_disk());
    };
    let before = world.ledger.book().refused;
    let begin = Instant::now();
    // Something may be freed meanwhile, as when a log is cut short.
    while world.ledger.book().refused < before + count && begin.elapsed() < NOTICE {
        disk.fill()?;
        if let Some((database, _)) = &world.database {
            // It has space in hand for what it writes next.
            database.use_up();
        }
        sleep(Duration::from_millis(50)).await;
    }
    let failed = world.ledger.book().refused - before;
    disk.free()?;
    if failed < count {
        let words = format!("the disk was full, but only {failed} writes failed");
        return Ok(Inflicted::NotTried(words));
    }
    Ok(Inflicted::Done)
}

async fn fail_writes(world: &World, time: Duration) {
    for program in world.programs() {
        program.fail_writes(true);
    }
    sleep(time).await;
    for program in world.programs() {
        program.fail_writes(false);
    }
}

/// Lets everything start on a read-only disk, and makes that writable without another start.
async fn read_only(world: &World, time: Duration) -> Result<Inflicted> {
    let Some(disk) = &world.disk else {
        return Ok(no_disk());
    };
    let mut programs: Vec<&Program> = world.programs().collect();
    programs.extend(world.database.as_ref().map(|(_, server)| server));
    for program in &programs {
        program.hold();
    }
    let begin = Instant::now();
    // A process that was killed takes a moment to let its files go.
    let mut done = disk.set_read_only(true);
    while done.is_err() && begin.elapsed() < NOTICE {
        sleep(Duration::from_millis(50)).await;
        done = disk.set_read_only(true);
    }
    for program in &programs {
        program.release();
    }
    done?;
    sleep(time).await;
    disk.set_read_only(false)?;
    Ok(Inflicted::Done)
}

async fn jump(world: &World, seconds: i32, time: Duration) -> Result<Inflicted> {
    let Some(clock) = &world.clock else {
        let words = "needs libfaketime (apt-get install faketime) and a mount namespace";
        return Ok(Inflicted::NotTried(words.into()));
    };
    clock.set(seconds)?;
    sleep(time).await;
    clock.set(0)?;
    Ok(Inflicted::Done)
}

fn no_disk() -> Inflicted {
    Inflicted::NotTried("cannot mount a disk here".into())
}
