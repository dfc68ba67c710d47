import { describe, expect, test } from 'vitest';
import { findingText, landingWords, revertWords, workText } from '../../src/format/work_words.ts';

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
