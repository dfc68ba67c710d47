import { expect, test } from 'vitest';
import { formatRoute, parseRoute, signInCode } from '../../src/router/route.ts';

test.each(['/', '/b/shop', '/b/online%20shop?worker=developer&t=42', '/t/42', '/b/shop?wall=1', '/attention', '/b/shop/review/42', '/t/42/review', '/t/42/runs/7', '/b/shop/runs/42/7', '/b/shop/runs/42/7?beside=5', '/settings', '/b/shop/settings', '/b/shop/settings/workers', '/b/shop/settings/workers/web%20tester', '/settings/access', '/b/shop/settings/workers/'])('%s is read and written alike', (address) => {
  const url = new URL(address, 'http://page');
  expect(formatRoute(parseRoute(url.pathname, url.search))).toBe(address);
});

test('reads the one-time code behind the hash', () => {
  expect(signInCode('#code=abc')).toBe('abc');
  expect(signInCode('')).toBeUndefined();
});

test.each(['/nothing', '/b', '/t/', '/boards/shop', '/attention/x'])('%s leads nowhere', (address) => {
  expect(parseRoute(address, '').unknown).toBe(address);
});

test('a section that does not exist is the first one', () => {
  expect(parseRoute('/b/shop/settings/nothing', '')).toEqual({ board: 'shop', settings: 'board' });
});
