import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Run } from '../../../src/model/wire.ts';
import { holdStage } from '../stage.ts';

const kLines = 210_000;
const kAt = '2026-07-28T09:00:00Z';

// Needs long output, which only the fake has.
describe('The log of a run', () => {
  const held = holdStage({}, '/b/shop');
  const store = () => held.stage.fake!.store;
  const run = () => [...store().runs.values()].find((one) => one.state === 'running')!;
  const log = () => held.stage.page.locator('.log');
  const field = () => held.stage.page.getByLabel('Search in the log');
  const found = () => held.stage.page.locator('.found').innerText();

  async function write(...items: [stream: string, text: string][]) {
    store().output.set(run().id, items.map(([stream, text]) => ({ at: kAt, stream, text })));
    await held.stage.page.goto(`${held.stage.url}/b/shop?t=${run().task}`);
    await log().waitFor();
  }

  async function open() {
    await held.stage.page.getByRole('button', { name: 'Open in full width' }).click();
    await field().waitFor();
  }

  test('opens from the drawer at an address of its own, and leads back', async () => {
    const { page } = held.stage;
    await write(['text', 'I look at the cart.']);
    await open();
    expect(new URL(page.url()).pathname).toBe(`/b/shop/runs/${run().task}/${run().id}`);
    await expect.poll(() => log().innerText()).toContain('I look at the cart.');
    await page.reload();
    await expect.poll(() => log().innerText()).toContain('I look at the cart.');
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).search).toBe(`?t=${run().task}`);
  });

  test('is saved as a file', async () => {
    const { page } = held.stage;
    await write(['text', 'I look at the cart.']);
    await open();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download', exact: true }).click()]);
    expect(download.suggestedFilename()).toBe(`run-${run().id}.log`);
    expect(readFileSync(await download.path(), 'utf8')).toContain('I look at the cart.');
    await page.route('**/log', (route) => route.fulfill({ status: 503, json: { code: 'BUSY', error: 'too many requests wait for the server; try again' } }));
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await expect.poll(() => page.getByText('Not downloaded').first().innerText()).toContain('Not downloaded: Too many requests wait');
    await page.unroute('**/log');
  });

  test('is looked for again while its run goes on, and then says where it is', async () => {
    const { page } = held.stage;
    const body = { code: 'NOT_FOUND', error: 'the output of run 7 is on server "east"; ask that one', details: { server: 'east' } };
    await write(['text', 'It came with its runner.']);
    let asked = 0;
    await page.route('**/output*', (route) => (++asked === 1 ? route.fulfill({ status: 404, json: body }) : route.continue()));
    await page.reload();
    await expect.poll(() => log().innerText()).toContain('It came with its runner.');
    await page.unroute('**/output*');

    await page.route('**/output*', (route) => route.fulfill({ status: 404, json: body }));
    store().runs.set(7, { ...run(), id: 7, state: 'ended', outcome: 'succeeded', ended: kAt });
    await page.goto(`${held.stage.url}/b/shop/runs/${run().task}/7`);
    await expect.poll(() => log().innerText()).toContain('The output of run 7 is on server "east"; ask that one.');
    await page.unroute('**/output*');
    store().runs.delete(7);
  });

  test('folds what tools print, until it is opened or found', async () => {
    const { page } = held.stage;
    await write(['text', 'begin'], ['tool', '▸ Bash: npm test'], ['tool', '  ok 1'], ['tool', '  needle 2'], ['text', 'end']);
    await open();
    await expect.poll(() => log().innerText()).toContain('▸ Bash: npm test · 2 lines');
    expect(await log().innerText()).not.toContain('ok 1');
    await page.getByRole('button', { name: /Bash: npm test/ }).click();
    await expect.poll(() => log().innerText()).toContain('ok 1');
    await page.getByRole('button', { name: /Bash: npm test/ }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('NEEDLE');
    await expect.poll(found).toBe('1 of 1');
    await expect.poll(() => log().locator('.hit').allInnerTexts()).toEqual(['needle']);
    await page.getByRole('button', { name: 'Unfold all' }).click();
    expect(await page.getByRole('button', { name: 'Unfold all' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('goes from hit to hit by keys', async () => {
    const { page } = held.stage;
    await write(...Array.from({ length: 300 }, (_, at): [string, string] => ['text', at % 100 === 50 ? `line ${at} breaks` : `line ${at}`]));
    await open();
    await field().fill('breaks');
    await expect.poll(found).toMatch(/of 3$/);
    await page.keyboard.press('Escape');
    const at = async () => Number((await found()).split(' ')[0]);
    const before = await at();
    await page.keyboard.press('n');
    await expect.poll(at).toBe((before % 3) + 1);
    await page.keyboard.press('N');
    await expect.poll(at).toBe(before);
    await expect.poll(() => log().locator('.current').innerText()).toContain('breaks');
  });

  test('wraps long lines and shows times', async () => {
    const { page } = held.stage;
    await write(['text', 'word '.repeat(400)], ['text', 'short']);
    await open();
    await expect.poll(() => log().innerText()).toContain('short');
    const isWide = () => log().evaluate((box) => box.scrollWidth > box.clientWidth);
    expect(await isWide()).toBe(true);
    await page.keyboard.press('w');
    await expect.poll(isWide).toBe(false);
    await page.keyboard.press('t');
    await expect.poll(() => log().locator('.time').first().innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
    await page.keyboard.press('t');
    await page.keyboard.press('w');
  });

  test('takes a note and says whom it reaches', async () => {
    const { page } = held.stage;
    await write(['text', 'at work']);
    await open();
    expect(await page.locator('#note-reach').innerText()).toContain('The agent at work does not get it.');
    await page.getByLabel('Note on the task').fill('Look at the cookie first.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect.poll(() => page.getByLabel('Note on the task').inputValue()).toBe('');
    expect(held.stage.complaints).toEqual([]);
  });

  test('stands beside that of another attempt', async () => {
    const { page } = held.stage;
    const own = run();
    const earlier: Run = { ...own, id: 5, attempt: 0, state: 'ended', outcome: 'failed', ended: kAt, reason: 'The tests fail.' };
    store().runs.set(5, earlier);
    store().output.set(5, [{ at: kAt, stream: 'text', text: 'the first try' }]);
    await write(['text', 'the second try']);
    await open();
    await page.getByLabel('Attempt beside it').selectOption('5');
    await expect.poll(() => log().allInnerTexts()).toEqual([expect.stringContaining('the second try'), expect.stringContaining('the first try')]);
    expect(new URL(page.url()).search).toBe('?beside=5');
    const [left, right] = await Promise.all([0, 1].map((at) => log().nth(at).boundingBox()));
    expect(right!.x).toBeGreaterThan(left!.x + left!.width);
    store().runs.delete(5);
  });

  test('of 210,000 lines scrolls smoothly, wrapped or not, and says what it no longer shows', async () => {
    const { page } = held.stage;
    store().output.set(run().id, Array.from({ length: kLines }, (_, at) => ({ at: kAt, stream: 'text', text: `${at} src/cart/session.ts renews the cart before it expires ${at % 10_000 ? '' : 'FAILED'}` })));
    await page.goto(`${held.stage.url}/b/shop/runs/${run().task}/${run().id}`);
    await expect.poll(() => log().innerText(), { timeout: 60_000 }).toContain(`${kLines - 1} src`);
    expect(await page.locator('.note').innerText()).toContain('The first 10000 lines are no longer shown here');
    for (const wrapped of [false, true]) {
      if (wrapped) await page.keyboard.press('w');
      const p95 = await log().evaluate(async (box) => {
        const times: number[] = [];
        let last = performance.now();
        for (let frame = 0; frame < 120; frame += 1) {
          box.scrollTop += frame % 20 ? 240 : -0.05 * box.scrollHeight;
          await new Promise((drawn) => requestAnimationFrame(drawn));
          times.push(performance.now() - last);
          last = performance.now();
        }
        return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
      });
      console.log(`200,000 lines${wrapped ? ', wrapped' : ''}: 95% of the frames within ${p95.toFixed(1)} ms`);
      expect(p95).toBeLessThan(400);
    }
    await page.keyboard.press('w');
    await field().fill('failed');
    await expect.poll(found, { timeout: 20_000 }).toMatch(/^\d+ of 20$/);
    expect(await page.locator('.note').innerText()).toContain('the search looks at the last 200000 lines');
  }, 120_000);
});
