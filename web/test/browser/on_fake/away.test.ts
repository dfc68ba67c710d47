import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { still, violations } from '../axe.ts';
import { startFakeServer } from '../../fake_server.ts';
import { lastingPort } from '../../lasting_port.ts';
import { listen, openBoard, openStage, type Stage } from '../stage.ts';

async function inTheme({ page }: Stage, theme: string): Promise<void> {
  await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
  await still(page);
}

describe('Pairing a phone', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  });
  beforeEach(async () => {
    stage.complaints.length = 0;
    await openBoard(stage);
  });
  afterAll(() => stage.close());

  const open = () => stage.page.getByRole('button', { name: 'Open on your phone' }).click();

  test('the dialog shows the code, the link, its time and the risk', async () => {
    const { page } = stage;
    await open();
    const dialog = page.getByRole('dialog', { name: 'Open on your phone' });
    await dialog.getByRole('img', { name: 'QR code of the link below' }).waitFor();
    expect(await dialog.getByLabel('Link for your phone').inputValue()).toMatch(/^http:\/\/192\.168\.77\.5:7420\/#code=andon_c_a{64}$/);
    expect(await dialog.innerText()).toMatch(/works once, for 15 min/);
    expect(await dialog.innerText()).toMatch(/not encrypted/);
    for (const theme of ['light', 'dark']) {
      await inTheme(stage, theme);
      expect(await violations(stage.page)).toEqual([]);
      // Black on white in both themes, with a margin of four modules.
      const svg = dialog.locator('svg.code');
      expect(await svg.getAttribute('viewBox')).toBe('-4 -4 49 49');
      expect(await svg.locator('rect').evaluate((one) => getComputedStyle(one).fill)).toBe('rgb(255, 255, 255)');
      expect(await svg.locator('path').evaluate((one) => getComputedStyle(one).fill)).toBe('rgb(0, 0, 0)');
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    expect(stage.complaints).toEqual([]);
  });

  test('the link is copied on plain HTTP too, where the browser gives no clipboard', async () => {
    const { page } = stage;
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await open();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New task' }).first().click();
    await page.getByLabel('Title').focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Title').inputValue()).toMatch(/#code=andon_c_a{64}$/);
    await page.getByLabel('Title').fill('');
  });

  test('behind TLS nothing is said about encryption', async () => {
    stage.fake!.store.phoneOrigin = 'https://board.example.org';
    await open();
    await stage.page.getByLabel('Link for your phone').waitFor();
    expect(await stage.page.getByRole('dialog').innerText()).not.toMatch(/encrypted/);
  });

  test('the remedy is said where no phone reaches the server', async () => {
    stage.fake!.store.phoneOrigin = '';
    await open();
    await stage.page.getByRole('alert').filter({ hasText: 'No other device can reach this server' }).waitFor();
    await stage.page.getByText('andon serve --lan', { exact: true }).waitFor();
    expect(await violations(stage.page)).toEqual([]);
  });
});

// The page tries by itself as well, and then takes its button away, also during a click.
const tryAgain = (page: Page) => page.evaluate(() => document.querySelector<HTMLElement>('main .button')?.click());

describe('While the server is away', () => {
  test('the kept page says so, and shows the board again when the server is back', async () => {
    const port = await lastingPort();
    const stage = await openStage({ port });
    try {
      const { page, fake } = stage;
      await openBoard(stage, '/b/shop');
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await fake!.close();

      await page.reload();
      await page.getByRole('heading', { name: 'Andon does not answer' }).waitFor();
      const text = await page.locator('main').innerText();
      expect(text).toContain(`No answer from 127.0.0.1:${port} since`);
      expect(text).toMatch(/nothing would be live/);
      expect(text).toMatch(/tries again/);
      for (const theme of ['light', 'dark']) {
        await inTheme(stage, theme);
        expect(await violations(stage.page)).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

      const back = await startFakeServer({ port });
      try {
        await tryAgain(page);
        await expect.poll(() => page.locator('#board').count()).toBe(1);
      } finally {
        await back.close();
      }
    } finally {
      stage.fake = undefined;
      await stage.close();
    }
  });

  test('the code of a link is kept until the server is back', async () => {
    const port = await lastingPort();
    const stage = await openStage({ port });
    try {
      const { page, fake } = stage;
      await openBoard(stage);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await fake!.close();
      await page.goto('about:blank');
      await page.goto(`${stage.url}/#code=secret`);
      await page.getByRole('heading', { name: 'Andon does not answer' }).waitFor();
      expect(page.url()).not.toContain('secret');
      const back = await startFakeServer({ port, code: 'secret' });
      try {
        await tryAgain(page);
        await expect.poll(() => page.locator('#board').count()).toBe(1);
      } finally {
        await back.close();
      }
    } finally {
      stage.fake = undefined;
      await stage.close();
    }
  });

  test('data, streams and changes never come from what was kept', async () => {
    const stage = await openStage();
    try {
      await openBoard(stage);
      await stage.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      const kept = await stage.page.evaluate(async () => {
        const paths: string[] = [];
        for (const name of await caches.keys()) for (const one of await (await caches.open(name)).keys()) paths.push(new URL(one.url).pathname);
        return paths;
      });
      expect(kept).toContain('/');
      expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
    } finally {
      await stage.close();
    }
  });

  test('a newer build is shown at the next load, and replaces what was kept', async () => {
    const port = await lastingPort();
    const stage = await openStage({ port });
    const dist = mkdtempSync(join(tmpdir(), 'andon-newer-'));
    try {
      const { page } = stage;
      await openBoard(stage);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      await stage.fake!.close();
      stage.fake = undefined;

      cpSync('dist', dist, { recursive: true });
      const edit = (name: string, from: string | RegExp, to: string) => writeFileSync(join(dist, name), readFileSync(join(dist, name), 'utf8').replace(from, to));
      edit('index.html', '<head>', '<head><meta name="newer" content="yes" />');
      edit('service_worker.js', /^const kBuild = .*$/m, "const kBuild = 'newer';");
      stage.fake = await startFakeServer({ port, dist });
      await page.reload();
      expect(await page.locator('meta[name="newer"]').count()).toBe(1);
      // Browsers look for a newer worker a little after the page was loaded.
      await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['andon-newer']);

      await stage.fake.close();
      stage.fake = undefined;
      await page.reload();
      await page.getByRole('heading', { name: 'Andon does not answer' }).waitFor();
      expect(await page.locator('meta[name="newer"]').count()).toBe(1);
    } finally {
      await stage.close();
      rmSync(dist, { recursive: true, force: true });
    }
  });
});

describe('Installing the page', () => {
  test('the manifest and its icons are there', async () => {
    const stage = await openStage();
    try {
      const { page, url } = stage;
      listen(page, stage.complaints);
      await openBoard(stage);
      const manifest = await page.request.get(`${url}/manifest.webmanifest`);
      expect(manifest.headers()['content-type']).toBe('application/manifest+json');
      const { icons, start_url, display } = (await manifest.json()) as { icons: { src: string; type: string }[]; start_url: string; display: string };
      expect([start_url, display]).toEqual(['/', 'standalone']);
      for (const icon of icons) expect((await page.request.get(url + icon.src)).headers()['content-type']).toBe(icon.type);
      const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
      expect((await page.request.get(url + apple)).headers()['content-type']).toBe('image/png');
      expect(await page.locator('meta[name="theme-color"]').count()).toBe(2);
      expect(stage.complaints).toEqual([]);
    } finally {
      await stage.close();
    }
  });
});
