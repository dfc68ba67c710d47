import type { CueRequest } from './cues.ts';

export type SoundMode = 'off' | 'needs_me' | 'all';

export interface QuietHours {
  on: boolean;
  // Local times as "22:00". Hours that end before they begin go over midnight; equal times are the whole day.
  from: string;
  to: string;
}

// What the person chose about sounds, remembered by this browser.
export interface SoundChoice {
  mode: SoundMode;
  // From 0 to 1.
  volume: number;
  // Kinds of cues; one that this page does not know is kept.
  muted: readonly string[];
  quiet: QuietHours;
}

export const kNoSound: SoundChoice = { mode: 'off', volume: 0.5, muted: [], quiet: { on: false, from: '22:00', to: '07:00' } };

// Reads what was remembered. A part that cannot be read has its first value.
export function readChoice(text: string | null): SoundChoice {
  const given = parsed(text);
  const quiet = isObject(given.quiet) ? given.quiet : {};
  return {
    mode: given.mode === 'all' || given.mode === 'needs_me' ? given.mode : 'off',
    volume: typeof given.volume === 'number' && given.volume >= 0 && given.volume <= 1 ? given.volume : kNoSound.volume,
    muted: Array.isArray(given.muted) ? given.muted.filter((kind) => typeof kind === 'string') : [],
    quiet: {
      on: quiet.on === true,
      from: isTime(quiet.from) ? quiet.from : kNoSound.quiet.from,
      to: isTime(quiet.to) ? quiet.to : kNoSound.quiet.to,
    },
  };
}

export function allows(choice: SoundChoice, request: CueRequest, minuteOfDay: number): boolean {
  if (choice.mode === 'off' || choice.muted.includes(request.kind)) return false;
  if (choice.mode === 'needs_me' && !request.needsPerson) return false;
  return !isQuiet(choice.quiet, minuteOfDay);
}

export function isQuiet({ on, from, to }: QuietHours, minuteOfDay: number): boolean {
  if (!on) return false;
  const begin = minutes(from);
  const end = minutes(to);
  return begin < end ? minuteOfDay >= begin && minuteOfDay < end : minuteOfDay >= begin || minuteOfDay < end;
}

export const minuteOf = (time: Date): number => time.getHours() * 60 + time.getMinutes();

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const isTime = (word: unknown): word is string => typeof word === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(word);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
