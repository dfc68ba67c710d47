import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Debian keeps each version in a directory of its own; the newest one, or nothing.
function findPrograms() {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  return readdirSync(root).map((version) => join(root, version, 'bin')).filter((bin) => existsSync(join(bin, 'initdb'))).sort().at(-1);
}

export const kWithoutPostgres = findPrograms() ? false : 'there is no PostgreSQL server in /usr/lib/postgresql (package postgresql-15)';

// PostgreSQL runs as no root.
function unprivileged() {
  if (process.getuid() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

// A private PostgreSQL server that keeps what it acknowledged, as a real one does. `settings` are lines of postgresql.conf.
export async function startPostgres(place, settings = []) {
  const postgres = new Postgres(place.path('pg'), findPrograms(), unprivileged());
  mkdirSync(postgres.directory);
  chmodSync(place.root, 0o755);
  if (process.getuid() === 0) execFileSync('chown', [String(postgres.as.uid), postgres.directory]);
  await postgres.run('initdb', '--username=owner', '--auth=trust', '--encoding=UTF8', '--locale=C', `--pgdata=${postgres.data}`);
  const lines = [`unix_socket_directories = '${postgres.directory}'`, `listen_addresses = ''`, 'max_connections = 60', ...settings];
  writeFileSync(join(postgres.data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  await postgres.start();
  place.atEnd(() => postgres.stop('immediate').catch(() => {}));
  return postgres;
}

class Postgres {
  constructor(directory, programs, as) {
    Object.assign(this, { directory, programs, as, data: join(directory, 'data') });
  }
  run(program, ...args) {
    return run(join(this.programs, program), args, { cwd: this.directory, ...this.as });
  }
  start() {
    return this.run('pg_ctl', '--wait', `--pgdata=${this.data}`, `--log=${join(this.directory, 'log')}`, 'start');
  }
  // `immediate` is a crash.
  stop(mode = 'fast') {
    return this.run('pg_ctl', '--wait', `--mode=${mode}`, `--pgdata=${this.data}`, 'stop');
  }
  url(user = 'owner') {
    return `postgres://${user}@/postgres?host=${encodeURIComponent(this.directory)}`;
  }
  // The rows of a query as lists of texts.
  async query(text) {
    const { stdout } = await this.run('psql', '-h', this.directory, '-U', 'owner', '-d', 'postgres', '-AtX', '-v', 'ON_ERROR_STOP=1', '-c', text);
    return stdout.split('\n').filter((line) => line).map((line) => line.split('|'));
  }
  log() {
    return readFileSync(join(this.directory, 'log'), 'utf8');
  }
}
