import { describe, expect, test } from 'vitest';
import { api, card, holdStage, ownBoard } from '../stage.ts';

describe('Who reads a brief', () => {
  const held = holdStage();

  async function readBrief(body: string): Promise<string> {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'PATCH', `/tasks/${ids[0]}`, { body });
    await card(page, ids[0]!).locator('a').click();
    await expect.poll(() => page.locator('.markdown').count()).toBe(1);
    return page.locator('.markdown').innerText();
  }

  test('sees the characters that an agent reads', async () => {
    const { page } = held.stage;
    const body = 'a\u202eb\u{e0041} `c\u200b` שלום 👩\u200d💻';
    expect(await readBrief(body)).toBe('a[U+202E]b[U+E0041] c[U+200B] שלום 👩\u200d💻');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Brief in Markdown').inputValue()).toBe(body);
    await expect.poll(() => page.locator('.kept').innerText()).toContain('characters that nobody sees');
  });

  test('sees the words that Markdown leaves out', async () => {
    const text = await readBrief(
      '[//]: # (one)\n\n[site](https://example.org "two")\n\n```sh three\ntrue\n```\n\n<!-- four -->\n\n| a |\n| --- |\n| b | five |\n',
    );
    for (const word of ['one', 'two', 'three', 'four', 'five']) expect(text).toContain(word);
  });

  test('follows no link without a scheme', async () => {
    const { page } = held.stage;
    expect(await readBrief('[f](//host) [g](https://example.org/)')).toContain('[f](//host)');
    expect(await page.locator('.markdown a').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))).toEqual(['https://example.org/']);
  });
});
