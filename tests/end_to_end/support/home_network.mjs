import { spawn, spawnSync } from 'node:child_process';

// A network namespace in which the machine has the given addresses on one interface. The kernel may know only some of
// the kinds of interfaces.
const script = (addresses) => `
  ip link set lo up || exit 9
  ip link add home0 type dummy 2>/dev/null || ip link add home0 type bridge 2>/dev/null || exit 9
  ${addresses.map((address) => `ip addr add ${address} dev home0 || exit 9`).join('\n')}
  ip link set home0 up || exit 9
  exec "$@"`;

// The command under which a program is in such a network.
export const inNetworkWith = (...addresses) => ['unshare', '--map-root-user', '--net', 'sh', '-c', script(addresses), 'sh'];

// Whether this machine lets a test make such a network, and enter it again.
export function canMakeNetworks() {
  const [program, ...args] = inNetworkWith('192.168.77.5/24');
  const isMade = spawnSync(program, [...args, 'true']).status === 0;
  return isMade && spawnSync('nsenter', ['--version']).status === 0;
}

const asking = `
  const { host, port, method, path, headers, body } = JSON.parse(process.argv[1]);
  const request = require('node:http').request({ host, port, method, path, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => console.log(JSON.stringify({ status: response.statusCode, headers: response.headers, text })));
  });
  request.on('error', (problem) => console.log(JSON.stringify({ error: problem.code })));
  request.end(body);`;

// Asks from inside the network of a process: {status, headers, text}, or {error} where nobody listens.
export function askInside(pid, { host, port, method = 'GET', path = '/', headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const child = spawn('nsenter', ['--target', String(pid), '--user', '--preserve-credentials', '--net', process.execPath, '-e', asking,
      JSON.stringify({ host, port, method, path, headers, body })], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
    child.on('error', reject).on('close', () => (out ? resolve(JSON.parse(out)) : reject(new Error('nobody answered from inside the network'))));
  });
}
