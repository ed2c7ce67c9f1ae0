//! A network of one's own, without rights: a user namespace allows it on most systems.

use std::{fs, io};

use nix::sched::{CloneFlags, unshare};
use rustix::{
    net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with},
    process::{getegid, geteuid},
};

/// Moves this process, which has one thread, into a user and a network namespace of its own, where
/// it keeps its user and group, and turns the loopback interface on.
pub(super) fn enter() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    turn_loopback_on()
}

/// Asks the kernel by netlink to set the flag `IFF_UP` of the interface 1, which is the loopback of
/// every new network.
fn turn_loopback_on() -> io::Result<()> {
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
