//! The identity of the process that holds a claim. With it, another process on the same machine can check whether that
//! process still runs.

use std::fs;

use serde::{Deserialize, Serialize};

/// The identity of a process. The process number alone is not sufficient: systems reuse numbers, and containers
/// have separate numbers although they can share the host name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProcessId {
    process: u32,
    host: String,
    /// The boot id of the machine and the id of the process namespace; `None` if the system has no such
    /// ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
    /// The start time of the process, in clock ticks since the machine started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
}

impl ProcessId {
    pub(super) fn current() -> ProcessId {
        let process = std::process::id();
        ProcessId {
            process,
            host: host_name(),
            machine: machine_id(),
            started: process_start(process),
        }
    }

    /// Whether the process ran on this machine and has ended. Returns false if this is not known.
    pub(super) fn has_ended(&self) -> bool {
        self.machine.is_some()
            && self.machine == machine_id()
            && self.started != process_start(self.process)
    }
}

impl std::fmt::Display for ProcessId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} on {}", self.process, self.host)
    }
}

fn machine_id() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), namespace.display()))
}

/// The start time of a process, in clock ticks; `None` if there is no such process.
fn process_start(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the name of the program in parentheses, which may contain spaces.
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    // The process has ended, but its parent has not read its exit status.
    let is_zombie = matches!(fields.first(), Some(&("Z" | "X")));
    let start_ticks = fields.get(19)?.parse().ok()?;
    (!is_zombie).then_some(start_ticks)
}

/// The host name of this machine.
fn host_name() -> String {
    let name = nix::unistd::gethostname();
    name.map_or_else(
        |_| "an unknown host".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_that_has_ended_is_known_only_on_its_own_machine() {
        let own_process = ProcessId::current();
        assert!(!own_process.has_ended());
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let mut other_process = ProcessId {
            process: child.id(),
            started: process_start(child.id()),
            ..own_process.clone()
        };
        assert!(!other_process.has_ended());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(other_process.has_ended(), own_process.machine.is_some());
        other_process.machine = Some("another".to_owned());
        assert!(!other_process.has_ended());
        // The start time differs, so the system has reused the process number.
        let later_process = ProcessId {
            started: Some(0),
            ..own_process.clone()
        };
        assert_eq!(later_process.has_ended(), own_process.machine.is_some());
    }
}
