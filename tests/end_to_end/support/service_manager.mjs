import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { until } from './until.mjs';

// Node knows no datagram sockets of the file system and no locks of byte ranges; perl, which every Debian has, does.
const kListen = `use Socket; $| = 1; socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die;
print "ready\\n"; while (defined recv($s, my $text, 4096, 0)) { $text =~ s/\\n/ /g; print "$text\\n"; }`;
const kLock = `use Fcntl; $| = 1; open(my $f, "+<", $ARGV[0]) or die; my $lock = pack("s s x4 q q i x4", F_WRLCK, 0, $ARGV[1], 1, 0);
fcntl($f, F_SETLKW, $lock) or die; print "ready\\n"; <STDIN>;`;

async function perl(place, script, args) {
  const child = spawn('perl', ['-e', script, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] });
  place.atEnd(() => child.kill('SIGKILL'));
  const lines = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await until('perl is ready', () => lines[0] === 'ready');
  return { child, lines };
}

// What a service manager hears on its socket, one message an entry.
export async function listenFor(place) {
  const socket = place.path('notify');
  const { lines } = await perl(place, kListen, [socket]);
  return { socket, heard: () => lines.slice(1), ticks: () => lines.filter((line) => line === 'WATCHDOG=1').length };
}

// Holds the lock that whoever writes to a SQLite database in WAL mode needs (byte 120 of its -shm file).
export async function holdWriteLock(place, database) {
  const { child } = await perl(place, kLock, [`${database}-shm`, 120]);
  return () => child.stdin.end();
}
