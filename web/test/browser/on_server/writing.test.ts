import { describe, expect, test } from 'vitest';
import { api, card, holdStage, ownBoard, titlesIn } from '../stage.ts';

describe('What a person has typed', () => {
  const held = holdStage();

  test('in a brief outlives Escape, the drawer and the page', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Brief in Markdown').fill('Half a thought');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.kept').innerText()).toContain('Draft kept');
    await page.reload();
    await page.getByRole('button', { name: 'Continue the draft' }).click();
    expect(await page.getByLabel('Brief in Markdown').inputValue()).toBe('Half a thought');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('.markdown').innerText()).toBe('Half a thought');
    await expect.poll(() => page.locator('.kept').count()).toBe(0);
  });

  test('in a brief goes only when it is discarded', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Brief in Markdown').fill('Not wanted');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Edit' }).count()).toBe(1);
    expect(await page.locator('.kept').count()).toBe(0);
  });

  test('in a brief does not replace what somebody else wrote without a word', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Brief in Markdown').fill('Half a thought');
    await page.keyboard.press('Escape');
    await api(page, 'PATCH', `/tasks/${ids[0]}`, { body: 'Written by Ann' });
    await page.reload();
    await page.getByRole('button', { name: 'Continue the draft' }).click();
    await expect.poll(() => page.locator('.kept').innerText()).toContain('Somebody changed the brief');
  });

  test('in a note outlives Escape, which leaves the drawer open', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    await page.getByLabel('Add a note').fill('Ask Ann');
    await page.keyboard.press('Escape');
    expect(await page.locator('.drawer').count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.getByLabel('Add a note').inputValue()).toBe('Ask Ann');
  });

  test('in a new task is there when the form is opened again', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage, 'first');
    await page.getByRole('button', { name: 'New task' }).click();
    await page.locator('dialog').getByLabel('Title').fill('An idea');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'New task' }).click();
    await expect.poll(() => page.locator('dialog').getByLabel('Title').inputValue()).toBe('An idea');
    await page.getByRole('button', { name: 'Add task' }).click();
    await expect.poll(() => titlesIn(page, 'backlog').then((titles) => titles.sort())).toEqual(['An idea', 'first']);
    await page.getByRole('button', { name: 'New task' }).click();
    await expect.poll(() => page.locator('dialog').getByLabel('Title').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });
});
