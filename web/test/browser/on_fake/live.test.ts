import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { card, drag, listen, openBoard, openStage, titlesIn, type Stage } from '../stage.ts';

// Needs workers and runs that do as they are told, which only the fake has.
describe('Workers and runs', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
    await openBoard(stage, '/b/shop');
  });
  afterAll(() => stage.close());

  const store = () => stage.fake!.store;
  const idOf = (title: string) => [...store().tasks.values()].find((task) => task.title.startsWith(title))!.id;

  test('takes a card back and says why when its worker is busy', async () => {
    const { page } = stage;
    const id = idOf('Migrate the retry policy');
    await drag(page, id, 'in_progress');
    await expect.poll(() => page.locator('.toast').innerText()).toContain('Not moved: Worker "developer" already has task #12');
    await expect.poll(() => titlesIn(page, 'todo')).toContain('Migrate the retry policy for outbound webhooks');
    await page.getByRole('button', { name: 'Open #12' }).click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Cache product pages at the edge');
    await page.keyboard.press('Escape');
  });

  test('tells beneath the workers how Telegram does', async () => {
    const { page } = stage;
    await page.getByRole('button', { name: /of \d+ working/ }).click();
    await expect.poll(() => page.locator('.chat').innerText()).toMatch(/^Telegram @shop_bot: in contact \S/);
    await page.keyboard.press('Escape');
  });

  test('takes a card back when the column is full', async () => {
    const { page } = stage;
    stage.fake!.simulation.dispatch();
    await expect.poll(() => page.locator('[data-column="in_progress"] .count').innerText()).toContain('4 / 4');
    await drag(page, idOf('Rate limit for password resets'), 'in_progress');
    await expect.poll(() => page.locator('.toast p').allInnerTexts()).toContain('Not moved: In Progress is full (4/4).');
    await expect.poll(() => titlesIn(page, 'backlog')).toContain('Rate limit for password resets');
  });

  test('shows the progress line and the output of a run as they grow', async () => {
    const { page } = stage;
    const id = idOf('Cache product pages');
    await card(page, id).locator('a').click();
    stage.fake!.simulation.step();
    await expect.poll(() => page.locator('.log').innerText()).toContain('$ git switch -c andon/12');
    for (let step = 0; step < 5; step += 1) stage.fake!.simulation.step();
    await expect.poll(() => page.locator('.log .fg-2').allInnerTexts()).toContain('+ if (cart.expires < now) renew(cart);');
    await expect.poll(() => card(page, id).locator('.live').innerText()).toContain('if (cart.expires');
    await page.keyboard.press('Escape');
  });

  test('stops a run only after asking, with the focus on the harmless answer', async () => {
    const { page } = stage;
    const id = idOf('Dark theme for the shop');
    await card(page, id).getByLabel(/Stop the run/).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Keep running');
    await page.keyboard.press('Enter');
    expect(store().task(id).stage).toBe('active');
    await card(page, id).getByLabel(/Stop the run/).click();
    await page.getByRole('button', { name: 'Stop the run', exact: true }).click();
    await expect.poll(() => titlesIn(page, 'backlog')).toContain('Dark theme for the shop');
  });

  test('follows the theme of the system until somebody chooses one', async () => {
    const { page } = stage;
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(theme).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(theme).toBe('light');
  });

  test('shows only the cards of a chosen worker', async () => {
    const { page } = stage;
    await page.locator('.badge', { hasText: 'Security' }).click();
    await expect.poll(() => page.locator('[data-card] .who').allInnerTexts().then((names) => [...new Set(names)])).toEqual(['Security']);
    expect(page.url()).toContain('worker=security');
    await page.locator('.badge', { hasText: 'Security' }).click();
    await expect.poll(() => page.locator('[data-card]').count()).toBeGreaterThan(10);
  });

  test('continues where it was after the stream was cut', async () => {
    const { page, fake } = stage;
    fake!.cutStreams();
    fake!.simulation.end(store().task(idOf('Walk through the checkout')), 'succeeded', 'done');
    await expect.poll(() => titlesIn(page, 'done')).toContain('Walk through the checkout on three phones and note what breaks');
  });

  test('offers a worker for an agent that is installed', async () => {
    const { page } = stage;
    await page.getByRole('button', { name: 'Add a worker for Claude Code' }).click();
    await expect.poll(() => page.locator('.badge .name').allInnerTexts()).toContain('Claude Code');
    await expect.poll(() => page.locator('aside[aria-label="Suggestion"]').count()).toBe(0);
  });

  test('makes no complaint in the console', () => {
    expect(stage.complaints).toEqual([]);
  });
});

// The page loads after the board is drawn what is not needed for that.
describe('A server that goes away while the page loads', () => {
  test('is followed when it is back', async () => {
    const stage = await openStage();
    const { page } = stage;
    stage.fake!.cuts = /stream_worker|events/;
    await openBoard(stage, '/b/shop');
    await expect.poll(() => page.locator('.pill').innerText()).toMatch(/^Retry/);
    const { simulation, store } = stage.fake!;
    simulation.end([...store.tasks.values()].find(({ title }) => title === 'Dark theme for the shop')!, 'succeeded', 'done');
    stage.fake!.cuts = undefined;
    await expect.poll(() => titlesIn(page, 'done')).toContain('Dark theme for the shop');
    await expect.poll(() => page.locator('.pill').innerText()).toContain('Live');
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });
});

