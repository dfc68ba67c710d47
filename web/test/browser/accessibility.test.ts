import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { still, violations } from './axe.ts';
import { api, card, kRealServer, openBoard, openStage, ownBoard, type Stage } from './stage.ts';

// On the fake these show workers, and agents at work; what a test makes itself is tried on a real server.
const kOfAllBoards: ReadonlySet<string> = new Set(['board', 'wall', 'workers']);

describe('Every view in both themes', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
    await openBoard(stage);
  });
  afterAll(() => stage.close());

  // A new store has no workers; this one is never given work.
  async function teamBoard(): Promise<void> {
    const { items } = await api<{ items: { name: string }[] }>(stage.page, 'GET', '/workers');
    if (!items.some((worker) => worker.name === 'ada')) await api(stage.page, 'POST', '/workers', { name: 'ada', agent: 'claude' });
    await ownBoard(stage, 'first');
  }

  const views: Record<string, () => Promise<void>> = {
    board: async () => {
      if (stage.fake) await stage.page.goto(`${stage.url}/b/shop`);
      else await ownBoard(stage, 'first', 'second');
      await expect.poll(() => stage.page.locator('[data-card]').count()).toBeGreaterThan(1);
    },
    drawer: async () => {
      const { ids } = await ownBoard(stage, 'first');
      await card(stage.page, ids[0]!).locator('a').click();
      await expect.poll(() => stage.page.getByLabel('Title').count()).toBe(1);
    },
    'a brief with everything': async () => {
      const { ids } = await ownBoard(stage, 'first');
      const body = '# Cart\n\nSee [the shop](https://example.org) and `code`.\n\n- [ ] one\n- [x] two\n\n> said\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```\n' + 'long '.repeat(60) + '\n```\n';
      await api(stage.page, 'PATCH', `/tasks/${ids[0]}`, { body });
      await card(stage.page, ids[0]!).locator('a').click();
      await expect.poll(() => stage.page.locator('.markdown table').count()).toBe(1);
    },
    'new task': async () => {
      await ownBoard(stage);
      await stage.page.getByRole('button', { name: 'New task' }).click();
      await expect.poll(() => stage.page.locator('dialog[open]').count()).toBe(1);
    },
    'cards that call': async () => {
      const { ids } = await ownBoard(stage, 'asks', 'blocked', 'urgent', 'over', 'queued');
      await api(stage.page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
      await api(stage.page, 'POST', `/tasks/${ids[1]}/block`, { reason: 'Ann is away' });
      await api(stage.page, 'PATCH', `/tasks/${ids[2]}`, { class: 'expedite', priority: 'high', tags: ['api'] });
      await api(stage.page, 'POST', `/tasks/${ids[3]}/move`, { status: 'done' });
      await api(stage.page, 'POST', `/tasks/${ids[4]}/move`, { status: 'todo' });
      await expect.poll(() => card(stage.page, ids[0]!).getByLabel(/^Answer/).count()).toBe(1);
      await stage.page.getByRole('button', { name: /needs? you$/ }).click();
      await expect.poll(() => stage.page.locator('[data-item]', { hasText: 'asks' }).count()).toBeGreaterThan(0);
    },
    wall: async () => {
      if (!stage.fake) await teamBoard();
      await stage.page.goto(`${stage.fake ? `${stage.url}/b/shop` : stage.page.url()}?wall=1`);
      await expect.poll(() => stage.page.locator('.tile').count()).toBeGreaterThan(0);
    },
    workers: async () => {
      if (stage.fake) await stage.page.goto(`${stage.url}/b/shop`);
      else await teamBoard();
      await stage.page.locator('.all').first().click();
    },
    sound: async () => {
      await ownBoard(stage, 'first');
      await stage.page.getByRole('button', { name: /^Sound/ }).click();
      await stage.page.getByRole('checkbox', { name: 'Quiet hours' }).waitFor();
    },
  };

  for (const [name, open] of Object.entries(views)) {
    if (!kRealServer && !kOfAllBoards.has(name)) continue;
    for (const theme of ['dark', 'light']) {
      test(`${name}, ${theme}`, async () => {
        await stage.page.evaluate((chosen) => localStorage.setItem('andon.theme', chosen), theme);
        await open();
        expect(await stage.page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
        await still(stage.page);
        expect(await violations(stage.page)).toEqual([]);
      });
    }
  }
});
