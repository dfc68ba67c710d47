import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

// Returns the findings of the WCAG 2.2 rules of axe, A and AA, on the page, and of the rule that a name holds the visible
// label, which axe leaves out by default. The driver evaluates outside the page's content policy, which forbids a script tag.
export async function violations(page: Page): Promise<string[]> {
  const results = await page.evaluate(`${axe.source}; axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], rules: { 'label-content-name-mismatch': { enabled: true } } })`);
  return (results as axe.AxeResults).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

// Waits until nothing moves that comes to an end.
export async function still(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity).length)).toBe(0);
}