describe('A server that has too much to do while the page loads', () => {
  test('is asked again for the task of the drawer', async () => {
    const stage = await openStage();
    const { page } = stage;
    const { id } = [...stage.fake!.store.tasks.values()].find(({ board }) => board === 'shop')!;
    stage.fake!.busy = /^\/api\/v1\/tasks\//;
    const refused = page.waitForResponse((response) => response.status() === 503);
    await openBoard(stage, `/b/shop?t=${id}`);
    await refused;
    stage.fake!.busy = undefined;
    await page.getByLabel('Add a note').waitFor();
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });

  test('keeps what is typed into settings that were opened before the board came', async () => {
    const stage = await openStage();
    const { page } = stage;
    await openBoard(stage, '/b/shop');
    stage.fake!.busy = /\/snapshot$/;
    const refused = page.waitForResponse((response) => response.status() === 503);
    await page.goto(`${stage.url}/b/shop/settings`);
    await refused;
    stage.fake!.busy = undefined;
    await page.getByLabel('Description').fill('All of the shop');
    await page.goto(`${stage.url}/b/shop/settings`);
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('All of the shop');
    await stage.close();
  });

  test('is asked again for the settings of the board', async () => {
    const stage = await openStage();
    const { page } = stage;
    await openBoard(stage, '/b/shop');
    stage.fake!.busy = /^\/api\/v1\/boards\/shop$/;
    const refused = page.waitForResponse((response) => response.status() === 503);
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await refused;
    stage.fake!.busy = undefined;
    await page.getByLabel('Title', { exact: true }).waitFor();
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });
});

describe('A long board', () => {
  test('draws a window of its columns and loads what follows', async () => {
    const stage = await openStage({ extraTasks: 1200 });
    const { page } = stage;
    await page.goto(`${stage.url}/b/shop`);
    await expect.poll(() => page.locator('[data-column="done"] .count').innerText()).toBe('605');
    expect(await page.locator('[data-card]').count()).toBeLessThan(80);
    await page.locator('[data-column="done"] .body').evaluate((body) => (body.scrollTop = 1e6));
    await expect.poll(() => page.locator('[data-column="done"] .list').evaluate((list) => list.scrollHeight)).toBeGreaterThan(200 * 36);
    expect(await page.locator('[data-card]').count()).toBeLessThan(80);
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });
});

describe('Signing in', () => {
  let stage: Stage;

  beforeAll(async () => void (stage = await openStage({ code: 'right' })));
  afterAll(() => stage.close());

  test('says how, when nobody is signed in', async () => {
    await stage.page.goto(stage.url);
    await expect.poll(() => stage.page.locator('main').innerText()).toContain('andon open');
  });

  test('refuses a code that is used or wrong', async () => {
    await stage.page.goto(`${stage.url}/#code=wrong`);
    await expect.poll(() => stage.page.locator('.refused').innerText()).toContain('has been used or is too old');
  });

  test('takes the code of a link and removes it from the address', async () => {
    await stage.page.goto(`${stage.url}/b/shop#code=right`);
    await expect.poll(() => stage.page.locator('[data-card]').count()).toBeGreaterThan(10);
    expect(stage.page.url()).not.toContain('code');
    expect(await stage.page.evaluate(() => [document.cookie, ...Object.keys(sessionStorage)])).toEqual(['']);
    expect(stage.complaints).toEqual([]);
  });

  test('in one page signs the others in and out', async () => {
    const { page, context, url } = stage;
    const other = await context.newPage();
    listen(other, stage.complaints);
    const shown = (tab: Page) => expect.poll(() => tab.locator('[data-card]').count()).toBeGreaterThan(10);
    await other.goto(`${url}/b/shop`);
    await shown(other);
    await other.reload();
    await shown(other);
    await page.evaluate(() => localStorage.removeItem('andon.secret')); // the storage of this origin is emptied
    await expect.poll(() => other.locator('main').innerText()).toContain('andon open');
    await page.goto(`${url}/b/shop`);
    await expect.poll(() => page.locator('main').innerText()).toContain('andon open');
    await page.getByLabel('Or paste the link').fill('right');
    await page.getByRole('button', { name: 'Sign in' }).click();
    for (const tab of [page, other]) {
      await shown(tab);
      await expect.poll(() => tab.locator('.pill').innerText()).toContain('Live');
    }
    await other.close();
    expect(stage.complaints).toEqual([]);
  });

  test('out of the settings signs this browser out', async () => {
    const { page, url, fake } = stage;
    await page.goto(`${url}/b/shop/settings/access`);
    await page.getByRole('button', { name: 'Sign this browser out' }).click();
    await expect.poll(() => page.locator('main').innerText()).toContain('andon open');
    expect(await page.evaluate(() => localStorage.getItem('andon.secret'))).toBeNull();
    expect(fake!.signedOut).toBe(1);
    await page.goto(`${url}/b/shop#code=right`);
    await expect.poll(() => page.locator('[data-card]').count()).toBeGreaterThan(10);
  });

  test('goes on where it was after the session was over', async () => {
    const { page, fake } = stage;
    fake!.secret = 'andon_p_next';
    fake!.cutStreams();
    await expect.poll(() => page.locator('main').innerText()).toContain('andon open');
    await page.getByLabel('Or paste the link').fill('http://127.0.0.1/#code=right');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => page.locator('.pill').innerText()).toContain('Live');
    fake!.simulation.end([...fake!.store.tasks.values()].find((task) => task.title === 'Dark theme for the shop')!, 'succeeded', 'done');
    await expect.poll(() => titlesIn(page, 'done')).toContain('Dark theme for the shop');
    expect(stage.complaints).toEqual([]);
  });
});
