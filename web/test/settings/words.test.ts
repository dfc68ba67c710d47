import { expect, test } from 'vitest';
import { argvText, asArgv, asWords, baseName, bytesText } from '../../src/settings/words.ts';

test.each([
  ['make test', ['make', 'test']],
  [`sh -c 'npm test && npm run check'`, ['sh', '-c', 'npm test && npm run check']],
  [`say "it's \\"here\\""`, ['say', `it's "here"`]],
  ['--name="a b"', ['--name=a b']],
  ['  ', []],
])('%s is a command of these words', (line, argv) => {
  expect(asArgv(line)).toEqual(argv);
});

test.each([[['make', 'test']], [['sh', '-c', 'a && b']], [['say', `it's "here"`]], [['x', '']]])('%j is written and read alike', (argv) => {
  expect(asArgv(argvText(argv))).toEqual(argv);
});

test('words, sizes and names of paths', () => {
  expect(asWords(' a, b  c ')).toEqual(['a', 'b', 'c']);
  expect([bytesText(0), bytesText(1536), bytesText(20 * 1024 ** 3)]).toEqual(['0 B', '1.5 KiB', '20 GiB']);
  expect([baseName('/home/ann/shop/'), baseName('/')]).toEqual(['shop', '']);
});
