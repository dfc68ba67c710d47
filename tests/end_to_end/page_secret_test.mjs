import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { ended, moveTo, newTask, openShop } from './support/agents.mjs';
import { lastingAddress } from './support/address.mjs';
import { missing, openTab } from './support/browser.mjs';
import { openPlace } from './support/place.mjs';
import { startServer } from './support/server.mjs';
import { until } from './support/until.mjs';

const skip = missing();

// A picture of one pixel.
const kPixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const signedOut = (page) => page.getByText('andon open').first().waitFor();
const secretOf = (page) => page.evaluate(() => localStorage.getItem('andon.secret'));
const asks = (server, secret) => fetch(`${server.url}/api/v1/boards`, { headers: { Authorization: `Bearer ${secret}` } }).then(({ status }) => status);

async function openPage(t, scripts = {}) {
  const place = openPlace(t);
  const address = await lastingAddress();
  const server = await startServer(place, { listen: address, flags: ['--print-link'] });
  await openShop(server, scripts);
  const tab = await openTab(place);
  const link = await until('the link is printed', () => /^open (\S+)$/m.exec(server.printed)?.[1]);
  await tab.page.goto(link);
  await tab.page.locator('#board').waitFor();
  return { place, address, server, link, ...tab };
}

// A server of an agent: it answers everything with a page that tries to use the board's server, and keeps what it got.
async function serveAsAgent(t, target) {
  const got = [];
  const server = createServer((request, response) => {
    got.push({ url: request.url, headers: request.headers });
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(`<!doctype html><title>trying</title><iframe src="${target}/"></iframe><img src="${target}/api/v1/boards"><script type="module">
      const asks = (how) => fetch('${target}/api/v1/boards', how).then((answer) => answer.type + answer.status, () => 'refused');
      const outcome = [await asks({ credentials: 'include' }), await asks({ mode: 'no-cors', credentials: 'include' })];
      try { outcome.push(String(window.opener?.localStorage.length ?? 'no opener')); } catch (error) { outcome.push(error.name); }
      try { outcome.push(frames[0].localStorage.length); } catch (error) { outcome.push(error.name); }
      document.title = JSON.stringify([...outcome, document.cookie, Object.keys(localStorage).length, document.referrer]);
    </script>`);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => new Promise((done) => (server.closeAllConnections(), server.close(done))));
  return { port: server.address().port, got };
}

async function assertGotNothing(page, name) {
  await until('the page of the agent has tried everything', async () => (await page.title()).startsWith('['));
  const [read, blind, opener, frame, ...kept] = JSON.parse(await page.title());
  assert.deepEqual([read, opener], ['refused', 'no opener'], name);
  assert.ok(frame === 'SecurityError' || frame === 0, `${name}: an empty frame is all there is`);
  assert.match(blind, /^(opaque0|refused)$/);
  assert.deepEqual(kept, ['', 0, ''], name);
}

test('a server of an agent on another port gets nothing of the session', { skip }, async (t) => {
  const { page, server, complaints } = await openPage(t);
  const secret = await secretOf(page);
  assert.match(secret, /^andon_p_[0-9a-f]{64}$/);
  assert.equal(await page.evaluate(() => document.cookie), '');
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(await asks(server, secret), 200);

  const agent = await serveAsAgent(t, server.url);
  for (const host of ['127.0.0.1', 'localhost']) {
    const address = `http://${host}:${agent.port}/from/${host}`;
    const task = await newTask(server, `See ${host}`, { body: `[the preview](${address}) is up` });
    await page.goto(`${server.url}/t/${task.id}`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'the preview' }).click();
    const popup = await opened;
    await assertGotNothing(popup, `${host}, by a click`);
    await popup.close();
    await page.evaluate((to) => location.assign(to), address);
    await assertGotNothing(page, `${host}, by navigation`);
    await page.goBack();
    await page.locator('#board').waitFor();
  }
  assert.ok(agent.got.length >= 4, 'the agent was asked');
  for (const { url, headers } of agent.got) {
    assert.doesNotMatch(JSON.stringify([url, headers]), /andon_|authorization|cookie/i);
    assert.ok(!headers.referer?.startsWith(server.url), 'the agent learns of no page that led to it');
  }
  assert.deepEqual(await page.context().cookies(), []);
  // In this tab the page of the agent came twice, and the browser refused it both ways.
  const refusals = (what) => complaints.filter((line) => line.includes(what)).length;
  assert.deepEqual([refusals('frame-ancestors'), refusals('CORS policy'), complaints.length], [2, 2, 4], complaints.join('\n'));
});

