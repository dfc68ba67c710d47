import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { still, violations } from './axe.ts';
import { api, card, kPhone, kRealServer, openStage, ownBoard, type Stage } from './stage.ts';

const kWidths = [320, 390, 430];
const kThemes = ['dark', 'light'];
const kHeight = 844;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({}, kPhone);
  await stage.page.goto(stage.url);
});
beforeEach(async () => {
  stage.complaints.length = 0;
  await size(390);
});
afterAll(() => stage.close());

const size = (width: number, height = kHeight) => stage.page.setViewportSize({ width, height });
const bar = (name: string | RegExp) => stage.page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name });
const sheet = () => stage.page.locator('.drawer');
const button = (name: string) => stage.page.getByRole('button', { name, exact: true });

const kQuestion = 'Which limit: five tries per hour or ten per day, and does it count per address or per account, also for those who signed in?';

// A board with a card of each weight that a phone shows.
async function busyBoard(): Promise<number[]> {
  const { ids } = await ownBoard(stage, 'Rate limit for password resets', 'Photos of the spring collection', 'Search forgets its filters when the page is reloaded', 'Old', 'Queued');
  const { page } = stage;
  await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: kQuestion, choices: ['Five per hour, counted per account', 'Ten per day'] });
  await api(page, 'POST', `/tasks/${ids[1]}/block`, { reason: 'The photographer is away' });
  await api(page, 'PATCH', `/tasks/${ids[2]}`, { class: 'expedite', priority: 'high', tags: ['api', 'search'] });
  await api(page, 'POST', `/tasks/${ids[3]}/move`, { status: 'done' });
  await api(page, 'POST', `/tasks/${ids[4]}/move`, { status: 'todo' });
  await expect.poll(() => page.locator('section', { hasText: 'Needs you' }).getByLabel(/^Answer/).count()).toBeGreaterThan(0);
  return ids;
}

// What lies beyond the left or right edge of the screen. What scrolls sideways by itself may.
function beyondTheEdge(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrollsSideways = (element: Element | null): boolean =>
      !!element && (/(auto|scroll)/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth ? true : scrollsSideways(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen, .skip, .text-probe'))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (right > innerWidth + 1 || left < -1) && !scrollsSideways(element.parentElement);
      })
      .map((element) => `${element.tagName} ${element.className} "${element.textContent?.trim().slice(0, 30)}"`);
  });
}

// Cards whose texts need more room than the card has.
function cutCards(page: Page): Promise<string[]> {
  return page.locator('#board .face').evaluateAll((faces) =>
    faces.filter((face) => face.scrollHeight > face.clientHeight + 1).map((face) => `${face.textContent?.trim().slice(0, 40)}: ${face.scrollHeight} in ${face.clientHeight}`),
  );
}

const views: Record<string, () => Promise<void>> = {
  board: async () => undefined,
  'needs you': async () => {
    await bar(/^Needs you/).click();
    await stage.page.locator('[data-item]').first().waitFor();
  },
  more: async () => {
    await button('More').click();
    await stage.page.getByRole('dialog', { name: 'More' }).waitFor();
  },
  sounds: async () => {
    await button('More').click();
    await stage.page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: /^Sound/ }).click();
    await stage.page.getByRole('button', { name: /^Play / }).first().waitFor();
  },
  workers: async () => {
    await stage.page.getByRole('button', { name: /^All \d+ workers/ }).click();
    await stage.page.getByRole('dialog', { name: 'Workers' }).waitFor();
  },
  boards: async () => {
    await stage.page.locator('header .switch').click();
    await stage.page.getByRole('dialog', { name: 'Boards' }).waitFor();
  },
  task: async () => {
    await stage.page.locator('[data-card] a').first().click();
    await stage.page.getByLabel('Title').waitFor();
  },
  'new task': async () => {
    await bar('New task').click();
    await stage.page.locator('dialog[open]').waitFor();
    await stage.page.locator('dialog summary').click();
  },
  wall: async () => {
    await bar('Wall').click();
    await stage.page.locator('.wall').waitFor();
  },
};

// The fake has several boards, with workers and agents at work; what the test itself makes is tried on a real server.
const kOfAllBoards: ReadonlySet<string> = new Set(['needs you', 'workers', 'boards', 'wall']);
const onServer = test.runIf(kRealServer);

