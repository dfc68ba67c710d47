import { describe, expect, test } from 'vitest';
import type { LandFinding } from '../../../src/model/wire.ts';
import { land } from '../../fake/reviews.ts';
import { still, violations } from '../axe.ts';
import { holdStage, kPhone, type Device } from '../stage.ts';

const kFindings: LandFinding[] = [
  {
    limit: 'secret_commits', count: 9, most: 0, files: ['src/config.py', 'docs/notes.md'],
    lines: Array.from({ length: 12 }, (_, at) => `src/config.py:${at + 1}: password = "hunter2-\u202ehunter2" ${'and a long line '.repeat(at)}`),
  },
  { limit: 'old_checks', count: 1, most: 0, lines: ['unit: FAILED tests/test_cart.py::test_total\nassert 1 == 2'] },
  { limit: 'old_checks', count: 1, most: 0, lines: ['lint: x is not defined'] },
  { limit: 'lines', count: 20_000, most: 10_000 },
];

const kDevices: [string, Device][] = [
  ['a desk', { viewport: { width: 1280, height: 800 } }],
  ['a phone', kPhone],
];

describe.each(kDevices)('The question before a landing on %s', (name, device) => {
  const held = holdStage({ reviewFiles: 4 }, '/b/bureau', device);

  // The accepted work of a task is asked about.
  const ask = async (findings: LandFinding[], squash = false) => {
    const { page, url, fake } = held.stage;
    const id = Math.min(...[...fake!.store.runs.values()].map((run) => run.task!).filter((task) => fake!.store.task(task).board === 'bureau'));
    Object.assign(fake!.store.task(id), { status: 'done', stage: 'done' });
    await page.goto(`${url}/b/bureau/review/${id}`);
    await page.locator('.review .summary').waitFor();
    land(fake!.store, id, { state: 'asked', findings: structuredClone(findings), ...(squash ? { squash } : {}) });
    await page.locator('.question').waitFor();
    return () => fake!.store.runs.get(fake!.store.task(id).run!)!.landing;
  };

  test.each(['dark', 'light'])('shows the lines of each finding in the %s theme', async (theme) => {
    const { page } = held.stage;
    await page.evaluate((value) => localStorage.setItem('andon.theme', value), theme);
    await ask(kFindings);
    const question = page.locator('.question');
    const text = await question.innerText();
    expect(text).toContain('Places in the history of the work that look like secrets: 9');
    expect(text).toContain('src/config.py:8: password = "hunter2-[U+202E]hunter2"');
    expect(text).not.toContain('src/config.py:9:');
    expect(text).toContain('and 4 more');
    expect(text).toContain('Check that passes only with the changed check files: 1');
    expect(text).toContain('assert 1 == 2');
    await still(page);
    if (process.env.ANDON_TEST_SHOTS) await page.screenshot({ path: `${process.env.ANDON_TEST_SHOTS}/question-${name.replace(/ /g, '-')}-${theme}.png` });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(device.viewport!.width);
    const lines = page.locator('.question .lines').first();
    expect(await lines.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeGreaterThan(0);
    const button = (await page.getByRole('button', { name: 'Land as one commit' }).boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(device.viewport!.height);
    expect(held.stage.complaints).toEqual([]);
  });

  test('lands the work as one commit', async () => {
    const landing = await ask(kFindings);
    await held.stage.page.getByRole('button', { name: 'Land as one commit' }).click();
    await expect.poll(() => landing()).toMatchObject({ state: 'waiting', squash: true });
  });

  test('offers one commit only where that keeps something out', async () => {
    const { page } = held.stage;
    await ask([kFindings.at(-1)!]);
    expect(await page.getByRole('button', { name: 'Land as one commit' }).count()).toBe(0);
    const landing = await ask(kFindings, true);
    await expect.poll(() => page.locator('.question').innerText()).toContain('It lands as one commit.');
    expect(await page.getByRole('button', { name: 'Land as one commit' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Land anyway' }).click();
    await expect.poll(() => landing()?.state).toBe('waiting');
  });
});
