import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { card, holdStage, ownBoard } from '../stage.ts';

interface LatePart {
  // The rest of the address at which the page is before, after that of the board.
  at?: string;
  open(page: Page, id: number): Promise<unknown>;
  // An element of the part, which its own style sheet lays out so.
  shown: string;
  display: string;
}

const kParts: Record<string, LatePart> = {
  'the drawer': { open: (page, id) => card(page, id).click(), shown: 'aside.drawer', display: 'flex' },
  'the form of a new task': { open: (page) => page.getByRole('button', { name: 'New task' }).click(), shown: 'dialog form', display: 'grid' },
  'the settings': { open: (page) => page.getByRole('button', { name: 'Settings', exact: true }).click(), shown: 'main.settings', display: 'grid' },
  'a section of the settings': { at: '/settings', open: (page) => page.getByRole('button', { name: 'Look and sound' }).click(), shown: 'section fieldset:has([type=radio])', display: 'flex' },
};

// A network that changes, a proxy or a restart cuts the files of a part, which is loaded when it is first shown.
describe('A part of the page', () => {
  const held = holdStage();

  // A service worker would answer from the files that it keeps, without the network.
  beforeAll(() => held.stage.context.route('**/service_worker.js', (route) => route.abort()));
  afterEach(() => void (held.stage.fake!.cuts = undefined));

  for (const [name, { at, open, shown, display }] of Object.entries(kParts))
    test(`comes when its files can be read again: ${name}`, async () => {
      const { page, fake, url } = held.stage;
      const { board, ids } = await ownBoard(held.stage, 'One');
      if (at) await page.goto(`${url}/b/${board}${at}`);
      if (at) await page.getByLabel('Title', { exact: true }).waitFor();
      fake!.cuts = /^\/assets\//;
      const cut = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
      await open(page, ids[0]!);
      await cut;
      fake!.cuts = undefined;
      await page.locator(shown).first().waitFor();
      expect(await page.locator(shown).first().evaluate((node) => getComputedStyle(node).display)).toBe(display);
      expect(await page.getByText('This page is older than the server.').count()).toBe(0);
    });
});
