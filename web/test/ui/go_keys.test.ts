import { expect, test } from 'vitest';
import { GoKeys } from '../../src/ui/go_keys.ts';

const press = (key: string, over: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, target: null, ...over });
const field = { closest: () => ({}) } as unknown as EventTarget;

test('G and a letter lead to a view', () => {
  const keys = new GoKeys();
  expect(keys.press(press('g'), 0)).toBeUndefined();
  expect(keys.press(press('a'), 1500)).toBe('attention');
  expect(keys.press(press('a'), 1501)).toBeUndefined();
  keys.press(press('g'), 2000);
  expect(keys.press(press('b'), 2100)).toBe('board');
});

test('letters that are typed, late or of a shortcut lead nowhere', () => {
  const keys = new GoKeys();
  keys.press(press('g', { target: field }), 0);
  expect(keys.press(press('a'), 10)).toBeUndefined();
  keys.press(press('g'), 100);
  expect(keys.press(press('a'), 1601)).toBeUndefined();
  keys.press(press('g'), 2000);
  expect(keys.press(press('a', { ctrlKey: true }), 2010)).toBeUndefined();
});
