import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/ui/drawer/markdown/read_markdown.ts';

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
