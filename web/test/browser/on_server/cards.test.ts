import { describe, expect, test } from 'vitest';
import { kPlainFields, type PlainFields } from '../../../src/model/plain_fields.ts';
import { api, card, holdStage, ownBoard, settleEarlierWork, titlesIn } from '../stage.ts';

describe('A card', () => {
  const held = holdStage();

  test('that asks takes the answer itself', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    const asking = card(page, ids[0]!);
    await expect.poll(() => asking.innerText()).toContain('asks you');
    await asking.getByLabel(/^Answer/).fill('green');
    await page.keyboard.press('Enter');
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    expect(held.stage.complaints).toEqual([]);
  });

  test('that asks offers its choices', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await card(page, ids[0]!).getByRole('button', { name: 'blue' }).click();
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    expect(await page.locator('.drawer').count()).toBe(0);
  });

  test('that asks is answered where all that needs the person stands', async () => {
    const { page } = held.stage;
    await settleEarlierWork(page);
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await page.getByRole('button', { name: '1 needs you' }).click();
    await page.getByRole('button', { name: /^blue, to/ }).click();
    await expect.poll(() => titlesIn(page, 'backlog')).toEqual(['first']);
    expect(await page.locator('.drawer').count()).toBe(0);
  });

  test('of an agent that asks while it works says so and offers the choices', async () => {
    const { page } = held.stage;
    await settleEarlierWork(page);
    const { ids } = await ownBoard(held.stage, 'first');
    const run = { id: 7, attempt: 1, started: new Date().toISOString(), state: 'running', worker: 'dev' };
    const question = { text: 'May I run make?', choices: ['Allow', 'Deny'], asked_by: 'worker:dev', asked_at: run.started, run: 7 };
    await page.route('**/snapshot*', async (route) => {
      const response = await route.fetch();
      const snapshot = await response.json();
      for (const task of snapshot.tasks) Object.assign(task, { run, question });
      await route.fulfill({ response, json: snapshot });
    });
    await page.reload();
    await expect.poll(() => card(page, ids[0]!).innerText()).toContain('asks while it works');
    expect(await card(page, ids[0]!).locator('.choice').allInnerTexts()).toEqual(['Allow', 'Deny']);
    await page.getByRole('button', { name: '1 needs you' }).click();
    expect(await page.locator('[data-item]').innerText()).toContain('May I run make?');
    await page.keyboard.press('Escape');
    await page.unrouteAll();
  });

  test('keeps an answer that is not sent', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await card(page, ids[0]!).getByLabel(/^Answer/).fill('half a thought');
    await page.keyboard.press('Escape');
    await page.reload();
    await expect.poll(() => card(page, ids[0]!).getByLabel(/^Answer/).inputValue()).toBe('half a thought');
  });

  test('of the backlog is started from the card', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).getByRole('button', { name: /^Start/ }).click();
    await expect.poll(() => titlesIn(page, 'todo')).toEqual(['first']);
  });

  test('takes exactly the room that its texts need', async () => {
    const { page } = held.stage;
    const long = 'A title so long that it does not fit one line of a card, whatever the width of the column is';
    const { ids } = await ownBoard(held.stage, 'short', long);
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: `${long}? ${long}?`, choices: ['red'] });
    await expect.poll(() => card(page, ids[0]!).innerText()).toContain('asks you');
    for (const id of ids) {
      const rest = await card(page, id).locator('.face').evaluate((face) => {
        const last = [...face.children].at(-1)!.getBoundingClientRect();
        return face.getBoundingClientRect().bottom - last.bottom;
      });
      expect(Math.abs(rest - 9)).toBeLessThanOrEqual(2);
    }
  });
});

describe('A new task', () => {
  const held = holdStage();

  test('is created and started at once', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage);
    await page.getByRole('button', { name: 'New task' }).click();
    await page.locator('dialog').getByLabel('Title').fill('Go');
    await page.keyboard.press('Control+Shift+Enter');
    await expect.poll(() => titlesIn(page, 'todo')).toEqual(['Go']);
    await page.getByRole('button', { name: 'New task' }).click();
    await page.locator('dialog').getByLabel('Title').fill('Go too');
    await page.getByRole('button', { name: 'Create and start' }).click();
    await expect.poll(() => titlesIn(page, 'todo').then((titles) => titles.sort())).toEqual(['Go', 'Go too']);
  });
});

