import { describe, expect, test } from 'vitest';
import { land } from '../../fake/reviews.ts';
import { still, violations } from '../axe.ts';
import { api, card, holdStage, kPhone, type Device } from '../stage.ts';

const kFiles = 300;
const kMostElements = 3000;

interface SimpleTask {
  id: number;
  stage: string;
}

// The fake server plays what a repository would answer; tests/end_to_end has the real one.
describe('Who reviews work', () => {
  const held = holdStage({ reviewFiles: kFiles }, '/b/bureau');

  const idsIn = async (column: string) => {
    const { items } = await api<{ items: SimpleTask[] }>(held.stage.page, 'GET', `/tasks?board=bureau&status=${column}&view=card`);
    return items.map(({ id }) => id).sort((a, b) => a - b);
  };
  const open = async (id: number) => {
    await held.stage.page.goto(`${held.stage.url}/b/bureau/review/${id}`);
    await held.stage.page.locator('.review .summary').waitFor();
  };
  const elements = () => held.stage.page.evaluate(() => document.querySelectorAll('*').length);
  const address = () => new URL(held.stage.page.url()).pathname;

  test('sees on the card how much there is to review', async () => {
    const { page } = held.stage;
    const [, second] = await idsIn('review');
    const face = card(page, second!);
    expect(await face.locator('.work').innerText()).toBe('5 files +5 −3 · 2 checks ✓ · $1.32');
    const overflow = await face.locator('.face').evaluate((one) => one.scrollHeight - one.clientHeight);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await face.locator('.foot').evaluate((foot) => foot.getBoundingClientRect().bottom - foot.closest('.face')!.getBoundingClientRect().bottom)).toBeLessThan(0);
  });

  test('opens 300 files at once and draws only what is in sight', async () => {
    const { page } = held.stage;
    const [first] = await idsIn('review');
    // The code of the view is loaded once.
    await card(page, first!).getByRole('button', { name: /Look at/ }).click();
    await page.locator('.diff .line').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-column="review"]').waitFor();
    const took = await page.evaluate(async (id) => {
      const begin = performance.now();
      document.querySelector<HTMLElement>(`[aria-label="Look at #${id}"]`)!.click();
      while (!document.querySelector('.diff .line')) await new Promise((frame) => requestAnimationFrame(frame));
      return performance.now() - begin;
    }, first!);
    console.log(`300 files, 87,000 lines: opened in ${took.toFixed(0)} ms, ${await elements()} elements`);
    expect(took).toBeLessThan(15_000);
    expect(address()).toBe(`/b/bureau/review/${first}`);
    let most = 0;
    const scroller = page.locator('.review .scroll');
    for (const share of [0, 0.1, 0.33, 0.5, 0.77, 0.99, 1]) {
      await scroller.evaluate((one, at) => (one.scrollTop = at * one.scrollHeight), share);
      await page.evaluate(() => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))));
      await expect.poll(() => page.locator('.diff .line').count()).toBeGreaterThan(20);
      most = Math.max(most, await elements());
    }
    await expect.poll(() => page.locator('.diff').innerText()).toContain('line 289 of file 300');
    await page.getByRole('button', { name: 'Split' }).click();
    await scroller.evaluate((one) => (one.scrollTop = one.scrollHeight / 2));
    await expect.poll(() => page.locator('.diff .side').count()).toBeGreaterThan(1);
    most = Math.max(most, await elements());
    console.log(`At most ${most} elements`);
    expect(most).toBeLessThanOrEqual(kMostElements);
    await page.getByRole('button', { name: 'Unified' }).click();
  });

  test('jumps to files, finds words and ticks what is read', async () => {
    const { page } = held.stage;
    const [first] = await idsIn('review');
    await open(first!);
    await page.locator('.diff .line').first().waitFor();
    await page.keyboard.press(']');
    await expect.poll(() => page.locator('.files .current').innerText()).toContain('file_2.ts');
    await page.keyboard.press('/');
    await page.keyboard.type('line 7 of file 250');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.diff .found').innerText()).toContain('line 7 of file 250');
    expect(await page.locator('.tools [role="status"]').innerText()).toBe('1 of 1');
    await page.keyboard.press('Escape');
    await page.keyboard.press('v');
    const ticked = page.locator('.files input:checked');
    await expect.poll(() => ticked.count()).toBe(1);
    const name = (await ticked.getAttribute('aria-label'))!;
    expect(name).toMatch(/file_2(49|50)\.ts$/);
    await page.reload();
    await page.locator('.diff .line').first().waitFor();
    await page.locator('.files').evaluate((one) => (one.scrollTop = 249 * 28 - 200));
    await expect.poll(() => page.getByLabel(name).isChecked()).toBe(true);
  });

  test('sees renames, new words and what has no lines', async () => {
    const { page } = held.stage;
    const [, second] = await idsIn('review');
    await open(second!);
    const diff = page.locator('.diff');
    await expect.poll(() => diff.innerText()).toContain('src/session.ts → src/store.ts');
    for (const words of ['Renamed', 'New file', 'This file has no lines to compare.', 'Only its mode changed.', '… export function forget()']) expect(await diff.innerText()).toContain(words);
    expect(await diff.locator('.added mark').first().innerText()).toBe('cart');
  });

  test('reads at twice the size of letters, with every row in its place', async () => {
    const { page } = held.stage;
    const [first] = await idsIn('review');
    await open(first!);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    const places = () =>
      page.locator('.file').first().locator('.line').evaluateAll((lines) => lines.slice(0, 8).map((line) => [line.getBoundingClientRect().top, parseFloat(getComputedStyle(line).lineHeight)]));
    await expect.poll(async () => (await places())[0]?.[1]).toBe(40);
    await expect.poll(async () => (await places()).map(([top], at, all) => (at ? top! - all[at - 1]![0]! : 40))).toEqual(Array(8).fill(40));
    await page.locator('.review .scroll').evaluate((one) => (one.scrollTop = one.scrollHeight));
    await expect.poll(() => page.locator('.diff').innerText()).toContain('line 289 of file 300');
  });

  test('comments on lines, and the comments become the note of the next attempt', async () => {
    const { page } = held.stage;
    const [, second] = await idsIn('review');
    await open(second!);
    await page.locator('.line.added').first().click();
    await page.keyboard.type('Not twice, please.');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className ?? '')).toContain('line');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page.keyboard.type('Keep what?');
    await page.reload();
    await page.locator('.comment').first().waitFor();
    expect(await page.locator('.comment textarea').evaluateAll((all) => all.map((one) => (one as HTMLTextAreaElement).value))).toEqual(['Not twice, please.', 'Keep what?']);
    await page.locator('.scroll').focus();
    await page.keyboard.press('r');
    await page.keyboard.type('Nearly there.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => idsIn('todo')).toContain(second);
    const sent = held.stage.fake!.store.events.findLast((event) => event.kind === 'task.rejected');
    expect(sent?.data?.reason).toBe('Nearly there.\n\n`src/cart.ts:4`\n\n      renew(cart);\n\nNot twice, please.\n\n`src/cart.ts:5`\n\n      keep(cart);\n\nKeep what?');
  });

  test('accepts with a key, is told of the landing there, and goes to the next review with one key', async () => {
    const { page } = held.stage;
    const ids = await idsIn('review');
    const [first, last] = [ids[0], ids.at(-1)];
    await open(last!);
    await page.keyboard.press('a');
    const status = page.locator('.landing');
    await expect.poll(() => status.innerText()).toBe('Waits to be landed');
    land(held.stage.fake!.store, last!, { state: 'landed', commit: '19e19fcd0011', branch: 'main' });
    await expect.poll(() => status.innerText()).toBe('Landed as 19e19fc on main');
    await page.keyboard.press('j');
    await expect.poll(address).toBe(`/b/bureau/review/${first}`);
    await page.locator('.diff .line').first().waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await expect.poll(() => status.innerText()).toBe('Waits to be landed');
    await page.keyboard.press('Escape');
    await expect.poll(address).toBe('/b/bureau');
    land(held.stage.fake!.store, first!, { state: 'returned', reason: 'rebase this branch', files: ['a.ts', 'b.ts'] });
    await expect.poll(() => page.locator('.toast, [role="alert"]').allInnerTexts().then((all) => all.join(' '))).toContain('Conflict in 2 files: a.ts, b.ts');
    await page.goBack();
    await expect.poll(() => status.innerText()).toContain('Conflict in 2 files');
    expect(held.stage.complaints).toEqual([]);
  });
});

