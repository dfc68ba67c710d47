import { describe, expect, test } from 'vitest';
import { api, card, drag, holdStage, ownBoard, settleEarlierWork, titlesIn } from '../stage.ts';

interface TaskState {
  status: string;
  title: string;
  blocked?: boolean;
}

describe('A gesture', () => {
  const held = holdStage();
  const task = (id: number) => api<TaskState>(held.stage.page, 'GET', `/tasks/${id}`);
  const toast = (text: string | RegExp) => held.stage.page.locator('.toast', { hasText: text });
  const undo = (text: string | RegExp) => toast(text).getByRole('button', { name: 'Undo' }).click();

  async function askedTwice(): Promise<number[]> {
    const { page } = held.stage;
    await settleEarlierWork(page);
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    for (const id of ids) await api(page, 'POST', `/tasks/${id}/block`, { reason: `Which colour for ${id}?`, choices: ['red', 'blue'] });
    await page.getByRole('button', { name: '2 need you' }).click();
    await expect.poll(() => page.locator('[data-item]').count()).toBe(2);
    return ids;
  }

  test('that is made twice answers one question and not the next one', async () => {
    const { page } = held.stage;
    const ids = await askedTwice();
    const first = (await page.getByRole('button', { name: `red, to #${ids[0]}` }).boundingBox())!;
    const [x, y] = [first.x + first.width / 2, first.y + first.height / 2];
    // The page itself clicks again as soon as the other row has come up: a click from here may come too late to be the same gesture.
    await page.evaluate(([x, y]) => {
      const again = () => {
        if (document.querySelectorAll('[data-item]').length > 1) return void requestAnimationFrame(again);
        document.elementFromPoint(x, y)!.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: y }));
        document.body.dataset.clicked = 'again';
      };
      again();
    }, [x, y] as const);
    await page.mouse.click(x, y);
    await page.locator('body[data-clicked="again"]').waitFor();
    expect(await page.locator('[data-item]').count()).toBe(1);
    expect((await task(ids[1]!)).blocked).toBe(true);
    // Once the row has stayed for a moment, it takes the click.
    await expect
      .poll(async () => {
        await page.mouse.click(x, y);
        return !(await task(ids[1]!)).blocked;
      }, { interval: 200 })
      .toBe(true);
  });

  test('by keys leaves the focus on the next row', async () => {
    const { page } = held.stage;
    const ids = await askedTwice();
    await page.getByRole('button', { name: `red, to #${ids[0]}` }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-item]').count()).toBe(1);
    await expect.poll(() => page.locator('[data-item]').evaluate((row) => row === document.activeElement)).toBe(true);
  });

  test('of a move is taken back by its message, and by Ctrl+Z', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second', 'third');
    await drag(page, ids[0]!, 'todo');
    await undo('Moved');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first', 'second', 'third']);
    await drag(page, ids[1]!, 'done');
    await expect.poll(() => titlesIn(page, 'done')).toEqual(['second']);
    await toast(`Moved #${ids[1]} to Done`).waitFor(); // the server has answered
    await page.keyboard.press('Control+z');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first', 'second', 'third']);
    await page.keyboard.press('Control+z');
    await toast('There is nothing to undo').waitFor();
  });

  test('of archiving, deleting, starting and editing is taken back', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    const [id] = ids as [number];
    await card(page, id).hover();
    await card(page, id).getByLabel(/Move #/).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await undo('Archived');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    await card(page, id).hover();
    await card(page, id).getByLabel(/Move #/).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual([]);
    await undo('Deleted');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    await card(page, id).getByRole('button', { name: 'Start' }).click();
    await undo('Started');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    await card(page, id).locator('a').click();
    await page.getByLabel('Title').fill('renamed');
    await page.keyboard.press('Enter');
    await undo('Changed the title');
    await expect.poll(async () => (await task(id)).title).toBe('first');
  });

  test('of the menu makes a copy, which its message opens', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).hover();
    await card(page, ids[0]!).getByLabel(/Move #/).click();
    await page.getByRole('button', { name: 'Make a copy' }).click();
    await toast(`Copied #${ids[0]}`).getByRole('button', { name: /Open #/ }).click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('first');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first', 'first']);
  });

  test('is not taken back when somebody changed the task since', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await drag(page, ids[0]!, 'todo');
    await toast('Moved').waitFor();
    await api(page, 'PATCH', `/tasks/${ids[0]}`, { title: 'by somebody else' });
    await undo('Moved');
    await toast(`Not undone: #${ids[0]} has changed since.`).waitFor();
    expect((await task(ids[0]!)).status).toBe('todo');
  });

  test('on a card that somebody archives at the same time ends in a sentence', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    const from = (await card(page, ids[0]!).boundingBox())!;
    await page.mouse.move(from.x + 80, from.y + 30);
    await page.mouse.down();
    await page.mouse.move(from.x + 300, from.y + 60, { steps: 4 });
    await api(page, 'POST', `/tasks/${ids[0]}/archive`, {});
    await toast(`#${ids[0]} was archived or deleted meanwhile.`).waitFor();
    await page.mouse.up();
    await expect.poll(() => page.locator('.carrying').count()).toBe(0);
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['second']);
    expect(held.stage.complaints).toEqual([]);
  });
});
