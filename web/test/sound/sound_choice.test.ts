import { describe, expect, test } from 'vitest';
import type { CueRequest } from '../../src/sound/cues.ts';
import { allows, isQuiet, kNoSound, readChoice, type SoundChoice } from '../../src/sound/sound_choice.ts';

const minute = (hours: number, minutes = 0) => hours * 60 + minutes;
const kDone: CueRequest = { kind: 'done', key: '1' };
const kAsked: CueRequest = { kind: 'question', key: '2', needsPerson: true };
const all = (over: Partial<SoundChoice> = {}): SoundChoice => ({ ...kNoSound, mode: 'all', ...over });

describe('The choices about sounds', () => {
  test('are off at first and when they cannot be read', () => {
    for (const text of [null, '', '{', '7', '[]', 'null', '{"mode":"loud","volume":9,"muted":[7],"quiet":{"from":"25:00"}}']) expect(readChoice(text)).toEqual(kNoSound);
  });

  test('are read as they were written', () => {
    const choice: SoundChoice = { mode: 'needs_me', volume: 0, muted: ['todo'], quiet: { on: true, from: '21:30', to: '06:15' } };
    expect(readChoice(JSON.stringify(choice))).toEqual(choice);
  });

  test('allow only what needs a person when that was chosen', () => {
    expect(allows(all({ mode: 'needs_me' }), kDone, 0)).toBe(false);
    expect(allows(all({ mode: 'needs_me' }), kAsked, 0)).toBe(true);
    expect(allows(all(), kDone, 0)).toBe(true);
    expect(allows(all({ muted: ['done'] }), kDone, 0)).toBe(false);
    expect(allows(kNoSound, kAsked, 0)).toBe(false);
  });

  test('hold quiet hours over midnight', () => {
    const night = { on: true, from: '22:00', to: '07:00' };
    expect([minute(21, 59), minute(22), minute(0), minute(6, 59), minute(7)].map((at) => isQuiet(night, at))).toEqual([false, true, true, true, false]);
    expect(allows(all({ quiet: night }), kAsked, minute(23))).toBe(false);
    expect(isQuiet({ ...night, on: false }, minute(23))).toBe(false);
  });

  test('hold quiet hours within a day', () => {
    const noon = { on: true, from: '12:00', to: '13:30' };
    expect([minute(11, 59), minute(12), minute(13, 29), minute(13, 30)].map((at) => isQuiet(noon, at))).toEqual([false, true, true, false]);
  });
});
