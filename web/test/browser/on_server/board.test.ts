import { describe, expect, test } from 'vitest';
import { api, card, drag, holdStage, listen, ownBoard, titlesIn } from '../stage.ts';

describe('The board', () => {
  const held = holdStage();

  test('shows the five columns of a classic board in stage order', async () => {
    await ownBoard(held.stage);
    expect(await held.stage.page.locator('.column h2').allInnerTexts()).toEqual(['Backlog', 'To Do', 'In Progress', 'Blocked', 'Done']);
    expect(await held.stage.page.locator('[data-column="backlog"] .body').innerText()).toContain('Ideas go here');
    expect(held.stage.complaints).toEqual([]);
  });

  test('adds a task from the head of a column', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage);
    await page.getByLabel('Add a task to Backlog').click();
    await page.keyboard.type('Fix the cart #api !high');
    await page.keyboard.press('Enter');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['Fix the cart']);
    expect(await page.locator('.tag').innerText()).toBe('api');
    expect(held.stage.complaints).toEqual([]);
  });

  test('moves a card with the mouse and the server agrees', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    await drag(page, ids[0]!, 'blocked');
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['first']);
    await expect.poll(async () => (await api<{ status: string }>(page, 'GET', `/tasks/${ids[0]}`)).status).toBe('blocked');
    await page.reload();
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['first']);
    expect(held.stage.complaints).toEqual([]);
  });

  test('asks what stops a card that was dragged to Blocked, without holding it up', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await drag(page, ids[0]!, 'blocked');
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['first']);
    await page.getByRole('button', { name: 'Say why' }).last().click();
    await page.keyboard.type('the key is missing');
    await page.keyboard.press('Enter');
    await expect.poll(() => card(page, ids[0]!).innerText()).toContain('the key is missing');
    expect(await page.locator('dialog').count()).toBe(0);
    expect(held.stage.complaints).toEqual([]);
  });

  test('keeps the order that a drag inside a column made', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second', 'third');
    await drag(page, ids[2]!, 'backlog', 10);
    await expect.poll(() => titlesIn(page, 'backlog').then((titles) => titles.sort())).toHaveLength(3);
    await page.reload();
    await expect.poll(() => page.locator('[data-column="backlog"] li[aria-posinset="1"] .title').innerText()).toBe('third');
  });

  test('moves a card by keyboard alone and says so', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    await card(page, ids[1]!).locator('a').focus();
    await page.keyboard.press(' ');
    await expect.poll(() => page.locator('[role="alert"]').innerText()).toContain('Lifted “second”, Backlog, 2 of 2');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', ' ']) await page.keyboard.press(key);
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['second']);
    await expect.poll(() => page.locator('[role="alert"]').innerText()).toContain('Dropped in Blocked, 1 of 1');
    expect(await page.evaluate(() => document.activeElement?.closest('[data-card]')?.getAttribute('data-card'))).toBe(String(ids[1]));
  });

  test('leaves a card at home when Escape ends the drag', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').focus();
    for (const key of [' ', 'ArrowRight', 'Escape']) await page.keyboard.press(key);
    expect(await titlesIn(page, 'backlog')).toEqual(['first']);
  });

  test('reaches every column by the menu of a card', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).hover();
    await card(page, ids[0]!).getByLabel(/Move #/).click();
    await page.locator('[popover]').getByRole('button', { name: 'Done', exact: true }).click();
    await expect.poll(() => titlesIn(page, 'done')).toEqual(['first']);
  });

  test('lifts a card under a resting finger and carries it', async () => {
    const { page, context } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    const from = (await card(page, ids[0]!).boundingBox())!;
    const to = (await page.locator('[data-column="blocked"] .list').boundingBox())!;
    const finger = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    await touch('touchStart', from.x + 80, from.y + 30);
    await expect.poll(() => page.locator('.carrying').count()).toBe(1);
    await touch('touchMove', from.x + 100, from.y + 40);
    await touch('touchMove', to.x + 80, to.y + 20);
    await expect.poll(() => page.locator('[data-column="blocked"].target').count()).toBe(1);
    await touch('touchEnd');
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['first']);
  });

  test('counts in its title what is done while nobody looks', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    const hide = (hidden: boolean) =>
      page.evaluate((now) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: now });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await hide(true);
    for (const id of ids) await api(page, 'POST', `/tasks/${id}/move`, { status: 'done' });
    await expect.poll(() => page.title()).toContain('✓2');
    await hide(false);
    await expect.poll(() => page.title()).not.toContain('✓');
  });

  test('shows what happens in another window', async () => {
    const { page, context, complaints } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    const other = await context.newPage();
    listen(other, complaints);
    await other.goto(page.url());
    await expect.poll(() => titlesIn(other, 'backlog')).toEqual(['first']);
    await api(page, 'POST', `/tasks/${ids[0]}/move`, { status: 'blocked' });
    await expect.poll(() => titlesIn(other, 'blocked')).toEqual(['first']);
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['first']);
    await other.close();
    expect(complaints).toEqual([]);
  });

  test('is live without a SharedWorker too', async () => {
    const { page, context, complaints } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    const other = await context.newPage();
    listen(other, complaints);
    await other.addInitScript(() => Reflect.deleteProperty(window, 'SharedWorker'));
    await other.goto(page.url());
    await expect.poll(() => other.locator('.pill').innerText()).toContain('Live');
    await api(page, 'POST', `/tasks/${ids[0]}/move`, { status: 'blocked' });
    await expect.poll(() => titlesIn(other, 'blocked')).toEqual(['first']);
    await other.close();
    expect(complaints).toEqual([]);
  });

  test('opens a task by its own address, changes it and closes it', async () => {
    const { page, url } = held.stage;
    const { board, ids } = await ownBoard(held.stage, 'first');
    await page.goto(`${url}/t/${ids[0]}`);
    const title = page.getByLabel('Title');
    await expect.poll(() => title.inputValue()).toBe('first');
    await title.fill('first, renamed');
    await title.press('Enter');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first, renamed']);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Brief in Markdown').fill('**Strong** <img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('.markdown strong').innerText()).toBe('Strong');
    expect(await page.locator('.markdown img').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.drawer').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/b/${board}`);
    expect(held.stage.complaints).toEqual([]);
  });

  test('keeps a note in the history of a task', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    await page.getByLabel('Add a note').fill('Ask Ann first');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect.poll(() => page.locator('.note').allInnerTexts()).toEqual(['Ask Ann first']);
  });

  test('creates a task with the whole form', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage, 'first');
    await page.getByRole('button', { name: 'New task' }).click();
    const form = page.locator('dialog');
    await form.getByLabel('Title').fill('From the form');
    await form.getByLabel('Brief, in Markdown').fill('Details');
    await form.getByLabel('Priority').selectOption('critical');
    await form.getByLabel('Tags').fill('one, two');
    await form.getByRole('button', { name: 'Add task' }).click();
    await expect.poll(() => titlesIn(page, 'backlog').then((titles) => titles.sort())).toEqual(['From the form', 'first']);
    await expect.poll(() => page.locator('.column .list li[aria-posinset="1"] .title').first().innerText()).toBe('From the form');
  });

  test('switches boards', async () => {
    const { page } = held.stage;
    const one = await ownBoard(held.stage, 'on one');
    await ownBoard(held.stage, 'on two');
    await page.locator('header .switch').first().click();
    await expect.poll(() => page.locator('[popover] .menu-item').count()).toBeGreaterThan(1);
    await page.goBack();
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['on one']);
    expect(page.url()).toContain(one.board);
  });

  test('pauses and resumes dispatch', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage);
    const dispatch = page.getByRole('switch', { name: 'Auto-dispatch' });
    const before = await dispatch.getAttribute('aria-checked');
    await dispatch.click();
    await expect.poll(() => dispatch.getAttribute('aria-checked')).not.toBe(before);
    await dispatch.click();
    await expect.poll(() => dispatch.getAttribute('aria-checked')).toBe(before);
  });

  test('says when there is no such board', async () => {
    await held.stage.page.goto(`${held.stage.url}/b/no-such-board`);
    await expect.poll(() => held.stage.page.locator('#board').innerText()).toContain('There is no board “no-such-board”');
  });

  test('gives the focus back when a dialog is closed by its button', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage, 'first');
    await page.getByRole('button', { name: 'New task' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('New task');
  });

  test('lets the focus follow a card that somebody else moves', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    await card(page, ids[0]!).locator('a').focus();
    await api(page, 'POST', `/tasks/${ids[0]}/move`, { status: 'blocked' });
    await expect.poll(() => titlesIn(page, 'blocked')).toEqual(['first']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-card]')?.getAttribute('data-card'))).toBe(String(ids[0]));
  });

  test('shows no card of another board under the address of one', async () => {
    const { page } = held.stage;
    const one = await ownBoard(held.stage, 'on one');
    await ownBoard(held.stage, 'on two');
    await page.route(`**/boards/${one.board}/snapshot*`, (route) => setTimeout(() => void route.continue(), 500));
    await page.goBack();
    await expect.poll(() => page.url()).toContain(one.board);
    expect(await titlesIn(page, 'backlog')).not.toContain('on two');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['on one']);
    await page.unrouteAll();
  });
});

