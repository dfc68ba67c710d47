import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { askInside, canMakeNetworks, inNetworkWith } from './support/home_network.mjs';
import { openPlace } from './support/place.mjs';
import { andon, kProgram } from './support/program.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const skip = canMakeNetworks() ? false : 'this machine makes no network namespaces for tests';
const kHome = '192.168.77.5';
const kPublic = '203.0.113.9';

const serveAtHome = (place, ...flags) =>
  startServer(place, { flags: ['--lan', '--no-runner', ...flags], under: inNetworkWith(`${kHome}/24`, `${kPublic}/24`) });

test('--lan serves the private address, says its risk, and leaves the public one alone', { skip }, async (t) => {
  const place = openPlace(t);
  const server = await serveAtHome(place);
  const port = Number(new URL(server.url).port);
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:/);
  for (const risk of [/not encrypted: everyone in this network can read what passes, and can take over a signed-in session/, /proxy that ends TLS/])
    await until('the risk is told', () => risk.test(server.log));
  const ask = (host, name) => askInside(server.pid, { host, port, path: '/healthz', headers: { Host: name } });
  assert.equal((await ask(kHome, `${kHome}:${port}`)).status, 200);
  assert.equal((await ask('127.0.0.1', `127.0.0.1:${port}`)).status, 200);
  for (const name of [`evil.example:${port}`, kHome, `${kHome}:1`, `${kPublic}:${port}`, `localhost.evil:${port}`])
    assert.equal((await ask(kHome, name)).status, 403, name);
  assert.equal((await ask(kPublic, `${kHome}:${port}`)).error, 'ECONNREFUSED');
  assert.match((await andon(place, ['--dir', server.data, 'doctor'])).out, new RegExp(`network: with --lan other devices reach the server at http://${kHome}:${port} without encryption`));
});

test('a phone signs in by the link that open --phone prints', { skip }, async (t) => {
  const place = openPlace(t);
  const server = await serveAtHome(place);
  const port = Number(new URL(server.url).port);
  const link = await server.andon('open', '--phone', '--json');
  assert.deepEqual(Object.keys(link).sort(), ['expires_at', 'url']);
  const [origin, code] = link.url.split('/#code=');
  assert.equal(origin, `http://${kHome}:${port}`);
  assert.ok(Date.parse(link.expires_at) > Date.now());

  const ask = (method, path, headers, body) =>
    askInside(server.pid, { host: kHome, port, method, path, headers: { Host: `${kHome}:${port}`, ...headers }, body: body && JSON.stringify(body) });
  const json = { 'Content-Type': 'application/json', Origin: origin };
  const signedIn = await ask('POST', '/api/v1/session', json, { code });
  assert.equal(signedIn.status, 200);
  assert.equal(signedIn.headers['set-cookie'], undefined);
  const session = { Authorization: `Bearer ${JSON.parse(signedIn.text).secret}` };
  assert.equal((await ask('GET', '/api/v1/boards', session)).status, 200);
  assert.equal((await ask('POST', '/api/v1/boards', { ...json, ...session }, { name: 'phone' })).status, 201);
  assert.equal((await ask('POST', '/api/v1/session', json, { code })).status, 401, 'the link works once');

  const next = await ask('POST', '/api/v1/session/phone', { ...json, ...session }, {});
  assert.equal(next.status, 201);
  assert.match(JSON.parse(next.text).url, new RegExp(`^${origin}/#code=andon_c_[0-9a-f]{64}$`));
  assert.equal((await ask('POST', '/api/v1/session/phone', { ...json, ...session, Origin: 'http://evil.example' }, {})).status, 403);

  const text = await server.andon('open', '--phone', '--no-color');
  assert.match(text, new RegExp(`^${origin}/#code=\\S+\\n$`));
});

test('--print-link prints the link for the phone too', { skip }, async (t) => {
  const server = await serveAtHome(openPlace(t), '--print-link');
  await until('the link for the phone is printed', () => /^on your phone: .*\n/m.test(server.printed));
  assert.match(server.printed, new RegExp(`^in this network http://${kHome}:\\d+$`, 'm'));
  assert.match(server.printed, new RegExp(`^on your phone: http://${kHome}:\\d+/#code=\\S+$`, 'm'));
});

test('without a private address --lan is an error of the start', { skip }, (t) => {
  const place = openPlace(t);
  const [program, ...args] = [...inNetworkWith(`${kPublic}/24`), kProgram, 'serve', '--data', place.path('data'), '--listen', '127.0.0.1:0', '--lan'];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: place.root } });
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /--lan finds no private address on this machine .*connect it to your network and start again/);
});

test('a server for this machine alone has no link for a phone, and says what helps', async (t) => {
  const place = openPlace(t);
  const server = await startServer(place, { flags: ['--no-runner'] });
  const { code, err } = await andon(place, ['--dir', server.data, 'open', '--phone']);
  assert.equal(code, 1);
  assert.match(err, /no other device can reach this server.*andon serve --lan.*--behind-tls-proxy --host NAME/);
  const refused = await server.http.ask('POST', '/session/phone', {});
  assert.equal(refused.status, 409);
});

test('behind a proxy the link for a phone names the proxy', async (t) => {
  const server = await startServer(openPlace(t), { flags: ['--no-runner', '--behind-tls-proxy', '--host', 'board.example.org'] });
  const { url } = await server.andon('open', '--phone', '--json');
  assert.match(url, /^https:\/\/board\.example\.org\/#code=/);
});

test('--lan and a proxy exclude each other, and other addresses than loopback stay refused', async (t) => {
  const place = openPlace(t);
  const serve = (...flags) => andon(place, ['serve', '--data', place.path('data'), ...flags]);
  const both = await serve('--lan', '--behind-tls-proxy');
  assert.equal(both.code, 1);
  assert.match(both.err, /--lan and --behind-tls-proxy exclude each other/);
  const open = await serve('--listen', '0.0.0.0:0');
  assert.equal(open.code, 1);
  assert.match(open.err, /refusing to listen on 0\.0\.0\.0:0: .*--behind-tls-proxy.*--lan/);
});
