import { expect, test } from 'vitest';
import { formatRoute, parseRoute, signInCode } from '../../src/router/route.ts';

test.each(['/', '/b/shop', '/b/online%20shop?worker=developer&t=42', '/t/42', '/b/shop?wall=1', '/b/shop/review/42', '/t/42/review'])('%s is read and written alike', (address) => {
  const url = new URL(address, 'http://page');
  expect(formatRoute(parseRoute(url.pathname, url.search))).toBe(address);
});

test('reads the one-time code behind the hash', () => {
  expect(signInCode('#code=abc')).toBe('abc');
  expect(signInCode('')).toBeUndefined();
});

test.each(['/nothing', '/b', '/t/', '/boards/shop'])('%s leads nowhere', (address) => {
  expect(parseRoute(address, '').unknown).toBe(address);
});
