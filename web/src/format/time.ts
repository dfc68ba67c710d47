const kMinute = 60_000;
const kHour = 60 * kMinute;
const kDay = 24 * kHour;

// One unit is enough on a card: "now", "12m", "3h", "5d", "8w".
export function age(ms: number): string {
  if (ms < kMinute) return 'now';
  if (ms < kHour) return `${Math.floor(ms / kMinute)}m`;
  if (ms < kDay) return `${Math.floor(ms / kHour)}h`;
  if (ms < 14 * kDay) return `${Math.floor(ms / kDay)}d`;
  return `${Math.floor(ms / (7 * kDay))}w`;
}

// A running time with seconds while they matter: "42s", "3m 05s", "2h 10m".
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
}

export function timeLeft(until: string, now: number): number {
  return Math.max(0, Date.parse(until) - now);
}

export type DueTone = 'over' | 'soon' | 'later';

// Due dates are days, compared as days of the reader's own calendar.
export function due(date: string, now: number): { text: string; tone: DueTone } {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const today = new Date(now);
  const days = Math.round((Date.UTC(year, month - 1, day) - Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())) / kDay);
  if (days < 0) return { text: `${-days}d over`, tone: 'over' };
  if (days === 0) return { text: 'today', tone: 'soon' };
  if (days === 1) return { text: 'tomorrow', tone: 'soon' };
  if (days < 14) return { text: `in ${days}d`, tone: 'later' };
  return { text: new Date(year, month - 1, day).toLocaleDateString(undefined, { day: 'numeric', month: 'short' }), tone: 'later' };
}

export function moment(at: string): string {
  const date = new Date(at);
  return date.toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
