import { describe, expect, test } from 'vitest';
import { isTooHard } from '../../src/ui/drawer/markdown/bounded.ts';

describe('A text is shown as it is typed', () => {
  test.each([
    ['a long run of marks', '*a'.repeat(3000)],
    ['marks over many lines', '_a\n'.repeat(3000)],
    ['deep quotation', '>'.repeat(1000) + ' a'],
    ['a list in a list, and so on', Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
  ])('%s', (_name, text) => expect(isTooHard(text)).toBe(true));
});

describe('A text is read as Markdown', () => {
  test.each([
    ['a long list', '- an item of a list that somebody wrote\n'.repeat(300)],
    ['much code', '```\n' + '            deep(code)\n'.repeat(500) + '```\n'],
    ['many paragraphs', 'Some words of a brief.\n\n'.repeat(500)],
  ])('%s', (_name, text) => expect(isTooHard(text)).toBe(false));
});
