import { describe, expect, test } from 'vitest';
import { freeName } from '../../src/format/words.ts';

describe('The name of a new board', () => {
  test('spells letters that a name may not have', () => {
    expect(freeName('Büro & Küche', new Set())).toBe('buero-kueche');
    expect(freeName('Café Noël', new Set())).toBe('cafe-noel');
  });

  test('is there for every title', () => {
    expect(freeName('日本語', new Set())).toBe('board');
  });

  test('is free', () => {
    expect(freeName('日本語', new Set(['board', 'board-2']))).toBe('board-3');
  });
});