test('the secret is in no address, no history, no cache and no log', { skip }, async (t) => {
  const { page, server, link, complaints } = await openPage(t);
  const secret = await secretOf(page);
  const asked = [];
  page.context().on('request', (request) => asked.push(request.url()));
  await page.reload();
  await page.locator('#board').waitFor();
  await newTask(server, 'Fix the cart');
  await page.locator('[data-card]').first().locator('a').click();
  await page.locator('.drawer').waitFor();
  assert.ok(asked.length > 5);
  const code = new URL(link).hash.slice('#code='.length);
  for (const url of [...asked, page.url()]) assert.ok(!url.includes(secret) && !url.includes(code), url);
  const cached = await page.evaluate(async () => {
    const texts = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) texts.push(request.url, JSON.stringify([...request.headers]));
    return texts;
  });
  assert.ok(!cached.join().includes(secret) && !cached.join().includes('/api/'), 'the cache of the service worker');
  await page.goBack();
  assert.ok(!page.url().includes(code));
  assert.ok(!(server.log + server.printed).includes(secret));
  assert.deepEqual(complaints, []);
});

test('all pages of a browser stay signed in through a restart, and sign out together', { skip }, async (t) => {
  const { place, address, server, page, complaints } = await openPage(t);
  const other = await page.context().newPage();
  await other.goto(`${server.url}/b/shop`);
  await other.locator('#board').waitFor();
  await page.reload();
  await page.locator('#board').waitFor();
  await server.end();
  const next = await startServer(place, { listen: address });
  const task = await newTask(next, 'Made after the restart');
  for (const one of [page, other]) await one.locator(`[data-card="${task.id}"]`).waitFor();

  const secret = await secretOf(page);
  await page.goto(`${next.url}/b/shop/settings/access`);
  await page.getByRole('button', { name: 'Sign this browser out' }).click();
  for (const one of [page, other]) await signedOut(one);
  assert.equal(await secretOf(other), null);
  assert.equal(await asks(next, secret), 401);

  // A link opened in one page brings the other back as well.
  await page.goto((await next.andon('open')).trim());
  for (const one of [page, other]) await one.locator('#board').waitFor();
  const later = await newTask(next, 'Made after the second sign-in');
  for (const one of [page, other]) await one.goto(`${next.url}/b/shop`);
  for (const one of [page, other]) await one.locator(`[data-card="${later.id}"]`).waitFor();
  assert.deepEqual(complaints, []);
});

test('a session that was revoked elsewhere ends in every page', { skip }, async (t) => {
  const { server, page, complaints } = await openPage(t);
  const other = await page.context().newPage();
  await other.goto(`${server.url}/b/shop`);
  await other.locator('#board').waitFor();
  const { items } = await server.http.get('/tokens');
  await server.http.ask('DELETE', `/tokens/${items.find(({ kind }) => kind === 'session').id}`);
  for (const one of [page, other]) await signedOut(one);
  assert.deepEqual(complaints, []);
});

test('pictures are drawn and files are saved without a link that holds the secret', { skip }, async (t) => {
  const { server, page, complaints } = await openPage(t, { ann: 'cat > /dev/null; echo "first words"' });
  const task = await newTask(server, 'See the picture', { assignee: 'ann', body: '![the shot](attachment:shot.png)' });
  const attached = await fetch(`${server.url}/api/v1/tasks/${task.id}/attachments/shot.png`, {
    method: 'PUT', headers: { Authorization: `Bearer ${server.token}`, 'Content-Type': 'image/png' }, body: kPixel,
  });
  assert.ok(attached.ok);
  await moveTo(server, task, 'todo');
  const run = await ended(server, task);
  await page.goto(`${server.url}/t/${task.id}`);
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };
  const drawn = page.locator('.markdown .file img');
  await until('the picture is drawn', async () => (await drawn.evaluate((image) => image.complete && image.naturalWidth)) === 1);
  assert.match(await drawn.getAttribute('src'), /^blob:/);
  assert.deepEqual(await saved(page.getByRole('region', { name: 'Files' }).getByTitle('Download shot.png')), ['shot.png', kPixel]);
  await page.goto(`${server.url}/b/shop/runs/${task.id}/${run.id}`);
  const [name, log] = await saved(page.getByRole('button', { name: 'Download', exact: true }));
  assert.equal(name, `run-${run.id}.log`);
  assert.match(log.toString(), /first words/);
  // Addresses of files open nothing by themselves.
  assert.equal((await page.goto(`${server.url}/api/v1/tasks/${task.id}/attachments/shot.png`)).status(), 401);
  assert.deepEqual(complaints, []);
});