// The fake knows neither the orders of lists nor their cursors, so these need a real server.
describe('The board of a real server', () => {
  const held = holdStage();

  test('loads the cards of Done beyond the newest ones', async () => {
    const { page } = held.stage;
    const { board } = await ownBoard(held.stage);
    const tasks = Array.from({ length: 70 }, (_, index) => ({ board, title: `done ${index}`, status: 'done' }));
    await api(page, 'POST', '/tasks', tasks);
    await page.goto(`${held.stage.url}/b/${board}`);
    await expect.poll(() => page.locator('[data-column="done"] .count').innerText()).toBe('70');
    const scroll = () => page.locator('[data-column="done"] .body').evaluate((body) => void (body.scrollTop = body.scrollHeight));
    await expect.poll(async () => (await scroll(), titlesIn(page, 'done'))).toContain('done 0');
    expect(await page.locator('.toast').count()).toBe(0);
  });

  test('keeps the first card in sight where it is when others come above it', async () => {
    const { page } = held.stage;
    const { board } = await ownBoard(held.stage);
    const tasks = Array.from({ length: 30 }, (_, index) => ({ board, title: `task ${index}`, status: 'backlog' }));
    await api(page, 'POST', '/tasks', tasks);
    await expect.poll(() => page.locator('[data-column="backlog"] .count').innerText()).toBe('30');
    const body = page.locator('[data-column="backlog"] .body');
    await body.evaluate((node) => void (node.scrollTop = 1000));
    await expect.poll(() => page.locator('[data-column="backlog"] li', { hasText: 'task 12' }).count()).toBe(1);
    const place = () => page.locator('[data-column="backlog"] li', { hasText: 'task 12' }).boundingBox().then((box) => Math.round(box!.y));
    const before = await place();
    await api(page, 'POST', '/tasks', { board, title: 'urgent', status: 'backlog', priority: 'critical' });
    await expect.poll(() => page.locator('[data-column="backlog"] .count').innerText()).toBe('31');
    await expect.poll(place).toBe(before);
  });

  test('answers the question of a blocked task with one Enter', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await expect.poll(() => card(page, ids[0]!).innerText()).toContain('Which colour?');
    await card(page, ids[0]!).locator('a').click();
    await expect.poll(() => page.locator('.question .text').innerText()).toBe('Which colour?');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Your answer');
    await page.keyboard.type('green, if there is any');
    await page.keyboard.press('Enter');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    await expect.poll(() => page.locator('.note').allInnerTexts()).toEqual(['green, if there is any']);
    expect(await page.locator('.question').count()).toBe(0);
  });

  test('offers the choices of a question as buttons', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    await page.locator('.drawer').getByRole('button', { name: 'blue' }).click();
    await expect.poll(() => page.locator('.note').allInnerTexts()).toEqual(['blue']);
  });
});
