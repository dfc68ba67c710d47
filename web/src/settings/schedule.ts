// Schedules in words. The server alone reads a schedule; this only knows the common ones.

export const kCommonSchedules: readonly [cron: string, words: string][] = [
  ['@hourly', 'Every hour'],
  ['0 7 * * *', 'Every day at 07:00'],
  ['0 7 * * 1-5', 'Every weekday at 07:00'],
  ['0 22 * * *', 'Every night at 22:00'],
  ['0 7 * * 1', 'Every Monday at 07:00'],
  ['0 7 1 * *', 'The first of every month at 07:00'],
];

const kNamed: Record<string, string> = {
  '@hourly': 'Every hour', '@daily': 'Every day at 00:00', '@weekly': 'Every Sunday at 00:00',
  '@monthly': 'The first of every month at 00:00', '@yearly': 'Every 1 January at 00:00',
};
const kDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function daysText(weekday: string, day: string): string | undefined {
  if (weekday === '*' && day === '*') return 'Every day';
  if (weekday === '*' && /^\d+$/.test(day)) return `Day ${day} of every month`;
  if (day !== '*') return undefined;
  if (weekday === '1-5') return 'Every weekday';
  return /^[0-7]$/.test(weekday) ? `Every ${kDays[Number(weekday) % 7]}` : undefined;
}

// The schedule as people say it; itself where it is not a common one.
export function scheduleText(cron: string): string {
  const known = kCommonSchedules.find(([one]) => one === cron)?.[1] ?? kNamed[cron];
  if (known) return known;
  const [minute = '', hour = '', day = '', month, weekday = ''] = cron.trim().split(/\s+/);
  const days = month === '*' ? daysText(weekday, day) : undefined;
  if (!days || !/^\d+$/.test(minute)) return cron;
  if (hour === '*' && days === 'Every day') return `Every hour at minute ${minute}`;
  return /^\d+$/.test(hour) ? `${days} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` : cron;
}
