import { expect, test } from 'vitest';
import { attachmentLink, freeName, nameInLink, pastedName, sizeText } from '../../src/format/attachments.ts';

test('a name that is taken gets a number before its ending, whatever the case', () => {
  expect(freeName('shot.png', [])).toBe('shot.png');
  expect(freeName('Shot.png', ['shot.PNG'])).toBe('Shot-2.png');
  expect(freeName('a', ['a', 'a-2'])).toBe('a-3');
});

test('a name becomes one that the server takes', () => {
  expect(freeName('../.env', [])).toBe('env');
  expect(freeName('a/b\\c\u0007.txt', [])).toBe('a-b-c-.txt');
  expect(freeName('...', [])).toBe('file');
  expect(freeName(`${'x'.repeat(300)}.png`, [])).toHaveLength(124);
});

test('pasted pictures are named after the time, other files keep their names', () => {
  const now = new Date(2026, 10, 27, 9, 5, 7);
  expect(pastedName({ name: 'image.png', type: 'image/png' }, now)).toBe('pasted-2026-11-27-090507.png');
  expect(pastedName({ name: '', type: 'image/jpeg' }, now)).toBe('pasted-2026-11-27-090507.jpg');
  expect(pastedName({ name: 'diagram.png', type: 'image/png' }, now)).toBe('diagram.png');
  expect(pastedName({ name: 'log.txt', type: 'text/plain' }, now)).toBe('log.txt');
});

test.each(['shot.png', 'shot 1 (copy).png', 'a[1].png', '日本語.png', '50% off.png'])('the link to %s leads back to its name', (name) => {
  const link = attachmentLink(name, 'image/png');
  expect(link.startsWith('![')).toBe(true);
  const address = /\]\(<?(.*?)>?\)$/.exec(link)![1]!;
  expect(nameInLink(address)).toBe(name);
});

test('only links of attachments name a file', () => {
  expect(nameInLink('https://example.org/a.png')).toBeUndefined();
  expect(nameInLink('attachment:%zz')).toBe('%zz');
});

test('sizes are told in the unit a person reads', () => {
  expect([12, 1536, 20480, 5 * 1024 * 1024].map(sizeText)).toEqual(['12 B', '1.5 kB', '20 kB', '5.0 MB']);
});
