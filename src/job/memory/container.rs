//! The memory limit of the control group that this process is in.
//!
//! ```text
//! /proc/self/cgroup      0::/app.slice/job            v2  /sys/fs/cgroup/app.slice/job/memory.max
//!                        4:memory:/docker/12ab        v1  /sys/fs/cgroup/memory/docker/12ab/memory.limit_in_bytes
//! ```
//!
//! The limits of the parent groups apply as well. A container may mount its own group as the root, so a path
//! that does not exist is skipped.

use std::path::Path;
use std::sync::LazyLock;

/// The smallest limit in bytes; `None` if there is no limit, or if the system has no control groups.
///
/// It is read once for a process, which may run many commands.
pub(crate) fn container_limit() -> Option<u64> {
    static LIMIT: LazyLock<Option<u64>> = LazyLock::new(|| {
        let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
        limit_of_groups(&groups, Path::new("/sys/fs/cgroup"))
    });
    *LIMIT
}

fn limit_of_groups(groups: &str, mounted: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut line_fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (line_fields.next()?, line_fields.next()?);
        if controllers.is_empty() {
            smallest_limit(mounted, path, "memory.max")
        } else if controllers.split(',').any(|name| name == "memory") {
            smallest_limit(&mounted.join("memory"), path, "memory.limit_in_bytes")
        } else {
            None
        }
    });
    limits.min()
}

/// The smallest limit of a group and its parents, in bytes.
fn smallest_limit(mounted: &Path, path: &str, file: &str) -> Option<u64> {
    let path = Path::new(path.trim_start_matches('/'));
    let groups = path.ancestors().map(|group| mounted.join(group).join(file));
    groups.filter_map(|file| read_limit(&file)).min()
}

/// Reads a limit; `None` if there is no limit, which is written as `max` in v2, and as a number near 2⁶³ in
/// v1.
fn read_limit(file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    text.trim().parse().ok().filter(|limit| *limit < 1 << 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_limit_of_all_groups_above_holds() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let write_limit = |path: &str, limit: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, format!("{limit}\n")).unwrap();
        };
        assert_eq!(limit_of_groups("0::/a/b\n", root), None);
        write_limit("a/b/memory.max", "max");
        write_limit("a/memory.max", "300");
        assert_eq!(limit_of_groups("0::/a/b\n", root), Some(300));
        assert_eq!(limit_of_groups("0::/other\n", root), None);
        write_limit("memory.max", "200");
        assert_eq!(
            limit_of_groups("0::/host/path/of/a/container\n", root),
            Some(200)
        );

        write_limit("memory/job/memory.limit_in_bytes", "9223372036854771712");
        let v1 = "5:devices:/\n4:cpu,memory:/job/x\n0::/nothing\n";
        std::fs::remove_file(root.join("memory.max")).unwrap();
        assert_eq!(limit_of_groups(v1, root), None);
        write_limit("memory/job/x/memory.limit_in_bytes", "100");
        assert_eq!(limit_of_groups(v1, root), Some(100));
        assert_eq!(
            limit_of_groups("not what it should be\n\n::::\n", root),
            None
        );
    }
}
