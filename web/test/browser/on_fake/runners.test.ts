import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { still, violations } from '../axe.ts';
import { api, holdStage, kPhone, openBoard } from '../stage.ts';

const seen = (ago: number) => new Date(Date.now() - ago).toISOString();
const kMade = [
  { name: 'local', state: 'active', own: true, alive: true, running: 1 },
  { name: 'build-3', state: 'active', incarnation: 2, alive: true, running: 2, slots: 4, host: 'rack-3.example.com', version: '1.4.0', status: { seen: seen(8_000), load: 1.27, memory_free: 1 } },
  { name: 'gpu', state: 'paused', incarnation: 1, alive: true, running: 0, slots: 1, host: 'gpu-1', version: '1.3.9', status: { seen: seen(3_000), load: 0.1 }, agents: [{ id: 'claude', problem: 'it is not signed in' }] },
  { name: 'old-box', state: 'active', incarnation: 1, alive: false, running: 0, slots: 2, host: 'old-box', version: '1.4.0', status: { seen: seen(86_000_000) } },
  { name: 'spare', state: 'active', alive: false, running: 0 },
];

// Answers for the server, and returns what the page ordered.
async function playRunners(page: Page): Promise<string[]> {
  const orders: string[] = [];
  const runners = structuredClone(kMade);
  await page.route('**/api/v1/runners', (route) => route.fulfill({ json: { items: runners } }));
  await page.route('**/api/v1/runners/*/*', (route) => {
    const [name, order] = route.request().url().split('/').slice(-2);
    orders.push(`${order} ${name}`);
    Object.assign(runners.find((one) => one.name === name)!, { state: order === 'pause' ? 'paused' : 'revoked' });
    return route.fulfill({ json: {} });
  });
  return orders;
}

// Keeps a picture where ANDON_PICTURES names a folder.
async function keep(page: Page, name: string): Promise<void> {
  if (process.env.ANDON_PICTURES) await page.screenshot({ path: `${process.env.ANDON_PICTURES}/${name}.png` });
}

describe('The runners', () => {
  const held = holdStage();

  test('stand below the workers with what they do, in both themes', async () => {
    const { page } = held.stage;
    await playRunners(page);
    await openBoard(held.stage, '/b/shop');
    await page.locator('nav[aria-label="Workers"] .all').click();
    const row = page.getByRole('listitem').filter({ hasText: 'build-3' });
    await expect.poll(() => row.innerText()).toContain('2 of 4 slots');
    expect(await row.innerText()).toMatch(/active\s+2 of 4 slots\s+rack-3.example.com\s+1.4.0\s+load 1.27\s+seen \d+s ago/);
    expect(await page.getByText('Cannot start claude: it is not signed in').count()).toBe(1);
    for (const theme of ['light', 'dark']) {
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
      await still(page);
      await keep(page, `runners-${theme}`);
      expect(await violations(page)).toEqual([]);
    }
    expect(held.stage.complaints).toEqual([]);
  });

  test('are looked at again when an event tells of the dispatch', async () => {
    const { page } = held.stage;
    await playRunners(page);
    await openBoard(held.stage, '/b/shop');
    await page.locator('nav[aria-label="Workers"] .all').click();
    await page.getByText('rack-3.example.com').waitFor();
    await page.route('**/api/v1/runners', (route) => route.fulfill({ json: { items: [{ ...kMade[1], host: 'rack-4.example.com' }] } }));
    await api(page, 'PUT', '/dispatch', { paused: true });
    await page.getByText('rack-4.example.com').waitFor({ timeout: 10_000 });
    await api(page, 'PUT', '/dispatch', { paused: false });
  });

  test('are paused at once and revoked after a question', async () => {
    const { page } = held.stage;
    const orders = await playRunners(page);
    await openBoard(held.stage, '/b/shop');
    await page.locator('nav[aria-label="Workers"] .all').click();
    await page.getByRole('button', { name: 'Pause build-3' }).click();
    await page.getByRole('button', { name: 'Resume build-3' }).waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'old-box' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    expect(orders).toEqual(['pause build-3']);
    await keep(page, 'runners-revoke');
    await row.getByRole('button', { name: 'Revoke old-box' }).click();
    await expect.poll(() => orders).toEqual(['pause build-3', 'revoke old-box']);
    await expect.poll(() => row.getByRole('button').count()).toBe(0);
  });
});

describe('The runners on a phone', () => {
  const held = holdStage({}, '/', kPhone);

  test('fit the width', async () => {
    const { page } = held.stage;
    await playRunners(page);
    await openBoard(held.stage, '/b/shop');
    await page.getByRole('button', { name: 'Workers' }).click();
    await page.getByText('rack-3.example.com').waitFor();
    await page.getByText('rack-3.example.com').scrollIntoViewIfNeeded();
    await still(page);
    await keep(page, 'runners-phone');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});
