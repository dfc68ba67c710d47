import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { still, violations } from '../axe.ts';
import { openStage, ownBoard, type Stage } from '../stage.ts';

describe('A first run', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ isNew: true });
  });
  afterAll(() => stage.close());

  test('leads from a repository to a task that is done', async () => {
    const { page, fake } = stage;
    await page.goto(stage.url);
    await page.getByRole('button', { name: /^shop/ }).click();
    await page.getByRole('button', { name: 'Use this repository' }).click();
    await page.getByText('Who does the work?').waitFor();
    expect(new URL(page.url()).pathname).toBe('/b/shop');
    await page.getByText('Ready, version 2.1.0').waitFor();
    await still(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add the worker' }).click();
    await page.getByLabel('Task', { exact: true }).fill('Say hello');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The first task is on its way.').waitFor();
    const [task] = [...fake!.store.tasks.values()];
    expect(task).toMatchObject({ title: 'Say hello', status: 'todo', assignee: 'claude' });
    fake!.simulation.dispatch();
    await page.getByText('The agent works.').waitFor();
    fake!.simulation.end(task!, 'succeeded', 'done');
    await page.getByText('The first task is done.').waitFor();
    expect(await page.getByRole('button', { name: 'Open the task' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    expect(await page.getByLabel('First steps').count()).toBe(0);
    await page.reload();
    await page.locator('[data-column="done"] [data-card]').waitFor();
    expect(await page.getByLabel('First steps').count()).toBe(0);
    expect(stage.complaints).toEqual([]);
  });

  test('asks a board without workers for one in a single line, which can be put away', async () => {
    const { page, fake } = stage;
    fake!.store.workers.length = 0;
    const { board } = await ownBoard(stage, 'an old task');
    await page.getByRole('button', { name: 'Who does the work?' }).click();
    await page.getByRole('button', { name: 'Add the worker' }).waitFor();
    await page.getByRole('button', { name: 'Put the first steps away' }).click();
    expect(await page.getByLabel('First steps').count()).toBe(0);
    await page.goto(`${stage.url}/b/${board}`);
    await page.locator('[data-card]').waitFor();
    expect(await page.getByLabel('First steps').count()).toBe(0);
  });

  test('says nothing on a new board of a team that works', async () => {
    const { page, fake } = stage;
    fake!.store.workers.push({ name: 'ada', agent: 'claude', state: 'idle' });
    await ownBoard(stage);
    await page.getByText('Ideas go here.').waitFor();
    expect(await page.getByLabel('First steps').count()).toBe(0);
  });
});
