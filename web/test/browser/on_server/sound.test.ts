import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { kCues } from '../../../src/sound/cues.ts';
import { kNoSound, type SoundChoice } from '../../../src/sound/sound_choice.ts';
import { api, drag, listen, openStage, ownBoard, titlesIn, type Stage } from '../stage.ts';

interface Heard {
  contexts: number;
  // The frequency of each oscillator that was started.
  notes: number[];
  // Nodes that are still connected.
  held: number;
}

declare global {
  interface Window {
    heard: Heard;
  }
}

// Counts in each page what reaches the sound system of the browser. Runs there before the page does.
function count(): void {
  const heard: Heard = { contexts: 0, notes: [], held: 0 };
  window.heard = heard;
  const Native = window.AudioContext;
  window.AudioContext = class extends Native {
    constructor(options?: AudioContextOptions) {
      super(options);
      heard.contexts += 1;
    }
  };
  // For the browser each script of the driver is a gesture, too.
  let isTouched = false;
  for (const gesture of ['pointerdown', 'keydown']) addEventListener(gesture, () => (isTouched = true), true);
  Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: isTouched, isActive: isTouched }) });
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (this: OscillatorNode, ...when: [number?]) {
    heard.notes.push(Math.round(this.frequency.value));
    // A voice is three nodes: oscillator, low-pass and gain.
    heard.held += 3;
    return start.apply(this, when);
  };
  const disconnect = AudioNode.prototype.disconnect as (this: AudioNode) => void;
  AudioNode.prototype.disconnect = function (this: AudioNode) {
    heard.held -= 1;
    disconnect.call(this);
  };
}

const kNotes = new Map(kCues.map(({ kind, voices }) => [kind, voices.map(({ hz }) => Math.round(hz))]));
const notesOf = (page: Page) => page.evaluate(() => window.heard.notes);
const speaker = (page: Page) => page.getByRole('button', { name: /^Sound/ });
const unlock = (page: Page) => page.locator('.brand').click();

