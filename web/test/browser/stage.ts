import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, vi } from 'vitest';
import { startFakeServer, type FakeOptions, type FakeServer } from '../fake_server.ts';

const kArguments = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--headless',
];

// Against a real server when ANDON_TEST_URL names one; ANDON_TEST_CODE then signs in (session.ts). The tests of on_server/
// run there alone, those of on_fake/ need the fake, and those beside this file show different things on the two.
export const kRealServer = process.env.ANDON_TEST_URL;

export interface Stage {
  url: string;
  page: Page;
  context: BrowserContext;
  // Undefined against a real server.
  fake: FakeServer | undefined;
  // What the console complained about, without the lines a browser writes for every refused request.
  complaints: string[];
  close(): Promise<void>;
}

// What the browser of a stage runs on; a desk when left out.
export type Device = Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile'>;

export const kPhone: Device = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export async function openStage(options: FakeOptions = {}, device: Device = { viewport: { width: 1440, height: 900 } }): Promise<Stage> {
  if (!kRealServer && !existsSync('dist/index.html')) throw new Error('There is no page to test yet: npm run build makes it.');
  const fake = kRealServer ? undefined : await startFakeServer(options);
  const url = kRealServer ?? fake!.url;
  const profile = mkdtempSync(join(tmpdir(), 'andon-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.ANDON_TEST_BROWSER ?? '/usr/bin/chromium',
    args: kArguments,
    ...device,
  });
  if (inject('secret')) await context.addInitScript((secret) => localStorage.setItem('andon.secret', secret), inject('secret'));
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints: string[] = [];
  listen(page, complaints);
  return {
    url, page, context, fake, complaints,
    async close() {
      await context.close();
      await fake?.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

export function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
}

export async function openBoard({ page, url }: Stage, path = '/'): Promise<void> {
  await page.goto(url + path);
  await vi.waitUntil(async () => (await page.locator('#board').count()) === 1, { timeout: 30_000 });
}

// A stage of its own for the tests of a group; its complaints are forgotten before each test.
export function holdStage(options: FakeOptions = {}, path = '/', device?: Device): { readonly stage: Stage } {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await openStage(options, device);
    await openBoard(stage, path);
  });
  beforeEach(() => void (stage!.complaints.length = 0));
  afterAll(() => stage?.close());
  return {
    get stage() {
      return stage!;
    },
  };
}

// Asks the API as the signed-in page does.
export function api<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  return page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': String(Math.random()).slice(2), Authorization: `Bearer ${localStorage.getItem('andon.secret')}` };
      const response = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    [method, path, body] as const,
  ) as Promise<T>;
}

// A board of its own, so that a test disturbs nothing and nothing disturbs it.
// For tests that count what waits: the inbox shows all boards, so also those of earlier tests on the server they share.
export async function settleEarlierWork(page: Page): Promise<void> {
  if (!kRealServer) return;
  const { items } = await api<{ items: { id?: number }[] }>(page, 'GET', '/attention?limit=500');
  for (const { id } of items) if (id) await api(page, 'POST', `/tasks/${id}/archive`, {});
}

export async function ownBoard({ page, url }: Stage, ...titles: string[]): Promise<{ board: string; ids: number[] }> {
  const board = `page-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
  await api(page, 'POST', '/boards', { name: board, title: 'Page test' });
  const ids: number[] = [];
  for (const title of titles) ids.push((await api<{ id: number }>(page, 'POST', '/tasks', { board, title, status: 'backlog' })).id);
  await page.goto(`${url}/b/${board}`);
  await page.locator('[data-column="backlog"]').waitFor(); // an empty list is also what a page without a board has
  await expect.poll(() => titlesIn(page, 'backlog')).toEqual(titles);
  return { board, ids };
}

export function titlesIn(page: Page, column: string): Promise<string[]> {
  return page.locator(`[data-column="${column}"] .list .title`).allInnerTexts();
}

export const card = (page: Page, id: number) => page.locator(`[data-card="${id}"]`);

export async function drag(page: Page, id: number, column: string, y = 60): Promise<void> {
  const from = (await card(page, id).boundingBox())!;
  const to = (await page.locator(`[data-column="${column}"] .list`).boundingBox())!;
  await page.mouse.move(from.x + 80, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 100, from.y + 40, { steps: 3 });
  await page.mouse.move(to.x + 80, to.y + y, { steps: 8 });
  await page.mouse.up();
}
