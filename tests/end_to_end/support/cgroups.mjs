import { execFileSync } from 'node:child_process';

// A command that becomes the server on a machine without a cgroup tree.
export const kWithoutCgroups = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c',
  'for tree in $(sed -n "s/.* \\(.*\\) cgroup2 .*/\\1/p;s/^[^ ]* \\([^ ]*\\) cgroup2.*/\\1/p" /proc/mounts | sort -u); do umount -l "$tree"; done; exec "$0" "$@"'];
export const canHideCgroups = (() => {
  try {
    execFileSync(kWithoutCgroups[0], [...kWithoutCgroups.slice(1), 'true']);
    return true;
  } catch {
    return false;
  }
})();
