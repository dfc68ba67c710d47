import { describe, expect, test } from 'vitest';
import { toggled } from '../../src/format/checklist.ts';

describe('A checklist', () => {
  test('ticks and clears the item that is meant', () => {
    expect(toggled('- [ ] one\n- [x] two', 0, 2)).toBe('- [x] one\n- [x] two');
    expect(toggled('- [ ] one\n  1. [X] two\r\n', 1, 2)).toBe('- [ ] one\n  1. [ ] two\r\n');
  });

  test('counts no box that is code', () => {
    expect(toggled('```\n- [ ] code\n~~~\n```\n- [ ] one', 0, 1)).toBe('```\n- [ ] code\n~~~\n```\n- [x] one');
  });

  test('changes nothing when it is not the list that is drawn', () => {
    expect(toggled('- one', 0, 1)).toBeUndefined();
    expect(toggled('- [ ] one\n- [ ] two', 0, 1)).toBeUndefined();
  });
});
