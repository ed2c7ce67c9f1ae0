//! Namespaces of one's own, without rights: a user namespace allows them on most systems.

use std::{fs, io, path::Path};

use nix::sched::{CloneFlags, unshare};
use rustix::{
    net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with},
    process::{getegid, geteuid},
};

/// Moves this process, which has one thread, into a user and a network namespace of its own, where
/// it keeps its user and group, and turns the loopback interface on.
pub(super) fn enter_network() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET)?;
    map(Path::new("/proc/self"), [user, user], [group, group])?;
    turn_loopback_on()
}

/// Moves this process, which has one thread, into namespaces of its own where it is root and may mount
/// and listen; the next process it starts is the first of a process namespace.
pub(super) fn enter_all() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(
        CloneFlags::CLONE_NEWUSER
            | CloneFlags::CLONE_NEWPID
            | CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWUTS,
    )?;
    map(Path::new("/proc/self"), [0, user], [0, group])
}

/// Moves this process into one more user namespace, in which it is an ordinary user: there nobody has
/// any right over the mounts and the network of the namespaces around it. `process` is its folder in a
/// process file system that can be written to.
pub(super) fn become_ordinary(process: &Path, user: u32, group: u32) -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWUSER)?;
    map(process, [user, 0], [group, 0])
}

/// Maps a user or group of a new user namespace: inside, outside.
fn map(process: &Path, user: [u32; 2], group: [u32; 2]) -> io::Result<()> {
    let line = |[inside, outside]: [u32; 2]| format!("{inside} {outside} 1");
    fs::write(process.join("setgroups"), "deny")?;
    fs::write(process.join("uid_map"), line(user))?;
    fs::write(process.join("gid_map"), line(group))
}

/// Asks the kernel by netlink to set the flag `IFF_UP` of the interface 1, which is the loopback of
/// every new network.
pub(super) fn turn_loopback_on() -> io::Result<()> {
    /// Length of the whole message: a header (`nlmsghdr`) and what it is about (`ifinfomsg`), 16
    /// bytes each.
    const LENGTH: u32 = 32;
    const RTM_NEWLINK: u16 = 16;
    /// `NLM_F_REQUEST | NLM_F_ACK`
    const FLAGS: u16 = 1 | 4;
    const LOOPBACK: i32 = 1;
    const IFF_UP: u32 = 1;
    let mut message = Vec::with_capacity(LENGTH as usize);
    message.extend_from_slice(&LENGTH.to_ne_bytes());
    message.extend_from_slice(&RTM_NEWLINK.to_ne_bytes());
    message.extend_from_slice(&FLAGS.to_ne_bytes());
    // Sequence and sender.
    message.extend_from_slice(&[0; 8]);
    // Family and type of the interface: any.
    message.extend_from_slice(&[0; 4]);
    message.extend_from_slice(&LOOPBACK.to_ne_bytes());
    message.extend_from_slice(&IFF_UP.to_ne_bytes());
    // Which flags are changed.
    message.extend_from_slice(&IFF_UP.to_ne_bytes());
    let socket = socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        // The protocol 0, NETLINK_ROUTE.
        None,
    )?;
    send(&socket, &message, SendFlags::empty())?;
    // The answer is a header and the error, which is zero or negative.
    let mut answer = [0; 64];
    let (_, length) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    let error = answer.get(16..20).filter(|_| length >= 20);
    let error = error.and_then(|bytes| bytes.try_into().ok());
    match error.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(io::ErrorKind::InvalidData.into()),
    }
}