const kDevices: [string, Device][] = [
  ['a desk', { viewport: { width: 1440, height: 900 } }],
  ['a small desk', { viewport: { width: 1024, height: 768 } }],
  ['a phone', kPhone],
];

describe.each(kDevices)('The review on %s', (name, device) => {
  const held = holdStage({ reviewFiles: 40 }, '/b/bureau', device);

  test.each(['dark', 'light'])('is clean in the %s theme and has its bar in sight', async (theme) => {
    const { page, url } = held.stage;
    const { items } = await api<{ items: SimpleTask[] }>(page, 'GET', '/tasks?board=bureau&status=review&view=card');
    const [first, second] = items.map(({ id }) => id).sort((a, b) => a - b);
    await page.evaluate((value) => localStorage.setItem('andon.theme', value), theme);
    for (const id of [first, second]) {
      await page.goto(`${url}/b/bureau/review/${id}`);
      await page.locator('.diff .line').first().waitFor();
      await page.locator('.diff .line.added').first().click();
      await page.locator('.comment textarea').fill('Why?');
      if (process.env.ANDON_TEST_SHOTS) await page.screenshot({ path: `${process.env.ANDON_TEST_SHOTS}/review-${name.replace(/ /g, '-')}-${theme}-${id}.png` });
      await page.locator('.scroll').evaluate((one) => (one.scrollTop = one.scrollHeight / 2));
      await still(page);
      expect(await violations(page)).toEqual([]);
      const accept = (await page.getByRole('button', { name: 'Accept', exact: true }).boundingBox())!;
      const { width, height } = device.viewport!;
      expect(accept.y + accept.height).toBeLessThanOrEqual(height);
      expect(accept.y).toBeGreaterThanOrEqual(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      if (name === 'a phone') expect(accept.height).toBeGreaterThanOrEqual(40);
    }
    await page.getByRole('button', { name: /Send back/ }).click();
    await page.getByLabel('What is to be done again?').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByLabel('What is to be done again?').count()).toBe(0);
    await page.evaluate(() => localStorage.removeItem('andon.drafts'));
  });
});
