import { describe, expect, test } from 'vitest';
import { cueOf, kCues, lengthOf } from '../../src/sound/cues.ts';

describe('The table of cues', () => {
  test('has a row for each kind, once', () => {
    expect(kCues.map(({ kind }) => kind).toSorted()).toEqual(['backlog', 'blocked', 'done', 'failed', 'in_progress', 'question', 'stopped', 'todo']);
  });

  test('holds short cues whose voices end below their low-pass', () => {
    for (const cue of kCues) {
      expect(lengthOf(cue)).toBeLessThan(1);
      for (const { hz, peak, length } of cue.voices) {
        expect(hz).toBeLessThan(cue.lowPass);
        expect(length).toBeGreaterThan(0.006);
        expect(peak).toBeLessThanOrEqual(0.5);
      }
    }
  });

  test('has the notes that were decided', () => {
    const notes = (kind: Parameters<typeof cueOf>[0]) => cueOf(kind).voices.map(({ hz }) => hz);
    expect(notes('backlog')).toEqual([659.25, 493.88]);
    expect(notes('todo')).toEqual([880, 880]);
    expect(notes('in_progress')).toEqual([523.25, 659.25, 783.99]);
    expect(notes('done')).toEqual([523.25, 659.25, 783.99, 1046.5]);
  });
});
