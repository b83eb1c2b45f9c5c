//! Which process holds a claim, so that another one on the same machine can tell whether it still runs.

use std::fs;

use serde::{Deserialize, Serialize};

/// A process. Numbers of processes are used again, and containers count their own, even if they share the name
/// of their machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProcessId {
    process: u32,
    host: String,
    /// The start of the machine and the process namespace, where the system has both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
    /// The start of the process, in ticks since that of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
}

impl ProcessId {
    pub(super) fn current() -> ProcessId {
        let process = std::process::id();
        ProcessId {
            process,
            host: host_name(),
            machine: machine(),
            started: started(process),
        }
    }

    /// Whether the process ran on this machine, and has ended. False if this cannot be known.
    pub(super) fn has_ended(&self) -> bool {
        self.machine.is_some() && self.machine == machine() && self.started != started(self.process)
    }
}

impl std::fmt::Display for ProcessId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} on {}", self.process, self.host)
    }
}

fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), namespace.display()))
}

/// When a process was started; `None` if there is none of this number.
fn started(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may have blanks.
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    // One that has ended, but that its parent has not waited for.
    let is_over = matches!(fields.first(), Some(&("Z" | "X")));
    let started = fields.get(19)?.parse().ok()?;
    (!is_over).then_some(started)
}

/// The name of this machine.
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
        let own = ProcessId::current();
        assert!(!own.has_ended());
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let mut other = ProcessId {
            process: child.id(),
            started: started(child.id()),
            ..own.clone()
        };
        assert!(!other.has_ended());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(other.has_ended(), own.machine.is_some());
        other.machine = Some("another".to_owned());
        assert!(!other.has_ended());
        // The number was used again.
        let later = ProcessId {
            started: Some(0),
            ..own.clone()
        };
        assert_eq!(later.has_ended(), own.machine.is_some());
    }
}
