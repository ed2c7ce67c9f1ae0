//! System calls that no player needs, and with which much could be tried on the kernel.

use std::{collections::BTreeMap, env};

use libc::{
    CLONE_NEWCGROUP, CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUSER,
    CLONE_NEWUTS,
};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule,
};

/// Refused as not permitted.
const FORBIDDEN: [i64; 36] = [
    // Other processes' memory and descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Keys belong to the user, not to a namespace.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // The system as a whole.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_userfaultfd,
];

/// Refused as if the kernel did not have them, so that programs take the older way.
const MISSING: [i64; 8] = [
    // Its flags are in memory, where a filter cannot look.
    libc::SYS_clone3,
    // Does much of what is refused elsewhere.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory that belongs to no process and is not counted.
    libc::SYS_memfd_create,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
];

/// Kinds of sockets that belong to a network namespace: local, the two of the internet, and the one
/// that asks the kernel about addresses. Others reach beyond it.
const FAMILIES: [i32; 4] = [
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];

/// Filters the calls of this thread and of everything it will start.
pub(super) fn apply() -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot filter system calls: {error}");
    for (rules, errno) in [(forbidden(), libc::EPERM), (missing(), libc::ENOSYS)] {
        let rules = rules.map_err(|error| failed(&error))?;
        let program = compile(rules, errno).map_err(|error| failed(&error))?;
        seccompiler::apply_filter(&program).map_err(|error| failed(&error))?;
    }
    Ok(())
}

type FilterRules = BTreeMap<i64, Vec<SeccompRule>>;

fn compile(mut rules: FilterRules, errno: i32) -> Result<BpfProgram, BackendError> {
    // On this machine every call has a second number.
    if cfg!(target_arch = "x86_64") {
        const X32: i64 = 0x4000_0000;
        let again: Vec<_> = rules
            .iter()
            .map(|(call, rules)| (call | X32, rules.clone()))
            .collect();
        rules.extend(again);
    }
    let errno = SeccompAction::Errno(errno.unsigned_abs());
    let architecture = env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::Allow, errno, architecture)?.try_into()
}

fn forbidden() -> Result<FilterRules, BackendError> {
    let mut rules: FilterRules = FORBIDDEN.iter().map(|&call| (call, Vec::new())).collect();
    let namespaces = [
        CLONE_NEWUSER,
        CLONE_NEWPID,
        CLONE_NEWNS,
        CLONE_NEWNET,
        CLONE_NEWIPC,
        CLONE_NEWUTS,
        CLONE_NEWCGROUP,
    ];
    let new = namespaces.map(|flag| {
        let flag = u64::from(flag.unsigned_abs());
        let is_set = SeccompCmpOp::MaskedEq(flag);
        SeccompRule::new(vec![SeccompCondition::new(
            0,
            SeccompCmpArgLen::Dword,
            is_set,
            flag,
        )?])
    });
    rules.insert(libc::SYS_clone, new.into_iter().collect::<Result<_, _>>()?);
    let other = FAMILIES.map(|family| {
        let family = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    });
    let other = other.into_iter().collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_socket, vec![SeccompRule::new(other)?]);
    Ok(rules)
}

fn missing() -> Result<FilterRules, BackendError> {
    Ok(MISSING.iter().map(|&call| (call, Vec::new())).collect())
}
