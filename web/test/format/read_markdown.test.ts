import type { Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { hidesCells } from '../../src/ui/drawer/markdown/hidden_words.ts';
import { readMarkdown } from '../../src/ui/drawer/markdown/read_markdown.ts';
import { safeAddress } from '../../src/ui/drawer/markdown/safe.ts';

interface Node {
  type: string;
  tokens?: Node[];
  items?: Node[];
}

const types = (nodes: readonly Node[]): string[] =>
  nodes.flatMap((node) => [node.type, ...types(node.tokens ?? []), ...types(node.items ?? [])]);
const typesIn = (text: string) => types((readMarkdown(text) ?? []) as Node[]);

describe('A run of text that is too long to read its marks', () => {
  const marks = '_a'.repeat(3000);

  test.each([
    ['alone', marks],
    ['over many lines', '*a\n'.repeat(3000)],
    ['behind a fence that is closed by another mark', `\`\`\`\n~~~\n\`\`\`\n\n${marks}`],
    ['behind a fence inside HTML', `<div>\n\`\`\`\n\n${marks}`],
    ['in a list', `- ${marks}`],
  ])('is shown as it is typed: %s', (_name, text) => {
    expect(typesIn(text)).not.toContain('em');
    expect(typesIn(text)).toContain('text');
  });

  test('leaves the other runs of the text as they are', () => {
    expect(typesIn(`**strong**\n\n${marks}`)).toContain('strong');
  });
});

describe('A text that nests too deep is not read', () => {
  test.each([
    ['quotations', '>'.repeat(1000) + ' a'],
    ['lists, indented by blanks', Array.from({ length: 20 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['lists, indented by tabs', Array.from({ length: 20 }, (_, depth) => `${'\t'.repeat(depth)}- a`).join('\n')],
  ])('%s', (_name, text) => expect(readMarkdown(text)).toBeUndefined());
});

describe('A usual brief is read as Markdown', () => {
  test.each([
    ['a long list', '- an *item* of a list that somebody wrote\n'.repeat(300), 'em'],
    ['much code', '```\n' + '            deep(code)\n'.repeat(500) + '```\n', 'code'],
    ['many paragraphs', 'Some **words** of a brief.\n\n'.repeat(500), 'strong'],
    ['lines of Windows', 'A **word**\r\n\r\n- an item\r\n', 'list'],
  ])('%s', (_name, text, type) => expect(typesIn(text)).toContain(type));
});

describe('A table with cells beyond its head', () => {
  const table = (row: string) => readMarkdown(`| a | b |\n| --- | --- |\n${row}\n`)?.[0] as Tokens.Table;

  test.each(['| 1 | 2 | hidden |', '1 | 2 | hidden', '| 1 | 2 | |'])('is shown as it is typed: %s', (row) => {
    expect(hidesCells(table(row))).toBe(true);
  });
  test.each(['| 1 | 2 |', '| 1 |', String.raw`| 1 | 2 \| 3 |`, '1 | 2'])('is else drawn: %s', (row) => {
    expect(hidesCells(table(row))).toBe(false);
  });
});

describe('A link of a task', () => {
  test.each(['https://example.org/', 'http://example.org/a?b#c', 'mailto:ann@example.org'])('leads to an address with its scheme: %s', (address) => {
    expect(safeAddress(address)).toBe(address);
  });
  test.each(['//host', '/api/v1/boards', 'host', '#code=x', '\\\\host', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', ''])(
    'is text otherwise: %s',
    (address) => expect(safeAddress(address)).toBeUndefined(),
  );
});
