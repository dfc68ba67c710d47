import { describe, expect, test } from 'vitest';
import type { Run } from '../../../src/model/wire.ts';
import { still, violations } from '../axe.ts';
import { card, holdStage, openBoard } from '../stage.ts';

// Only the fake server lets a test say what runs have spent.
describe('The cost', () => {
  const held = holdStage();

  // Gives the first card at work runs that spent so much, and the board a budget of a dollar for a task.
  async function spend(...prices: (number | null)[]): Promise<number> {
    const { store } = held.stage.fake!;
    const task = [...store.tasks.values()].find((one) => one.board === 'shop' && one.stage === 'active' && one.run)!;
    for (const run of store.runsOf(task.id)) if (run.id !== task.run) store.runs.delete(run.id);
    const living = store.runs.get(task.run!)!;
    const [now, ...before] = prices;
    const usage = (cost_usd: number | null | undefined): Run['usage'] => ({ input: 12_000, output: 0, cost_usd });
    Object.assign(living, { usage: usage(now) });
    before.forEach((price, index) => store.runs.set(index + 1, { ...living, id: index + 1, state: 'ended', outcome: 'failed', ended: living.started, usage: usage(price) }));
    store.boards.find(({ name }) => name === 'shop')!.budget = { task: { usd: 1 } };
    await openBoard(held.stage, '/b/shop');
    return task.id;
  }

  test('of a running card is told, and stands out when its budget is spent', async () => {
    const { page } = held.stage;
    const quiet = await spend(0.42);
    await expect.poll(() => card(page, quiet).locator('.cost').innerText()).toBe('$0.42');
    expect(await card(page, quiet).locator('.cost').getAttribute('title')).toBe('Spent: $0.42 · 12k tokens · 1 run. Budget: $0.42 of $1.00');
    const near = await spend(0.42, 0.43);
    await expect.poll(() => card(page, near).locator('.cost.near').getAttribute('title')).toContain('Budget nearly spent: $0.85 of $1.00');
    const over = await spend(0.42, 0.8);
    await expect.poll(() => card(page, over).locator('.cost.reached').getAttribute('title')).toContain('Budget spent: $1.22 of $1.00');
    for (const theme of ['light', 'dark']) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
      await still(page);
      expect(await violations(page)).toEqual([]);
    }
    expect(held.stage.complaints).toEqual([]);
  });

  test('that nobody knows is never shown as nothing', async () => {
    const { page } = held.stage;
    const unknown = await spend(null);
    await expect.poll(() => card(page, unknown).locator('.cost').innerText()).toBe('12k tokens');
    const mixed = await spend(null, 0.5);
    await expect.poll(() => card(page, mixed).locator('.cost').innerText()).toBe('$0.50 + ?');
    expect(await page.locator('#board').innerText()).not.toContain('$0.00');
  });

  test('of an opened task is the sum of its runs, with its budget as a bar', async () => {
    const { page } = held.stage;
    const id = await spend(null, 0.5);
    await card(page, id).locator('a').click();
    const properties = page.getByRole('region', { name: 'Properties' });
    await expect.poll(() => properties.innerText()).toContain('$0.50 + unknown · 24k tokens · 2 runs');
    expect(await properties.getByRole('progressbar', { name: 'Budget: $0.50 + unknown of $1.00' }).getAttribute('value')).toBe('0.5');
    await page.keyboard.press('Escape');
  });

  test('of today is told for boards and workers', async () => {
    const { page } = held.stage;
    const day = '2026-11-27';
    held.stage.fake!.store.days.push(
      { board: 'shop', day, limit: { usd: 2 }, spent: { tokens: 48_000, usd: 1.8, time: '1h' } },
      { worker: 'developer', day, limit: {}, spent: { tokens: 48_000, usd: 1.8, time: '1h', unpriced: 100 } },
    );
    await openBoard(held.stage, '/b/shop');
    await page.locator('header button.switch.quiet').click();
    const boards = page.getByRole('dialog', { name: 'Boards' });
    await expect.poll(() => boards.innerText()).toContain('$1.80 of $2.00 today');
    await boards.getByRole('progressbar', { name: 'Budget nearly spent: $1.80 of $2.00' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('nav[aria-label="Workers"] .all').click();
    const workers = page.getByRole('dialog', { name: 'Workers' });
    await expect.poll(() => workers.innerText()).toContain('Today $1.80 + unknown · 48k tokens');
    expect(held.stage.complaints).toEqual([]);
  });
});
