import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { andon, kProgram } from './support/program.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { holdWriteLock, listenFor } from './support/service_manager.mjs';
import { until } from './support/until.mjs';

const install = (place, ...args) => andon(place, ['service', 'install', '--print', ...args]);
const installSocket = (place, ...args) => andon(place, ['service', 'install', '--print-socket', ...args]);
const kNobody = execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }).trim();
const valueIn = (unit, key) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

// The verdict of systemd on a service and its socket; undefined where there is no systemd.
function verified(place, text, socket) {
  const files = { 'andon.service': text, 'andon.socket': socket };
  for (const [name, unit] of Object.entries(files)) writeFileSync(place.path(name), unit);
  const said = spawnSync('systemd-analyze', ['--user', 'verify', ...Object.keys(files).map((name) => place.path(name))], { encoding: 'utf8', env: { ...process.env, HOME: place.root, XDG_RUNTIME_DIR: place.root } });
  return said.error ? undefined : said.stdout + said.stderr;
}

test('the unit starts the server in a sandbox that its agents outlive', async (t) => {
  const place = openPlace(t);
  const { code, out } = await install(place, '--data', 'data', '--writable', '/srv/repo');
  assert.equal(code, 0);
  assert.equal(valueIn(out, 'ExecStart'), `"${kProgram}" "serve" "--data" "${place.path('data')}" "--listen" "127.0.0.1:7420"`);
  assert.equal(valueIn(out, 'ReadWritePaths'), `"-${place.path('data')}" "-/tmp" "-/var/tmp" "-${place.root}" "-/srv/repo"`);
  for (const line of ['Type=notify', 'KillMode=process', 'Delegate=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'WatchdogSec=30', 'Restart=on-failure', 'WantedBy=default.target'])
    assert.ok(out.split('\n').includes(line), line);
  const problems = verified(place, out, (await installSocket(place, '--data', 'data')).out);
  if (problems === undefined) t.diagnostic('there is no systemd-analyze');
  else assert.doesNotMatch(problems, /andon\.(service|socket)/);
});

// How much systemd says a service of the machine could do, from 0 to 10; undefined where it cannot say.
function exposure(place, text) {
  writeFileSync(place.path('andon.service'), text);
  const said = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', place.path('andon.service')], { encoding: 'utf8' });
  const level = /Overall exposure level for andon\.service: (\d+\.\d)/.exec(said.stdout ?? '');
  return level ? Number(level[1]) : undefined;
}

test('systemd finds little that a service of the machine could harm', async (t) => {
  const place = openPlace(t);
  for (const more of [[], ['--listen', '127.0.0.1:0'], ['--lan'], ['--writable', '/home/andon/.claude']]) {
    const unit = (await install(place, '--system', '--run-as', 'andon', '--data', '/srv/andon', ...more)).out;
    const level = exposure(place, unit);
    if (level === undefined) return t.skip('there is no systemd-analyze that judges a file');
    assert.ok(level <= 3.0, `${level} with ${more}`);
  }
});

test('a service of the machine opens no home but that of its account', async (t) => {
  const place = openPlace(t);
  const unit = async (...args) => (await install(place, '--data', '/srv/x', ...args)).out;
  const ofMachine = await unit('--system', '--run-as', 'nobody', '--writable', '/home/ann/.claude');
  assert.equal(valueIn(ofMachine, 'ProtectHome'), 'read-only');
  assert.equal(valueIn(ofMachine, 'ReadWritePaths'), `"-/srv/x" "-/tmp" "-/var/tmp" "-/run/user/${kNobody}" "-/home/ann/.claude"`);
  // ProtectHome would win over the very directory that it closes.
  for (const all of ['/home', '/home/', '/root', '/run/user'])
    assert.equal(valueIn(await unit('--system', '--run-as', 'nobody', '--writable', all), 'ProtectHome'), undefined, all);
  const ofUser = await unit('--read-only-home');
  assert.equal(valueIn(ofUser, 'ReadOnlyPaths'), `"-${place.root}"`);
  assert.equal(valueIn(ofUser, 'ProtectHome'), undefined);
  assert.equal(valueIn(await unit(), 'ReadOnlyPaths'), undefined);
});

test('systemd holds the address while the server starts again', async (t) => {
  const place = openPlace(t);
  const service = (await install(place, '--data', 'data', '--name', 'board', '--listen', '[::1]:7421')).out;
  assert.equal(valueIn(service, 'Requires'), 'board.socket');
  assert.equal(valueIn(service, 'After'), 'board.socket');
  const socket = (await installSocket(place, '--data', 'data', '--listen', '[::1]:7421')).out;
  assert.equal(valueIn(socket, 'ListenStream'), '[::1]:7421');
  assert.equal(valueIn((await installSocket(place, '--data', 'data', '--listen', 'localhost:7421')).out, 'ListenStream'), '127.0.0.1:7421');
  // A port that the server chooses when it starts cannot be held.
  assert.equal((await installSocket(place, '--data', 'data', '--listen', '127.0.0.1:0')).out, '');
  assert.equal(valueIn((await install(place, '--data', 'data', '--listen', '127.0.0.1:0')).out, 'Requires'), undefined);
  const { code, err } = await install(place, '--data', 'data', '--listen', '7421\nX=y');
  assert.notEqual(code, 0);
  assert.match(err, /listen/);
});

test('agents are looked for where the shell of the user finds them', async (t) => {
  const place = openPlace(t);
  const unit = async (...args) => (await andon(place, ['service', 'install', '--print', '--data', 'data', ...args], { env: { PATH: '/home/ann/.local/bin:/usr/bin%h' } })).out;
  assert.equal(valueIn(await unit(), 'Environment'), '"PATH=/home/ann/.local/bin:/usr/bin%%h"');
  assert.equal(valueIn(await unit('--system', '--run-as', 'andon'), 'Environment'), undefined);
});

test('a directory that is not there yet is told of', async (t) => {
  const place = openPlace(t);
  const { code, err } = await install(place, '--data', 'data', '--writable', place.root, '--writable', '/srv/no-such-place');
  assert.equal(code, 0);
  assert.match(err, /^\/srv\/no-such-place is not there: .*restarted$/m);
  assert.doesNotMatch(err, new RegExp(place.root));
});

test('a service for the local network or behind a proxy starts so', async (t) => {
  const place = openPlace(t);
  const atHome = (await install(place, '--data', '/srv/x', '--lan', '--system', '--run-as', 'andon')).out;
  assert.match(valueIn(atHome, 'ExecStart'), /"--lan"$/);
  assert.equal(valueIn(atHome, 'After'), 'network-online.target');
  const behind = (await install(place, '--data', '/srv/x', '--behind-tls-proxy', '--host', 'board.example.org')).out;
  assert.match(valueIn(behind, 'ExecStart'), /"--host" "board.example.org" "--behind-tls-proxy"$/);
});

test('hostile paths are escaped or refused', async (t) => {
  const place = openPlace(t);
  const { out } = await install(place, '--data', '/srv/a b%h"c\\d$HOME', '--read-only-home');
  assert.match(valueIn(out, 'ExecStart'), /"\/srv\/a b%%h\\"c\\\\d\$\$HOME"/);
  assert.equal(valueIn(out, 'ReadWritePaths'), '"-/srv/a b%%h\\"c\\\\d$HOME" "-/tmp" "-/var/tmp"');
  for (const args of [['--data', '/srv/a\nExecStartPre=/bin/evil'], ['--writable', 'relative'], ['--listen', 'a\nb'], ['--name', '../x'], ['--system']]) {
    const refused = await install(place, '--data', '/srv/x', ...args);
    assert.equal(refused.code, 1, args.join(' '));
    assert.equal(refused.out, '');
  }
  const machine = await install(place, '--data', '/srv/x', '--system', '--run-as', 'andon');
  assert.equal(valueIn(machine.out, 'User'), 'andon');
  assert.equal(valueIn(machine.out, 'WantedBy'), 'multi-user.target');
});

test('without systemctl nothing is installed, with it the service is', async (t) => {
  const place = openPlace(t);
  const bin = place.path('bin');
  mkdirSync(bin);
  const service = (...args) => andon(place, ['service', ...args], { env: { PATH: bin } });
  const refused = await service('install', '--data', 'data');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /there is no systemctl here/);
  assert.ok(!existsSync(place.path('.config')));

  writeFileSync(place.path('bin/systemctl'), `#!/bin/sh\necho "$*" >> ${place.path('calls')}\n`, { mode: 0o755 });
  assert.equal((await service('install', '--data', 'data')).code, 0);
  const file = place.path('.config/systemd/user/andon.service');
  assert.match(readFileSync(file, 'utf8'), /^Type=notify$/m);
  const socket = place.path('.config/systemd/user/andon.socket');
  assert.match(readFileSync(socket, 'utf8'), /^ListenStream=127\.0\.0\.1:7420$/m);
  // systemd can begin to listen only while the server does not; afterwards the socket stays as it is.
  assert.equal((await service('install', '--data', 'data')).code, 0);
  assert.equal((await service('status')).code, 0);
  assert.equal((await service('remove')).code, 0);
  assert.ok(!existsSync(file) && !existsSync(socket));
  assert.deepEqual(readFileSync(place.path('calls'), 'utf8').trim().split('\n').map((line) => line.replace('--no-pager --user ', '')),
    ['stop andon.service', 'disable --now andon.socket', 'daemon-reload', 'enable --now andon.socket', 'daemon-reload', 'enable andon.service', 'restart andon.service',
      'daemon-reload', 'enable andon.service', 'restart andon.service', 'status --lines=5 andon.service', 'disable --now andon.service andon.socket', 'daemon-reload']);
  assert.equal((await service('remove')).code, 1);
});

test('the service manager hears of the beginning, of every reload and of the end', async (t) => {
  const place = openPlace(t);
  const manager = await listenFor(place);
  const server = await startServer(place, { env: { NOTIFY_SOCKET: manager.socket } });
  const ready = await until('it is ready', () => manager.heard()[0]);
  assert.equal(ready, `READY=1 STATUS=listening on ${server.url}`);
  server.child.kill('SIGHUP');
  await until('it is ready again', () => manager.heard().length >= 3);
  assert.match(manager.heard()[1], /^RELOADING=1 MONOTONIC_USEC=\d+$/);
  assert.equal(manager.heard()[2], 'READY=1');
  assert.deepEqual(await server.end(), { code: 0, signal: null });
  await until('it said that it stops', () => manager.heard().at(-1).startsWith('STOPPING=1'));
});

test('a server that cannot write gives no sign of life', async (t) => {
  const place = openPlace(t);
  const manager = await listenFor(place);
  const server = await startServer(place, { env: { NOTIFY_SOCKET: manager.socket, WATCHDOG_USEC: '900000' } });
  await until('it gives signs of life', () => manager.ticks() >= 3);
  const release = await holdWriteLock(place, place.path('data', 'andon.db'));
  await until('what was under way is done', async () => (await server.http.get('/boards')).items);
  const before = manager.ticks();
  const refused = await server.http.ask('POST', '/boards', { name: 'shop' });
  assert.equal(refused.status, 503);
  assert.ok(manager.ticks() <= before + 3, 'some may have been under way; more would have come meanwhile');
  release();
  const stuck = manager.ticks();
  await until('it gives signs of life again', () => manager.ticks() >= stuck + 2);
});

test('the journal gets priorities instead of times', async (t) => {
  const place = openPlace(t);
  const journal = openSync(place.path('journal'), 'w');
  const { dev, ino } = fstatSync(journal);
  const server = await startServer(place, { env: { JOURNAL_STREAM: `${dev}:${ino}` }, log: journal });
  await server.end();
  assert.match(readFileSync(place.path('journal'), 'utf8'), /^<6>stopping$/m);
});
