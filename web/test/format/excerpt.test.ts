import { expect, test } from 'vitest';
import { withoutMarkup } from '../../src/format/excerpt.ts';

test.each([
  ['Use `tea list` to see them', 'Use tea list to see them'],
  ['- [ ] first - [x] second', 'first second'],
  ['## Goal', 'Goal'],
  ['See [the log](https://x.org/a) and **do** it', 'See the log and do it'],
  ['2 * 3 and snake_case_name stay', '2 * 3 and snake_case_name stay'],
])('an excerpt loses the marks of Markdown: %s', (text, words) => {
  expect(withoutMarkup(text)).toBe(words);
});
