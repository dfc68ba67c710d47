import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { card, holdStage, ownBoard } from '../stage.ts';

// A picture of one pixel.
const kPixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

// The fake server keeps no files.
describe('Files of a task', () => {
  const held = holdStage();

  // Pastes a picture, as a browser hands it over, into the field that has the focus.
  async function paste(type: string) {
    await held.stage.page.evaluate(
      ([base64, type]) => {
        const bytes = Uint8Array.from(atob(base64!), (one) => one.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], 'image.png', { type }));
        document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      [kPixel, type] as const,
    );
  }

  test('are pasted into a brief, which shows them after it is saved', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const brief = page.getByLabel('Brief in Markdown');
    await brief.fill('See ');
    await brief.press('End');
    await paste('image/png');
    await expect.poll(() => brief.inputValue()).toMatch(/^See !\[pasted-[\d-]+\.png\]\(attachment:pasted-[\d-]+\.png\)$/);
    await page.getByRole('button', { name: 'Save' }).click();
    const drawn = page.locator('.markdown .file img');
    await expect.poll(() => drawn.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(1);
    await expect.poll(() => card(page, ids[0]!).getByTitle('Files').innerText()).toBe('1');
    expect(held.stage.complaints).toEqual([]);
  });

  test('are attached, shown large and removed in the drawer', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    const files = page.getByRole('region', { name: 'Files' });
    await files.locator('input').setInputFiles([
      { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from(kPixel, 'base64') },
      { name: 'shot.png', mimeType: 'image/png', buffer: Buffer.from(kPixel, 'base64') },
      { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ]);
    await expect.poll(() => files.getByTitle(/^Download/).allInnerTexts()).toEqual(['shot.png', 'shot-2.png']);
    await expect.poll(() => files.getByRole('alert').innerText()).toBe('Not attached: The file is empty.');
    await files.getByRole('button', { name: 'Show shot.png' }).click();
    await expect.poll(() => page.getByRole('dialog', { name: 'shot.png' }).count()).toBe(1);
    const large = page.getByRole('dialog', { name: 'shot.png' }).getByAltText('shot.png');
    await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(1);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('shot.png');
    expect(readFileSync(await download.path()).toString('base64')).toBe(kPixel);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog', { name: 'shot.png' }).count()).toBe(0);
    await files.getByRole('button', { name: 'Remove shot.png' }).click();
    await expect.poll(() => files.getByTitle(/^Download/).allInnerTexts()).toEqual(['shot-2.png']);
  });

  test('wait in the form of a new task until it is there', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage);
    await page.getByRole('button', { name: 'New task' }).click();
    await page.getByLabel('Title').fill('Blue cart');
    await page.getByLabel('Brief, in Markdown').focus();
    await paste('image/png');
    await page.getByRole('button', { name: 'Add task' }).click();
    await page.locator('[data-column="backlog"] [data-card] a').first().click();
    await expect.poll(() => page.getByRole('region', { name: 'Files' }).getByTitle(/^Download/).count()).toBe(1);
    await expect.poll(() => page.locator('.markdown .file img').count()).toBe(1);
  });
});
