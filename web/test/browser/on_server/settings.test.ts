import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { still, violations } from '../axe.ts';
import { api, kPhone, openBoard, openStage, ownBoard, type Stage } from '../stage.ts';

interface Board {
  title: string;
  rev: number;
  columns: { name: string; title: string; stage: string; wip_limit?: number }[];
  checks?: Record<string, string[]>;
}

const readBoard = (page: Page, name: string) => api<Board>(page, 'GET', `/boards/${name}`);
// A command of the person at the machine of the server.
const onMachine = (...words: string[]) => execFileSync(process.env.ANDON_PROGRAM!, [...words, '--dir', process.env.ANDON_TEST_DATA!]);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const nav = (page: Page, section: string) => page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: section });

describe('The settings', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await openBoard(stage);
  });
  beforeEach(() => void (stage.complaints.length = 0));
  afterAll(() => stage.close());

  async function openSettings(section = ''): Promise<string> {
    const { board } = await ownBoard(stage);
    await stage.page.goto(`${stage.url}/b/${board}/settings${section}`);
    await stage.page.getByRole('heading', { level: 1 }).waitFor();
    return board;
  }

  test('are reached from the top bar and left with Escape and Back', async () => {
    const { page } = stage;
    await ownBoard(stage);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('form', { name: 'Board' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/b\/page-.*\/settings$/);
    await page.keyboard.press('Escape');
    await page.locator('[data-column="backlog"]').waitFor();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('form', { name: 'Board' }).waitFor();
    await page.goBack();
    await page.locator('[data-column="backlog"]').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  test('are reached from the list of boards and from the workers', async () => {
    const { page } = stage;
    const name = `tester-${Date.now().toString(36)}`;
    await api(page, 'POST', '/workers', { name, title: `Tester ${name}`, agent: 'generic' });
    const { board } = await ownBoard(stage);
    await page.getByRole('button', { name: 'Page test' }).click();
    await page.getByRole('button', { name: 'Board settings' }).click();
    await page.getByRole('form', { name: 'Board' }).waitFor();
    await page.goto(`${stage.url}/b/${board}`);
    await page.locator('.all').first().click();
    await page.getByRole('button', { name: `Edit Tester ${name}` }).click();
    await page.getByRole('form', { name: `Tester ${name}` }).waitFor();
    await api(page, 'DELETE', `/workers/${name}`);
    expect(stage.complaints).toEqual([]);
  });

  test('change a board, and send only what was changed', async () => {
    const { page } = stage;
    const board = await openSettings();
    await page.getByLabel('Title', { exact: true }).fill('Web Shop');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save(page);
    expect((await sent).postDataJSON()).toEqual({ title: 'Web Shop' });
    expect((await sent).headers()['if-match']).toBe('"1"');
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
    expect((await readBoard(page, board)).title).toBe('Web Shop');
    await expect.poll(() => page.getByRole('button', { name: 'Back to Web Shop' }).count()).toBe(1);
  });

  test('keep a draft when they are left', async () => {
    const { page } = stage;
    const board = await openSettings();
    await page.getByLabel('Description').fill('All of the shop');
    await page.keyboard.press('Escape');
    await page.locator('[data-column="backlog"]').waitFor();
    await page.reload();
    await page.goto(`${stage.url}/b/${board}/settings`);
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('All of the shop');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Description').inputValue()).toBe('');
  });

  test('mend a board whose reviews nobody sees', async () => {
    const { page } = stage;
    const board = await openSettings();
    await page.getByText('No column takes reviews').waitFor();
    await page.getByRole('button', { name: 'Add a Review column' }).click();
    expect(await page.getByText('No column takes reviews').count()).toBe(0);
    await save(page);
    await expect.poll(async () => (await readBoard(page, board)).columns.map((one) => one.stage)).toContain('review');
  });

  test('change columns, limits and checks', async () => {
    const { page } = stage;
    const board = await openSettings();
    await page.getByLabel('WIP limit of To Do').fill('8');
    await page.getByLabel('Title of a new column').fill('Waiting');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move Waiting up' }).click();
    await page.getByRole('button', { name: 'Remove Blocked' }).click();
    await page.getByLabel('Name of a new check').fill('unit');
    await page.getByLabel('Command of the new check').fill('sh -c "make test"');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    const command = await page.locator('form[aria-label="Board"] code').textContent();
    expect((await readBoard(page, board)).checks ?? {}).toEqual({});
    onMachine(...command!.split(' ').slice(1), '--yes');
    await expect.poll(async () => (await readBoard(page, board)).columns.map((one) => one.title)).toEqual(['Backlog', 'To Do', 'In Progress', 'Waiting', 'Done']);
    const after = await readBoard(page, board);
    expect(after.columns[1]!.wip_limit).toBe(8);
    expect(after.checks).toEqual({ unit: ['sh', '-c', 'make test'] });
  });

  test('add an automation and run it', async () => {
    const { page } = stage;
    const board = await openSettings('/automations');
    await page.getByRole('button', { name: 'Add an automation' }).click();
    await page.getByLabel('Name', { exact: true }).fill('morning plan');
    await page.getByLabel('Schedule').selectOption('0 7 * * *');
    await page.getByLabel('Title', { exact: true }).fill('Plan the day');
    await page.getByRole('button', { name: 'Add the automation' }).click();
    await page.getByText('Every day at 07:00').waitFor();
    await page.getByRole('switch', { name: 'morning-plan fires by itself' }).click();
    await expect.poll(() => page.getByRole('switch', { name: 'morning-plan fires by itself' }).innerText()).toBe('Off');
    await page.getByRole('button', { name: 'Run morning-plan now' }).click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/b/${board}`);
  });

  test('make a token, show it once and revoke it', async () => {
    const { page } = stage;
    await openSettings('/access');
    await page.getByLabel('Person').fill('build');
    await page.getByRole('button', { name: 'Make a token' }).click();
    expect(await page.getByLabel('The new token').inputValue()).toMatch(/^andon_t_[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByLabel('The new token').count()).toBe(0);
    const item = page.locator('.item', { hasText: 'build' });
    await item.getByRole('button', { name: 'Revoke' }).click();
    await item.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => item.count()).toBe(0);
  });

  const kThemes = ['dark', 'light'];
  const kPlaces = ['', '/workers', '/workers/', '/automations/', '/access', '/agents', '/storage', '/look'];

  for (const theme of kThemes) {
    test(`break no rule of accessibility, ${theme}`, async () => {
      const { page } = stage;
      const { board } = await ownBoard(stage);
      await page.evaluate((chosen) => localStorage.setItem('andon.theme', chosen), theme);
      for (const place of kPlaces) {
        await page.goto(`${stage.url}/b/${board}/settings${place}`);
        await page.locator('section .head, section form, section fieldset').first().waitFor();
        if (!place) await page.getByRole('button', { name: 'Choose…' }).click();
        await still(page);
        expect(await violations(page), place).toEqual([]);
      }
      expect(stage.complaints).toEqual([]);
    });
  }

  test('are turned over by their list', async () => {
    const { page } = stage;
    await openSettings();
    for (const section of ['Workers', 'Automations', 'Access', 'Agents', 'Storage', 'Look and sound', 'Board']) {
      await nav(page, section).click();
      await page.getByRole('heading', { level: 1, name: section }).waitFor();
    }
    expect(stage.complaints).toEqual([]);
  });
});

describe('The settings on a phone', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({}, kPhone);
  });
  afterAll(() => stage.close());

  test('are under More, with a list of sections', async () => {
    const { page } = stage;
    const name = `tester-${Date.now().toString(36)}`;
    await page.goto(stage.url);
    await api(page, 'POST', '/workers', { name, title: `Tester ${name}`, agent: 'generic' });
    await ownBoard(stage);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('form', { name: 'Board' }).waitFor();
    await page.getByLabel('Section').selectOption('workers');
    await page.getByRole('button', { name: `Edit Tester ${name}` }).waitFor();
    await api(page, 'DELETE', `/workers/${name}`);
    expect(stage.complaints).toEqual([]);
  });

  for (const width of [320, 390, 430]) {
    test(`stay within ${width} px, with targets for a finger`, async () => {
      const { page } = stage;
      await page.setViewportSize({ width, height: 844 });
      await page.goto(stage.url);
      const { board } = await ownBoard(stage);
      for (const place of ['', '/workers', '/workers/', '/automations/', '/access', '/agents', '/storage', '/look']) {
        await page.goto(`${stage.url}/b/${board}/settings${place}`);
        await page.locator('section .head, section form, section fieldset').first().waitFor();
        expect(await page.evaluate(() => document.querySelector('.settings')!.scrollWidth - innerWidth), place).toBeLessThanOrEqual(0);
        const small = await page.locator('.settings :is(button, select, input:not([type="checkbox"], [type="radio"]))').evaluateAll((all) =>
          all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 39.5).map((one) => `${one.textContent} ${one.getBoundingClientRect().height}`));
        expect(small, place).toEqual([]);
      }
    });
  }
});
