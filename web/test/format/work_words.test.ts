import { describe, expect, test } from 'vitest';
import { findingText, isOfHistory, landingWords, revertWords, shownLines, workText } from '../../src/format/work_words.ts';

describe('The words of work', () => {
  test('tell only what is known', () => {
    const diff = { files: 4, added: 96, removed: 12 };
    expect(workText({ diff, checks: 2, checks_passed: 2, cost_usd: 1.32 })).toBe('4 files +96 −12 · 2 checks ✓');
    expect(workText({ diff: { ...diff, files: 1 } })).toBe('1 file +96 −12');
    expect(workText({ checks: 2, checks_passed: 1 })).toBe('1 of 2 checks ✓');
  });

  test('tell which limits a change exceeds', () => {
    expect(findingText({ limit: 'deleted_files', count: 361, most: 10 })).toBe('Deleted files: 361, the limit is 10');
    expect(findingText({ limit: 'secret_files', count: 1, most: 0 })).toBe('Secrets: 1');
    expect(findingText({ limit: 'old_checks', count: 1, most: 0 })).toBe('Check that passes only with the changed check files: 1');
    expect(findingText({ limit: 'lost_assertions', count: 9, most: 4 })).toBe('Assertions that test files lose: 9, the limit is 4');
    expect(findingText({ limit: 'not_known', count: 2, most: 0 })).toBe('not known: 2');
  });

  test('show the first lines of a finding with all their characters', () => {
    const finding = { limit: 'hidden_text', count: 10, most: 0 };
    expect(shownLines(finding)).toEqual({ text: '', more: 0 });
    expect(shownLines({ ...finding, lines: ['a.c:1: \u202ex\x1b[2J'] })).toEqual({ text: 'a.c:1: [U+202E]x\\x1b[2J', more: 0 });
    expect(shownLines({ ...finding, lines: ['one\ntwo', ...Array<string>(8).fill('more')] })).toEqual({ text: `one\ntwo${'\nmore'.repeat(6)}`, more: 2 });
  });

  test('tell what one commit keeps out', () => {
    expect(isOfHistory([{ limit: 'lines', count: 1, most: 0 }])).toBe(false);
    expect(isOfHistory([{ limit: 'lines', count: 1, most: 0 }, { limit: 'secret_commits', count: 1, most: 0 }])).toBe(true);
  });

  test('tell how work is taken back', () => {
    expect(revertWords({ state: 'waiting' }).text).toBe('Waits to be taken back');
    expect(revertWords({ state: 'reverted', commit: '19e19fcd00' }).text).toBe('Taken back as 19e19fc');
    expect(revertWords({ state: 'refused', reason: 'a.c' })).toEqual({ text: 'Could not be taken back', tone: 'danger', more: 'a.c' });
  });

  test('tell what became of accepted work', () => {
    expect(landingWords({ state: 'waiting' }).text).toBe('Waits to be landed');
    expect(landingWords({ state: 'landed', commit: '19e19fcd00', branch: 'main' }).text).toBe('Landed as 19e19fc on main');
    expect(landingWords({ state: 'returned', files: ['a.ts', 'b.ts'], reason: 'rebase' })).toEqual({ text: 'Conflict in 2 files: a.ts, b.ts', tone: 'danger', more: 'rebase' });
    expect(landingWords({ state: 'asked' }).text).toBe('Waits for you: it exceeds the limits of the board');
    expect(landingWords({ state: 'returned', reason: 'unit failed' }).text).toBe('Could not be landed: unit failed');
  });
});
