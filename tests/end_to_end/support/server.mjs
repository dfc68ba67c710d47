import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient } from './http_client.mjs';
import { cleanEnvironment, kProgram, told } from './program.mjs';
import { until } from './until.mjs';

const kEndTime = 60_000; // ms

// A server, if not told otherwise on a port the system picks, ready to be asked. `under` is a command that becomes it.
export async function startServer(place, { data = place.path('data'), listen = '127.0.0.1:0', flags = [], env = {}, log = 'pipe', under = [] } = {}) {
  const [program, ...args] = [...under, kProgram, 'serve', '--data', data, '--listen', listen, ...flags];
  const child = spawn(program, args, {
    cwd: place.root, env: cleanEnvironment(place, env), stdio: ['ignore', 'pipe', log],
  });
  const server = new RunningServer(place, child, data);
  place.atEnd(() => server.end());
  await until('the server listens', () => {
    if (server.exit) throw new Error(`The server ended with ${JSON.stringify(server.exit)}: ${server.log}`);
    return server.url;
  });
  server.http = new HttpClient(server.url, server.token, server.socket);
  return server;
}

class RunningServer {
  printed = '';
  log = '';
  exit;

  constructor(place, child, data) {
    Object.assign(this, { place, child, data });
    child.stdout.setEncoding('utf8').on('data', (text) => (this.printed += text));
    child.stderr?.setEncoding('utf8').on('data', (text) => (this.log += text));
    child.on('close', (code, signal) => (this.exit = { code, signal })); // what it printed is there to its end
  }

  get pid() {
    return this.child.pid;
  }
  get url() {
    return /^listening on (\S+)$/m.exec(this.printed)?.[1];
  }
  get token() {
    return readFileSync(join(this.data, 'token'), 'utf8').trim();
  }

  // A long path has its socket elsewhere.
  get socket() {
    const pointer = join(this.data, 'andon.sock.path');
    return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(this.data, 'andon.sock');
  }

  // A command of the administrator; it finds the server through its socket.
  andon(...args) {
    return told(this.place, ['--dir', this.data, ...args]);
  }

  async end(signal = 'SIGTERM') {
    if (!this.exit) this.child.kill(signal);
    const deadline = Date.now() + kEndTime;
    await until('the server ends', () => {
      if (Date.now() > deadline) this.child.kill('SIGKILL');
      return this.exit;
    }, 2 * kEndTime);
    return this.exit;
  }
}
