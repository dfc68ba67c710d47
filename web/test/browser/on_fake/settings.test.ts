import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { api, holdStage, ownBoard } from '../stage.ts';

interface Board {
  title: string;
}

const readBoard = (page: Page, name: string) => api<Board>(page, 'GET', `/boards/${name}`);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

// Only the fake has an agent program and a repository, and can be told to refuse.
describe('The settings', () => {
  const held = holdStage();

  async function openSettings(section = ''): Promise<string> {
    const { stage } = held;
    const { board } = await ownBoard(stage);
    await stage.page.goto(`${stage.url}/b/${board}/settings${section}`);
    await stage.page.getByRole('heading', { level: 1 }).waitFor();
    return board;
  }

  test('keep what was typed when somebody else has changed the board', async () => {
    const { page } = held.stage;
    const board = await openSettings();
    await page.getByLabel('Title', { exact: true }).fill('Mine');
    // As when the stream is late.
    held.stage.fake!.store.boards.find((one) => one.name === board)!.rev += 1;
    await save(page);
    await page.getByText('Somebody changed this meanwhile.').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Mine');
    await save(page);
    await expect.poll(async () => (await readBoard(page, board)).title).toBe('Mine');
  });

  test('say what the server refuses at the field', async () => {
    const { page } = held.stage;
    await openSettings();
    await page.getByLabel('Title', { exact: true }).fill('refused');
    await save(page);
    const field = page.getByLabel('Title', { exact: true });
    await expect.poll(() => page.locator('.fault').first().innerText()).toBe('A title must be another one.');
    expect(await field.getAttribute('aria-describedby')).toContain('fault');
  });

  test('choose a repository among the directories of the server', async () => {
    const { page } = held.stage;
    const board = await openSettings();
    await page.getByRole('button', { name: 'Choose…' }).click();
    await page.getByRole('button', { name: /^shop/ }).click();
    await page.getByText('Its default branch is main').waitFor();
    await page.getByRole('button', { name: 'Use this repository' }).click();
    expect(await page.getByLabel('Repository', { exact: true }).inputValue()).toBe('/home/ann/shop');
    await save(page);
    await expect.poll(() => readBoard(page, board)).toMatchObject({ repo: '/home/ann/shop', worktree: true });
  });

  test('keep what a change may do before it lands', async () => {
    const { page, fake } = held.stage;
    const { board } = await ownBoard(held.stage);
    Object.assign(fake!.store.boards.find((one) => one.name === board)!, { repo: '/home/ann/shop', worktree: true });
    await page.goto(`${held.stage.url}/b/${board}/settings`);
    await page.getByLabel('Lost tests', { exact: true }).fill('2');
    await page.getByLabel('More files that count as checks').fill('tools/ci/**\n\n Makefile ');
    await page.getByLabel('List of tests', { exact: true }).fill("sh -c 'ls tests'");
    await page.getByLabel('Test reports', { exact: true }).fill('build/junit/*.xml');
    await page.getByLabel('Variables', { exact: true }).fill('CI=1');
    await page.getByLabel('Preview', { exact: true }).fill('npm start');
    await page.getByLabel('Title', { exact: true }).focus();
    for (const theme of process.env.ANDON_TEST_SHOTS ? ['dark', 'light'] : []) {
      await page.evaluate((value) => (document.documentElement.dataset.theme = value), theme);
      await page.getByLabel('Test reports', { exact: true }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${process.env.ANDON_TEST_SHOTS}/limits-${theme}.png` });
    }
    await save(page);
    await expect.poll(() => readBoard(page, board)).toMatchObject({
      land_limits: { lost_tests: 2, check_paths: ['tools/ci/**', 'Makefile'] }, test_list: ['sh', '-c', 'ls tests'],
      test_reports: ['build/junit/*.xml'], env: ['CI=1'], preview: ['npm', 'start'],
    });
  });

  test('add, edit, pause and remove a worker', async () => {
    const { page, fake } = held.stage;
    await openSettings('/workers');
    await page.getByRole('button', { name: 'Add a worker' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Grace H.');
    await page.getByLabel('Role', { exact: true }).fill('coder');
    await page.getByRole('radio', { name: 'teal' }).check();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Ready, version 2.1.0, signed in.').waitFor();
    await page.getByLabel('Permissions').selectOption('ask');
    await page.getByText('asks you on the board').waitFor();
    await page.getByLabel('US dollars of a day').fill('5');
    await page.getByRole('button', { name: 'Add the worker' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Edit Grace H.' }).count()).toBe(1);
    expect(fake!.store.worker('grace-h')).toMatchObject({ role: 'coder', colour: 'teal', permissions: 'ask', agent: 'claude', takes_unassigned: true, budget: { day: { usd: 5 } } });

    await page.getByRole('button', { name: 'Edit Grace H.' }).click();
    await page.getByLabel('Role document').fill('You write code.');
    await save(page);
    await page.getByRole('button', { name: 'Pause Grace H.' }).click();
    await page.getByRole('button', { name: 'Resume Grace H.' }).waitFor();
    const item = page.locator('.item', { hasText: 'Grace H.' });
    await item.getByRole('button', { name: 'Remove' }).click();
    await item.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => item.count()).toBe(0);
    expect(held.stage.complaints).toEqual([]);
  });
});
