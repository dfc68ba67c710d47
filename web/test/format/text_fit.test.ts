import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

// A canvas on which each letter is 8 px wide, and letters in pairs a little less.
async function aTest(width: number) {
  const asked: string[] = [];
  const measureText = (text: string) => (asked.push(text), { width: text.length * 8 - (text.length > 1 ? 4 : 0) });
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => ({ font: '', measureText }) }) });
  const { oneLineTest } = await import('../../src/format/text_fit.ts');
  return { asked, fits: oneLineTest(width, '600 13px sans') };
}

test('a title is measured whole only when its letters leave a doubt', async () => {
  const { asked, fits } = await aTest(200);
  expect([fits('a'.repeat(20)), fits('a'.repeat(30))]).toEqual([true, false]);
  expect(asked).toEqual(['a']);
  expect([fits('a'.repeat(25)), fits('a'.repeat(26))]).toEqual([true, false]);
  expect(asked.slice(1)).toEqual(['a'.repeat(25), 'a'.repeat(26)]);
});

test('letters that join are measured together', async () => {
  const { asked, fits } = await aTest(200);
  fits('م'.repeat(20));
  expect(asked).toEqual(['م'.repeat(20)]);
});
