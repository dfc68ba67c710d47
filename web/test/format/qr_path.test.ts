import { expect, test } from 'vitest';
import { qrPath } from '../../src/format/qr_path.ts';

test('neighbours in a row are one rectangle', () => {
  expect(qrPath(['1101', '0000', '0110'])).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h2v1h-2z');
});

test('a code without dark modules has no path', () => {
  expect(qrPath(['00', '00'])).toBe('');
});
