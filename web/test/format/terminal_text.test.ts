import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withoutEscapes } from '../../src/format/terminal_text.ts';
import { TerminalLog } from '../../src/sgr/terminal_log.ts';

const rows = JSON.parse(readFileSync(new URL('../../../tests/fixtures/terminal_text.json', import.meta.url), 'utf8')) as [string, string][];

describe('Text of a terminal', () => {
  test.each(rows)('has no sequences elsewhere: %j', (text, shown) => {
    expect(withoutEscapes(text)).toBe(shown);
    expect(withoutEscapes(shown)).toBe(shown);
  });

  test.each(rows)('has none in the log of a run: %j', (text, shown) => {
    const log = new TerminalLog();
    log.pushLine(text);
    expect(log.slice(0, log.count).map((line) => line.map((span) => span.text).join('')).join('\n')).toBe(shown);
  });
});
