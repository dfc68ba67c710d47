import { readFileSync, readdirSync } from 'node:fs';

// Living processes with `text` in their command line or environment. A test's own directory names all it started,
// for agents get the path of the socket in their environment.
export function processesNaming(text) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => isAlive(pid) && (read(pid, 'cmdline').includes(text) || read(pid, 'environ').includes(text)));
}

// A zombie has ended; only its parent has not looked yet.
export function isAlive(pid) {
  const stat = read(pid, 'stat');
  return stat !== '' && !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
}

export function parentOf(pid) {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

export function killAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

// The living ones among an agent and its supervisor. A number that has come to another process meanwhile is none of them.
export function agentAndSupervisor({ pid, run }, server) {
  if (!isAlive(pid) || !read(pid, 'environ').split('\0').includes(`ANDON_RUN=${run}`)) return [];
  const parent = parentOf(pid);
  return read(parent, 'cmdline').includes('supervise') && parent !== server.pid ? [pid, parent] : [pid];
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