describe('Sound', () => {
  let stage: Stage;

  async function opened(choice: Partial<SoundChoice> | undefined, ...titles: string[]): Promise<{ board: string; ids: number[] }> {
    stage = await openStage();
    await stage.context.addInitScript(count);
    await stage.page.goto(stage.url);
    if (choice) await remember(stage.context, { ...kNoSound, ...choice });
    return ownBoard(stage, ...titles);
  }

  async function remember(context: BrowserContext, choice: SoundChoice): Promise<void> {
    await context.pages()[0]!.evaluate((text) => localStorage.setItem('andon.sound', text), JSON.stringify(choice));
  }

  async function another(path: string): Promise<Page> {
    const page = await stage.context.newPage();
    listen(page, stage.complaints);
    await page.goto(stage.url + path);
    await expect.poll(() => page.locator('[data-card]').count()).toBeGreaterThan(0);
    return page;
  }

  const move = (id: number, status: string, page = stage.page) => api(page, 'POST', `/tasks/${id}/move`, { status });
  const isReady = (page: Page) => expect.poll(() => speaker(page).getAttribute('aria-label')).toBe('Sound is on');
  // A change asks for its cue before it is drawn.
  const isDrawn = (page: Page, column: string, title: string) => expect.poll(() => titlesIn(page, column)).toContain(title);

  afterEach(async () => {
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });

  test('is off at first, and touches no sound system', async () => {
    const { ids } = await opened(undefined, 'first');
    await unlock(stage.page);
    await move(ids[0]!, 'done');
    await isDrawn(stage.page, 'done', 'first');
    expect(await stage.page.evaluate(() => window.heard)).toEqual({ contexts: 0, notes: [], held: 0 });
    expect(await speaker(stage.page).getAttribute('aria-label')).toBe('Sound is off');
  });

  test('is turned on, tested and chosen by the keyboard', async () => {
    const { ids } = await opened(undefined, 'first', 'second');
    const { page } = stage;
    await speaker(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'All' }).press(' ');
    await isReady(page);
    for (const { kind, title } of kCues) {
      await page.evaluate(() => void (window.heard.notes = []));
      await page.getByRole('button', { name: `Play ${title}` }).press('Enter');
      await expect.poll(() => notesOf(page)).toEqual(kNotes.get(kind));
    }
    await expect.poll(() => page.evaluate(() => window.heard.held)).toBe(0);
    await page.getByRole('checkbox', { name: /^Done/ }).press(' ');
    await page.getByRole('slider', { name: 'Volume' }).press('Home');
    await page.keyboard.press('Escape');
    await expect.poll(() => speaker(page).evaluate((node) => node === document.activeElement)).toBe(true);
    const kept = JSON.parse((await page.evaluate(() => localStorage.getItem('andon.sound')))!) as SoundChoice;
    expect(kept).toEqual({ ...kNoSound, mode: 'all', volume: 0, muted: ['done'] });
    await page.evaluate(() => void (window.heard.notes = []));
    await move(ids[0]!, 'done');
    await move(ids[1]!, 'todo');
    await expect.poll(() => notesOf(page)).toEqual(kNotes.get('todo'));
  });

  test('waits after a reload for the first gesture, without a complaint', async () => {
    const { ids } = await opened({ mode: 'all' }, 'first', 'second');
    const { page } = stage;
    await expect.poll(() => speaker(page).getAttribute('aria-label')).toBe('Sound starts with your next click');
    await move(ids[0]!, 'todo');
    await isDrawn(page, 'todo', 'first');
    expect(await page.evaluate(() => window.heard)).toEqual({ contexts: 0, notes: [], held: 0 });
    await unlock(page);
    await isReady(page);
    await move(ids[1]!, 'done');
    await expect.poll(() => notesOf(page)).toEqual(kNotes.get('done'));
  });

  test('plays the own drag at once and its echo not again', async () => {
    const { ids } = await opened({ mode: 'all' }, 'first', 'second');
    const { page } = stage;
    await unlock(page);
    await isReady(page);
    await drag(page, ids[0]!, 'todo');
    await expect.poll(() => notesOf(page)).toEqual(kNotes.get('todo'));
    await move(ids[1]!, 'done');
    await expect.poll(() => notesOf(page)).toEqual([...kNotes.get('todo')!, ...kNotes.get('done')!]);
  });

  test('comes from one of three tabs, for all their boards, and passes on when that tab is gone', async () => {
    const { board, ids } = await opened({ mode: 'all' }, 'first', 'second', 'third');
    const other = `${board}-b`;
    await api(stage.page, 'POST', '/boards', { name: other, title: 'Other' });
    const elsewhere = await api<{ id: number }>(stage.page, 'POST', '/tasks', { board: other, title: 'elsewhere', status: 'backlog' });
    const tabs = [stage.page, await another(`/b/${board}`), await another(`/b/${other}`)];
    for (const tab of tabs) {
      await unlock(tab);
      await isReady(tab);
    }
    const total = async () => (await Promise.all(tabs.map(notesOf))).flat();
    const players = async () => (await Promise.all(tabs.map(notesOf))).flatMap((notes, at) => (notes.length ? [at] : []));

    await move(ids[0]!, 'done');
    await expect.poll(total).toEqual(kNotes.get('done'));
    await move(elsewhere.id, 'todo');
    await expect.poll(total).toEqual([...kNotes.get('done')!, ...kNotes.get('todo')!]);
    const [player, ...none] = await players();
    expect(none).toEqual([]);

    const [gone] = tabs.splice(player!, 1);
    await gone!.close();
    for (const tab of tabs) await tab.evaluate(() => void (window.heard.notes = []));
    await move(ids[1]!, 'in_progress', tabs[0]);
    await expect.poll(total).toEqual(kNotes.get('in_progress'));
    await move(ids[2]!, 'done', tabs[0]);
    await expect.poll(total).toEqual([...kNotes.get('in_progress')!, ...kNotes.get('done')!]);
    expect(await players()).toHaveLength(1);
  });

  test('comes from one of two tabs in a browser without a SharedWorker', async () => {
    const { board, ids } = await opened({ mode: 'all' }, 'first', 'second');
    await stage.context.addInitScript(() => void Reflect.deleteProperty(window, 'SharedWorker'));
    await stage.page.reload();
    const tabs = [stage.page, await another(`/b/${board}`)];
    for (const tab of tabs) {
      await expect.poll(() => tab.locator('[data-card]').count()).toBe(2);
      expect(await tab.evaluate(() => 'SharedWorker' in window)).toBe(false);
      await unlock(tab);
      await isReady(tab);
    }
    const total = async () => (await Promise.all(tabs.map(notesOf))).flat();
    await move(ids[0]!, 'done');
    await expect.poll(total).toEqual(kNotes.get('done'));
    await move(ids[1]!, 'todo');
    await expect.poll(total).toEqual([...kNotes.get('done')!, ...kNotes.get('todo')!]);
    const silent = (await Promise.all(tabs.map(notesOf))).filter((notes) => !notes.length);
    expect(silent).toHaveLength(1);
  });

  test('is silent in quiet hours, except for a test', async () => {
    const { ids } = await opened({ mode: 'all', quiet: { on: true, from: '00:00', to: '00:00' } }, 'first', 'second');
    const { page } = stage;
    await unlock(page);
    await isReady(page);
    await api(page, 'POST', `/tasks/${ids[0]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await drag(page, ids[1]!, 'todo');
    await isDrawn(page, 'blocked', 'first');
    expect(await notesOf(page)).toEqual([]);
    await speaker(page).click();
    await page.getByRole('button', { name: 'Play Done' }).click();
    await expect.poll(() => notesOf(page)).toEqual(kNotes.get('done'));
  });

  test('calls only where it needs the person when that was chosen', async () => {
    const { ids } = await opened({ mode: 'needs_me' }, 'first', 'second', 'third');
    const { page } = stage;
    await unlock(page);
    await isReady(page);
    await move(ids[0]!, 'todo');
    await move(ids[1]!, 'done');
    await drag(page, ids[2]!, 'todo');
    await isDrawn(page, 'done', 'second');
    await api(page, 'POST', `/tasks/${ids[2]}/block`, { reason: 'Which colour?', choices: ['red', 'blue'] });
    await expect.poll(() => notesOf(page)).toEqual(kNotes.get('question'));
  });

  test('follows a choice that another tab makes', async () => {
    const { board } = await opened(undefined, 'first');
    const second = await another(`/b/${board}`);
    await unlock(second);
    await speaker(stage.page).click();
    await stage.page.getByRole('radio', { name: 'All' }).check();
    await isReady(second);
    await stage.page.getByRole('radio', { name: 'Off' }).check();
    await expect.poll(() => speaker(second).getAttribute('aria-label')).toBe('Sound is off');
  });
});
