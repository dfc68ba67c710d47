import { expect, test } from 'vitest';
import { scheduleText } from '../../src/settings/schedule.ts';

test.each([
  ['@daily', 'Every day at 00:00'],
  ['0 7 * * 1-5', 'Every weekday at 07:00'],
  ['30 9 * * 0', 'Every Sunday at 09:30'],
  ['5 12 15 * *', 'Day 15 of every month at 12:05'],
  ['15 * * * *', 'Every hour at minute 15'],
  ['*/5 8-18 * * 1,3', '*/5 8-18 * * 1,3'],
  ['', ''],
])('%s reads as %s', (cron, words) => {
  expect(scheduleText(cron)).toBe(words);
});
