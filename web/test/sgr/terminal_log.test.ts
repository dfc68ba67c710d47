import { describe, expect, test } from 'vitest';
import { TerminalLog } from '../../src/sgr/terminal_log.ts';

function read(...chunks: string[]) {
  const log = new TerminalLog();
  for (const chunk of chunks) log.push(chunk);
  return log.slice(0, log.count).map((line) => line.map((span) => (span.classes ? `<${span.classes}>${span.text}` : span.text)).join('|'));
}

describe('TerminalLog', () => {
  test('cuts text into lines and shows the unfinished one', () => {
    expect(read('one\ntw', 'o\nthr')).toEqual(['one', 'two', 'thr']);
  });

  test('turns colours and weights into classes', () => {
    expect(read('\x1b[1;32mok\x1b[0m then \x1b[91mbad\x1b[39m end')).toEqual(['<fg-2 bold>ok| then |<fg-9>bad| end']);
  });

  test('carries a colour over the end of a line', () => {
    expect(read('\x1b[33mone\ntwo')).toEqual(['<fg-3>one', '<fg-3>two']);
  });

  test('maps other colours to the nearest of sixteen', () => {
    expect(read('\x1b[38;5;196mr\x1b[38;2;10;200;10mg\x1b[38;5;240mgrey\x1b[38:5:4mb')).toEqual(['<fg-9>r|<fg-2>g|<fg-8>grey|<fg-4>b']);
  });

  test('understands sequences that arrive in pieces', () => {
    expect(read('\x1b', '[3', '1mred\x1b[', '0m.')).toEqual(['<fg-1>red|.']);
  });

  test('keeps what was written after a carriage return', () => {
    expect(read('10 %\r', '20 %\r100 %\r', '\nnext')).toEqual(['100 %', 'next']);
  });

  test('takes whole lines, with their ends or without', () => {
    const log = new TerminalLog();
    log.push('open');
    log.pushLine('one');
    log.pushLine('two\n');
    expect(log.slice(0, log.count).map((line) => line[0]?.text)).toEqual(['open', 'one', 'two']);
  });

  test('drops cursor movements and shows links as their text', () => {
    expect(read('\x1b[2J\x1b[1;1Hhi \x1b]8;;https://example.com\x07there\x1b]8;;\x1b\\\x08!')).toEqual(['hi there!']);
  });

  test('drops the choice of a character set', () => {
    const log = new TerminalLog();
    log.push('\x1b(Bplain\x1b)0 text\x1b=\n');
    expect(log.slice(0, 1)).toEqual([[{ text: 'plain text', classes: '' }]]);
  });

  test('writes out what nobody sees', () => {
    expect(read('a\u202eb \u{e0041}\u009b\n')).toEqual(['a[U+202E]b [U+E0041][U+009B]']);
  });
});