describe('On a phone', () => {
  for (const width of kWidths) {
    for (const theme of kThemes) {
      test(`nothing is cut and axe finds nothing, ${width} px, ${theme}`, async () => {
        const { page } = stage;
        await size(width);
        await page.evaluate((chosen) => localStorage.setItem('andon.theme', chosen), theme);
        await busyBoard();
        expect(await cutCards(page)).toEqual([]);
        const board = page.url();
        for (const [name, open] of Object.entries(views)) {
          if (!kRealServer && !kOfAllBoards.has(name)) continue;
          if (name === 'workers' && !(await page.getByRole('button', { name: /^All \d+ workers/ }).count())) continue;
          await open();
          await still(page);
          expect([name, await beyondTheEdge(page)]).toEqual([name, []]);
          expect([name, await violations(page)]).toEqual([name, []]);
          await page.goto(board);
          await page.locator('[data-card]').first().waitFor();
        }
        expect(stage.complaints).toEqual([]);
      }, 120_000);
    }
  }

  onServer('text at 200 % is not cut', async () => {
    const { page } = stage;
    await busyBoard();
    const board = page.url();
    for (const [name, open] of Object.entries(views)) {
      if (name === 'workers') continue;
      await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
      await expect.poll(() => page.locator('.face .title').first().evaluate((title) => parseFloat(getComputedStyle(title).fontSize))).toBeGreaterThan(25);
      await open();
      await still(page);
      expect([name, await beyondTheEdge(page)]).toEqual([name, []]);
      expect([name, await cutCards(page)]).toEqual([name, []]);
      await page.goto(board);
      await page.locator('[data-card]').first().waitFor();
    }
  });

  onServer('held across it stays a phone, and nothing is cut', async () => {
    await size(844, 390);
    await busyBoard();
    for (const name of ['board', 'new task']) {
      await views[name]!();
      expect([name, await beyondTheEdge(stage.page)]).toEqual([name, []]);
    }
    await stage.page.keyboard.press('Escape');
    await views.task!();
    const [top, header] = [(await sheet().boundingBox())!.y, (await stage.page.locator('.drawer header').boundingBox())!];
    expect(top).toBeGreaterThan(0);
    expect(header.y + header.height).toBeLessThan(390);
  });

  onServer('the board begins with what needs the person, the whole question and its answers', async () => {
    const { page } = stage;
    const [asking] = await busyBoard();
    const first = page.locator('#board > *').first();
    expect(await first.getByRole('heading').innerText()).toMatch(/^Needs you/);
    expect(await first.locator('.text').evaluate((text) => text.scrollHeight <= text.clientHeight + 1)).toBe(true);
    await first.getByRole('button', { name: 'Five per hour, counted per account' }).click();
    await expect.poll(() => api<{ blocked: boolean }>(page, 'GET', `/tasks/${asking}`).then((task) => task.blocked ?? false)).toBe(false);
    await expect.poll(() => first.getByText(kQuestion).count()).toBe(0);
  });

  onServer('more than three that need the person are shown when asked for', async () => {
    const { page } = stage;
    const { ids } = await ownBoard(stage, 'a', 'b', 'c', 'd', 'e');
    for (const id of ids) await api(page, 'POST', `/tasks/${id}/block`, { reason: 'Which?', choices: ['this', 'that'] });
    const fields = page.locator('#board > *').first().getByLabel(/^Answer/);
    await expect.poll(() => fields.count()).toBe(3);
    await button('Show all 5').click();
    await expect.poll(() => fields.count()).toBe(5);
  });

  onServer('all columns are sections of one scroll, each with its header in sight', async () => {
    const { page } = stage;
    const titles = Array.from({ length: 16 }, (_, at) => `Task ${at}`);
    await ownBoard(stage, ...titles);
    const sections = await page.locator('[data-column]').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, width, top }) => ({ left, width, top })));
    expect(new Set(sections.map(({ left, width }) => `${left} ${width}`)).size).toBe(1);
    expect(sections.map(({ top }) => top)).toEqual(sections.map(({ top }) => top).sort((a, b) => a - b));
    await page.locator('#board').evaluate((board) => (board.scrollTop = 500));
    const header = await page.locator('[data-column="backlog"] header').boundingBox();
    const board = await page.locator('#board').boundingBox();
    expect(Math.round(header!.y)).toBe(Math.round(board!.y));
  });

  onServer('a section is folded by its header and stays so', async () => {
    const { page } = stage;
    const { ids } = await ownBoard(stage, 'first');
    await button('Backlog').first().click();
    await expect.poll(() => card(page, ids[0]!).isVisible()).toBe(false);
    await page.reload();
    await page.locator('[data-column="todo"]').waitFor();
    expect(await card(page, ids[0]!).isVisible()).toBe(false);
    // The strip leads into it and so opens it.
    await page.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name: 'Backlog 1' }).click();
    await expect.poll(() => card(page, ids[0]!).isVisible()).toBe(true);
    expect(await cutCards(page)).toEqual([]);
  });

  onServer('the cord has its word and the bar at the bottom leads everywhere', async () => {
    const { page } = stage;
    await busyBoard();
    expect(await page.locator('header .cord').innerText()).toBe('Stop');
    await bar('Wall').click();
    await page.locator('.wall').waitFor();
    await bar('Board').click();
    await page.locator('[data-column="backlog"]').waitFor();
    await bar('New task').click();
    await page.getByLabel('Title').fill('Bought milk');
    await page.getByRole('button', { name: 'Add task' }).click();
    await expect.poll(() => page.locator('[data-column="backlog"] .title', { hasText: 'Bought milk' }).count()).toBe(1);
    await page.locator('#board').evaluate((board) => (board.scrollTop = 300));
    await bar('Board').click();
    await expect.poll(() => page.locator('#board').evaluate((board) => board.scrollTop)).toBe(0);
  });

  onServer('a keyboard leaves the field in sight and takes the place of the bar', async () => {
    const { page } = stage;
    await busyBoard();
    const answer = page.locator('#board').getByLabel(/^Answer/).first();
    await answer.click();
    await size(390, 420);
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    await expect.poll(() => answer.boundingBox().then((box) => box!.y + box!.height)).toBeLessThan(420);
    expect(await answer.evaluate((field) => parseFloat(getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(16);
  });
});

describe('A sheet', () => {
  async function pull(x: number, from: number, to: number): Promise<void> {
    const finger = await stage.context.newCDPSession(stage.page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y = 0) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    await touch('touchStart', from);
    for (let step = 1; step <= 6; step += 1) await touch('touchMove', from + ((to - from) * step) / 6);
    await touch('touchEnd');
    await finger.detach();
  }

  const top = async () => Math.round((await sheet().boundingBox())!.y);

  async function openTask(): Promise<number> {
    await ownBoard(stage, 'first', 'second');
    await stage.page.locator('[data-card] a').first().click();
    await stage.page.getByLabel('Title').waitFor();
    await still(stage.page);
    return top();
  }

  onServer('with a task leaves the board in sight, and nothing of it can be reached', async () => {
    expect(await openTask()).toBeGreaterThan(40);
    expect(await stage.page.locator('.work > .room').evaluate((room: HTMLElement) => room.inert)).toBe(true);
    expect(await sheet().getAttribute('aria-modal')).toBe('true');
  });

  onServer('grows when it is pulled up and goes when it is pulled down', async () => {
    const at = await openTask();
    await pull(195, at + 10, 60);
    await expect.poll(top).toBeLessThan(at);
    await still(stage.page);
    await pull(195, (await top()) + 10, 800);
    await expect.poll(() => sheet().count()).toBe(0);
    expect(stage.page.url()).not.toContain('t=');
  });

  onServer('goes with a step back, a press beside it, and its own button', async () => {
    await openTask();
    await stage.page.goBack();
    await expect.poll(() => sheet().count()).toBe(0);
    await stage.page.goForward();
    await stage.page.getByLabel('Title').waitFor();
    await stage.page.touchscreen.tap(195, 20);
    await expect.poll(() => sheet().count()).toBe(0);
    await stage.page.locator('[data-card] a').first().click();
    await sheet().getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => sheet().count()).toBe(0);
  });

  onServer('with a menu goes with a press beside it, which does nothing else', async () => {
    await ownBoard(stage, 'first');
    await button('More').click();
    await stage.page.getByRole('dialog', { name: 'More' }).waitFor();
    const switcher = (await stage.page.locator('header .switch').first().boundingBox())!;
    await stage.page.touchscreen.tap(switcher.x + 20, switcher.y + 20);
    await expect.poll(() => stage.page.locator('[role="dialog"]').count()).toBe(0);
    expect(await button('More').evaluate((more) => more === document.activeElement)).toBe(true);
  });

  onServer('with a menu goes when it is pulled down', async () => {
    await ownBoard(stage, 'first');
    await button('More').click();
    const menu = stage.page.getByRole('dialog', { name: 'More' });
    await menu.waitFor();
    await still(stage.page);
    const box = (await menu.boundingBox())!;
    expect(Math.round(box.y + box.height)).toBe(kHeight);
    await pull(195, box.y + 10, 830);
    await expect.poll(() => menu.count()).toBe(0);
  });
});

onServer('A finger carries a card to another section', async () => {
  const { page } = stage;
  const { ids } = await ownBoard(stage, 'first', 'second');
  const from = (await card(page, ids[1]!).boundingBox())!;
  const to = (await page.locator('[data-column="todo"]').boundingBox())!;
  const finger = await stage.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
  await touch('touchStart', from.x + 80, from.y + 30);
  await expect.poll(() => page.locator('.carrying').count()).toBe(1);
  await touch('touchMove', from.x + 100, from.y + 40);
  await touch('touchMove', to.x + 80, to.y + 50);
  await expect.poll(() => page.locator('[data-column="todo"].target').count()).toBe(1);
  await touch('touchEnd');
  await expect.poll(() => api<{ status: string }>(page, 'GET', `/tasks/${ids[1]}`).then((task) => task.status)).toBe('todo');
});
