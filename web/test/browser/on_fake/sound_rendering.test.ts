import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cueOf, kCues, lengthOf, type CueKind } from '../../../src/sound/cues.ts';
import { similarity, Sound } from '../sound_measures.ts';
import { openStage, type Stage } from '../stage.ts';

const kRate = 44_100;
// The compressor looks ahead for so long.
const kDelay = 0.006;

// The modules of the page as one script. Nothing of it is in the page itself.
async function offlineSound(): Promise<string> {
  const lib = { entry: 'test/browser/offline_sound.ts', formats: ['iife' as const], name: 'offlineSound' };
  const [output] = (await build({ configFile: false, logLevel: 'silent', build: { write: false, lib } })) as Rolldown.RolldownOutput[];
  return output!.output[0].code;
}

describe('Each cue, rendered in the browser', () => {
  let stage: Stage;
  const sounds = new Map<CueKind, Sound>();
  const sound = (kind: CueKind) => sounds.get(kind)!;

  beforeAll(async () => {
    stage = await openStage();
    await stage.page.goto(stage.url);
    const rendered = await stage.page.evaluate(`${await offlineSound()}; offlineSound.renderCues(${kRate}, 1.5)`);
    for (const [kind, samples] of Object.entries(rendered as Record<CueKind, number[]>)) sounds.set(kind as CueKind, new Sound(samples, kRate));
  });
  afterAll(() => stage.close());

  test('is loud enough and never near the limit', () => {
    for (const { kind } of kCues) {
      expect(sound(kind).peak, kind).toBeLessThan(-6);
      expect(sound(kind).peak, kind).toBeGreaterThan(-26);
      expect(sound(kind).loudness, kind).toBeGreaterThan(-40);
    }
  });

  test('is as long as its notes and shorter than a second and a half', () => {
    for (const cue of kCues) {
      expect(sound(cue.kind).length, cue.kind).toBeLessThan(lengthOf(cue) + 0.02);
      expect(sound(cue.kind).length, cue.kind).toBeGreaterThan(lengthOf(cue) * 0.55);
    }
    expect(Math.max(...[...sounds.values()].map(({ length }) => length))).toBeLessThan(1.5);
  });

  for (const kind of ['backlog', 'todo', 'in_progress', 'blocked', 'failed', 'question'] as const) {
    test(`${kind} has its notes in order`, () => {
      const { voices } = cueOf(kind);
      voices.forEach(({ hz, at, length }, index) => {
        const end = Math.min(at + length, voices[index + 1]?.at ?? Infinity);
        expect(Math.abs(sound(kind).pitch(at + kDelay, end + kDelay) / hz - 1), `note ${index + 1}`).toBeLessThan(0.02);
      });
    });
  }

  test('todo is two taps with silence between them', () => {
    const level = (from: number, to: number) => sound('todo').strength(880, from + kDelay, to + kDelay);
    expect(level(0, 0.045)).toBeGreaterThan(20 * level(0.06, 0.1));
    expect(level(0.11, 0.17)).toBeGreaterThan(20 * level(0.06, 0.1));
  });

  test('done is a C major chord, strummed upwards', () => {
    const chord = cueOf('done').voices.map(({ hz }) => hz);
    for (const hz of chord) for (const other of [466.16, 587.33, 698.46, 880]) expect(sound('done').strength(hz, 0.1, 0.5)).toBeGreaterThan(4 * sound('done').strength(other, 0.1, 0.5));
    const onsets = chord.map((hz) => sound('done').onset(hz));
    expect(onsets).toEqual(onsets.toSorted((a, b) => a - b));
    expect(onsets.at(-1)! - onsets[0]!).toBeGreaterThan(0.03);
  });

  test('stopped slides down by two octaves', () => {
    const pitches = [0, 0.05, 0.1, 0.15].map((at) => sound('stopped').pitch(at + kDelay, at + 0.05 + kDelay));
    expect(pitches).toEqual(pitches.toSorted((a, b) => b - a));
    expect(pitches[0]).toBeGreaterThan(340);
    expect(pitches[3]).toBeLessThan(180);
  });

  test('differs clearly from each other one', () => {
    const pictures = kCues.map(({ kind }) => ({ kind, picture: sound(kind).picture }));
    const pairs = pictures.flatMap((a, at) => pictures.slice(at + 1).map((b) => ({ pair: `${a.kind}/${b.kind}`, alike: similarity(a.picture, b.picture) })));
    const closest = pairs.toSorted((a, b) => b.alike - a.alike)[0]!;
    expect(closest.alike, closest.pair).toBeLessThan(0.6);
  });
});
