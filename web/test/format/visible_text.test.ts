import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDocument, visibleText } from '../../src/format/visible_text.ts';

const fixture = JSON.parse(readFileSync(new URL('../../../tests/fixtures/hidden_text.json', import.meta.url), 'utf8')) as {
  hidden: [string, string][];
  seen: string[];
};

describe('Text as its readers see it', () => {
  test.each(fixture.hidden)('writes out what no reader sees: %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(visibleText(shown)).toBe(shown);
  });

  test.each(fixture.seen)('leaves what people read: %j', (text) => expect(visibleText(text)).toBe(text));
});

describe('A document of the server', () => {
  test('has every text as its readers see it, but for briefs, which are edited', () => {
    const document = { title: 'a\u202eb', tags: ['\u{e0041}'], run: { line: '\x1b[2Jdone\x08' }, failure: '\x1b[33mred', body: 'c\u202ed', diff: '+\x1b[2J' };
    expect(readDocument(JSON.stringify(document))).toEqual({
      title: 'a[U+202E]b', tags: ['[U+E0041]'], run: { line: String.raw`done\x08` }, failure: 'red', body: 'c\u202ed', diff: String.raw`+\x1b[2J`,
    });
  });

  test('without anything hidden is as it was sent', () => {
    expect(readDocument('{"title":"Größe 你好","n":1}')).toEqual({ title: 'Größe 你好', n: 1 });
  });
});