describe('The drawer', () => {
  const held = holdStage();
  const opened = () => held.stage.page.getByLabel('Title').inputValue();

  test('steps to the next and the previous task of the column', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    await expect.poll(opened).toBe('first');
    await page.keyboard.press('j');
    await expect.poll(opened).toBe('second');
    await page.getByRole('button', { name: 'Previous task' }).click();
    await expect.poll(opened).toBe('first');
  });

  test('comes back when the page is loaded again before it could show', async () => {
    const { page, context } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    const slow = await context.newCDPSession(page);
    await slow.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    await page.evaluate((id) => {
      document.querySelector<HTMLElement>(`[data-card="${id}"] a`)!.click();
      location.reload();
    }, ids[0]!);
    await expect.poll(opened).toBe('first');
    await slow.detach();
  });

  test('stands beside the board and remembers its width', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await card(page, ids[0]!).locator('a').click();
    const edge = page.getByRole('separator', { name: 'Width of the task' });
    await edge.focus();
    const before = (await page.locator('.drawer').boundingBox())!;
    const room = (await page.locator('#board').boundingBox())!;
    expect(room.x + room.width).toBeLessThanOrEqual(before.x + 1);
    await page.keyboard.press('ArrowLeft');
    const after = (await page.locator('.drawer').boundingBox())!;
    expect(Math.round(after.width - before.width)).toBe(32);
    await page.reload();
    await expect.poll(() => page.locator('.drawer').boundingBox().then((box) => box?.width)).toBe(after.width);
    await page.keyboard.press('Escape');
  });

  test('comes with the page without moving the board', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    const other = await held.stage.context.newPage();
    await other.addInitScript(() => {
      const shifts = ((window as unknown as { shifts: number[] }).shifts = []) as number[];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await other.goto(`${page.url()}?t=${ids[0]}`);
    await expect.poll(() => other.getByLabel('Title').count()).toBe(1);
    await other.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const shifts = await other.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, one) => sum + one, 0)).toBeLessThan(0.02);
    await other.close();
  });

  test('leaves the card of its task in sight', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'POST', `/tasks/${ids[0]}/move`, { status: 'done' });
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    await expect.poll(async () => {
      const [drawer, box] = [await page.locator('.drawer').boundingBox(), await card(page, ids[0]!).boundingBox()];
      return !!drawer && !!box && box.x + box.width <= drawer.x + 1;
    }).toBe(true);
  });

  test('ticks an item of the checklist in the brief', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await api(page, 'PATCH', `/tasks/${ids[0]}`, { body: '- [x] one\n- [ ] two\n' });
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    await page.locator('.markdown input').nth(1).check();
    await expect.poll(() => api<{ body: string }>(page, 'GET', `/tasks/${ids[0]}`).then((task) => task.body)).toBe('- [x] one\n- [x] two\n');
  });

  test('changes a property by its chip', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    await page.getByLabel('Priority', { exact: true }).selectOption('high');
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('textbox', { name: /Tags/ }).fill('api cart');
    await page.keyboard.press('Enter');
    await expect.poll(() => api<{ tags: string[]; priority: string }>(page, 'GET', `/tasks/${ids[0]}`).then(({ tags, priority }) => [priority, tags])).toEqual(['high', ['api', 'cart']]);
  });

  test('changes every plain field by its chip', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first');
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    for (const { name, label } of kPlainFields) {
      await page.getByRole('button', { name: label, exact: true }).click();
      await page.getByRole('textbox', { name: label }).fill(`some ${name}`);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `${label} some ${name}` }).waitFor();
      await expect.poll(() => api<PlainFields>(page, 'GET', `/tasks/${ids[0]}`).then((task) => task[name])).toBe(`some ${name}`);
    }
  });

  test('opens the link of a task where it is an address of the web, and nothing else', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    await api(page, 'PATCH', `/tasks/${ids[0]}`, { link: 'https://example.org/issues/7' });
    await page.goto(`${held.stage.url}/t/${ids[0]}`);
    await expect.poll(() => page.getByRole('link', { name: 'https://example.org/issues/7' }).getAttribute('href')).toBe('https://example.org/issues/7');
    await api(page, 'PATCH', `/tasks/${ids[1]}`, { link: 'javascript:alert(1)' });
    await page.goto(`${held.stage.url}/t/${ids[1]}`);
    await page.getByRole('button', { name: 'Link javascript:alert(1)' }).waitFor();
    expect(await page.locator('.drawer a[href^="javascript"]').count()).toBe(0);
    await api(page, 'PATCH', `/tasks/${ids[1]}`, { link: `https://example.org/${'a'.repeat(1900)}` });
    const long = page.getByRole('link', { name: /^https:.*aaa/ });
    await long.waitFor();
    expect(await long.evaluate((link) => link.getBoundingClientRect().right <= link.closest('.drawer')!.getBoundingClientRect().right)).toBe(true);
  });
});

describe('Filters', () => {
  const held = holdStage();

  test('say how much they show, name themselves where nothing is left, and go with one press', async () => {
    const { page } = held.stage;
    await ownBoard(held.stage, 'first', 'second');
    await page.goto(`${page.url()}?worker=ghost`);
    const head = page.locator('[data-column="backlog"] header .count');
    await expect.poll(() => head.innerText()).toBe('0 of 2');
    await expect.poll(() => page.locator('[data-column="backlog"]').innerText()).toContain('Nothing of ghost here.');
    await expect.poll(() => page.locator('.filter').innerText()).toContain('Only cards of ghost, who is not on the team');
    await page.getByRole('status').getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => head.innerText()).toBe('2');
    expect(page.url()).not.toContain('worker');
  });

  test('an address that leads nowhere says so', async () => {
    const { page, url } = held.stage;
    await page.goto(`${url}/nowhere`);
    await page.getByRole('heading', { name: 'There is nothing at /nowhere' }).waitFor();
    await page.locator('main').getByRole('button', { name: /^Open / }).click();
    await expect.poll(() => page.locator('[data-column]').count()).toBeGreaterThan(0);
  });

  test('choices of a question wrap and stay whole', async () => {
    const { page } = held.stage;
    const { ids } = await ownBoard(held.stage, 'first', 'second');
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which?', choices: ['Five per hour, per account', 'Ten per day', 'None at all'] });
    const asking = card(page, ids[0]!);
    await expect.poll(() => asking.locator('.choice').count()).toBe(3);
    const face = asking.locator('.face');
    expect(await face.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)).toBe(true);
    for (const choice of await asking.locator('.choice').all()) expect(await choice.evaluate((one) => one.scrollWidth <= one.clientWidth + 1)).toBe(true);
  });
});
