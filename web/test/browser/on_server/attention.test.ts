import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import type { AttentionEntry } from '../../../src/model/attention_list.ts';
import { violations, still } from '../axe.ts';
import { api, holdStage, ownBoard, titlesIn } from '../stage.ts';

const kMakes = 'window.shown = []; window.Notification = class { static permission = "default"; static async requestPermission() { return (window.Notification.permission = window.answer ?? "granted"); } constructor(title, options) { window.shown.push({ title, ...options, click: () => this.onclick() }); } close() {} };';

describe('What waits for the person on all boards', () => {
  const held = holdStage();
  const rows = () => held.stage.page.locator('[data-item]');
  const told = (items: AttentionEntry[]) =>
    held.stage.page.route('**/api/v1/attention*', (route) => route.fulfill({ json: { items, counts: Object.fromEntries(items.map(({ kind }) => [kind, items.filter((one) => one.kind === kind).length])) } }));
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

  afterEach(() => held.stage.page.unrouteAll({ behavior: 'ignoreErrors' }));

  async function withOthers(): Promise<{ there: number[]; other: string }> {
    const { page } = held.stage;
    const { board: other, ids: there } = await ownBoard(held.stage, 'asks there', 'made by ada', 'made by an agent');
    await api(page, 'POST', `/tasks/${there[0]}/block`, { reason: 'Which size?', choices: ['S', 'L'] });
    const since = new Date().toISOString();
    await told([
      { kind: 'question', board: other, id: there[0], title: 'asks there', status: 'blocked', choices: ['S', 'L'], text: 'Which size?', since },
      { kind: 'approval', board: other, id: there[1], title: 'made by ada', status: 'backlog', text: 'made by worker:ada', since: '2026-11-21T09:00:00.000Z' },
      { kind: 'approval', board: other, id: there[2], title: 'made by an agent', status: 'backlog', text: 'made by worker:dev', since },
      { kind: 'limit', account: 'claude', until: since, text: 'usage limit', since },
    ]);
    const { ids } = await ownBoard(held.stage, 'asks here');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    return { there, other };
  }

  test('is counted, opened with G A and dealt with by keys, and the focus stays on the list', async () => {
    const { page } = held.stage;
    const { there } = await withOthers();
    await page.getByRole('button', { name: '5 need you' }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(5\) /);
    await page.locator('#board').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/attention');
    await expect.poll(() => rows().count()).toBe(5);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Questions 2', 'To approve 2', 'Accounts and workers at rest 1']);
    expect(await rows().nth(2).innerText()).toContain('Page test');
    await page.keyboard.press('j');
    for (let i = 0; i < 2; i++) await page.keyboard.press('j');
    expect(await focused(page)).toContain('made by ada');
    await page.keyboard.press('a');
    await expect.poll(() => api<{ status: string }>(page, 'GET', `/tasks/${there[1]}`).then(({ status }) => status)).toBe('todo');
    await expect.poll(() => rows().count()).toBe(4);
    await expect.poll(() => focused(page)).toContain('made by an agent');
    await page.locator('.toast', { hasText: 'Started' }).getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('a');
    await expect.poll(() => api<{ status: string }>(page, 'GET', `/tasks/${there[2]}`).then(({ status }) => status)).toBe('todo');
    expect(held.stage.complaints).toEqual([]);
  });

  test('is answered in its row, by choice and in words', async () => {
    const { page } = held.stage;
    const { there } = await withOthers();
    await page.getByRole('button', { name: '5 need you' }).click();
    await page.getByRole('button', { name: `L, to #${there[0]}` }).click();
    await expect.poll(() => api<{ blocked?: boolean }>(page, 'GET', `/tasks/${there[0]}`).then(({ blocked }) => !!blocked)).toBe(false);
    await rows().filter({ hasText: 'asks here' }).focus();
    await page.keyboard.press('r');
    await page.keyboard.type('green');
    await page.keyboard.press('Escape');
    expect(await page.locator('textarea').inputValue()).toBe('green');
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['asks here']);
  });

  test('opens on its own board', async () => {
    const { page } = held.stage;
    const { other, there } = await withOthers();
    await page.getByRole('button', { name: '5 need you' }).click();
    await rows().filter({ hasText: 'asks there' }).click();
    await expect.poll(() => page.url()).toContain(`/b/${other}?t=${there[0]}`);
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('asks there');
  });

  for (const theme of ['dark', 'light']) {
    test(`can be used by everyone, ${theme}`, async () => {
      const { page, url } = held.stage;
      await page.evaluate((chosen) => localStorage.setItem('andon.theme', chosen), theme);
      await withOthers();
      await page.goto(`${url}/attention`);
      await expect.poll(() => rows().count()).toBeGreaterThan(3);
      await still(page);
      expect(await violations(page)).toEqual([]);
      if (process.env.ANDON_SHOTS) await page.screenshot({ path: `${process.env.ANDON_SHOTS}/attention_${theme}.png` });
    });
  }

  test('is told on the desktop after a click, with a way to the task', async () => {
    const { page, url } = held.stage;
    await page.addInitScript(kMakes);
    const { other, there } = await withOthers();
    await page.goto(`${url}/attention`);
    await page.getByLabel('Desktop notifications').check();
    await page.getByText('Shown while you look elsewhere.').waitFor();
    await page.evaluate(() => (document.hasFocus = () => false));
    await told([{ kind: 'failed', board: other, id: there[0], title: 'asks there', status: 'blocked', text: 'exit code 1', since: new Date().toISOString() }]);
    // The page asks when it is seen again.
    const shown = () => page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'));
      return (window as never as { shown: { title: string; body: string; tag: string }[] }).shown;
    });
    await expect.poll(shown).toMatchObject([{ title: `#${there[0]} asks there`, body: 'Task failed: exit code 1', tag: `andon failed ${there[0]}` }]);
    await page.evaluate(() => (window as never as { shown: { click(): void }[] }).shown[0]!.click());
    await expect.poll(() => page.url()).toContain(`/b/${other}?t=${there[0]}`);
    await page.evaluate(() => localStorage.removeItem('andon.notify'));
  });

  test('is not told when the browser refuses, and the page says so', async () => {
    const { page, url } = held.stage;
    await page.addInitScript(`${kMakes} window.answer = "denied";`);
    await page.goto(`${url}/attention`);
    await page.getByLabel('Desktop notifications').click();
    await page.getByText('The browser blocks notifications from this address.').waitFor();
    expect(await page.getByLabel('Desktop notifications').isChecked()).toBe(false);
  });
});
