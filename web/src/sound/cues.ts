// What happens on a board as a short sound: a column for each cue, those that a person must know first before the others.
export type CueKind = 'question' | 'failed' | 'stopped' | 'blocked' | 'done' | 'in_progress' | 'todo' | 'backlog';

export interface Voice {
  wave: OscillatorType;
  // In Hz; a voice with `glideTo` slides there over its length.
  hz: number;
  glideTo?: number;
  // Start and length in seconds.
  at: number;
  length: number;
  // Of the attack, from 0 to 1.
  peak: number;
}

export interface Cue {
  kind: CueKind;
  title: string;
  // What a person hears it for.
  meaning: string;
  // Cut-off of the low-pass of each voice, in Hz.
  lowPass: number;
  voices: readonly Voice[];
}

// A cue that one page asks for.
export interface CueRequest {
  kind: CueKind;
  // Names the change it is for. Two pages that show one board ask for one change with one key.
  key: string;
  // A person of this browser did it just now.
  own?: boolean;
  // Only a person can make it go on.
  needsPerson?: boolean;
  // It happened while the page had no connection.
  late?: boolean;
}

const kC5 = 523.25;
const kE5 = 659.25;
const kG5 = 783.99;

// In the order in which they sound when several compete.
export const kCues: readonly Cue[] = [
  {
    kind: 'question', title: 'Question', meaning: 'An agent asks, or work waits for a review', lowPass: 5000,
    voices: [
      { wave: 'sine', hz: kG5, at: 0, length: 0.11, peak: 0.2 },
      { wave: 'sine', hz: 1174.66, at: 0.12, length: 0.24, peak: 0.2 },
    ],
  },
  {
    kind: 'failed', title: 'Failed', meaning: 'An attempt failed, or its worker went silent', lowPass: 1400,
    voices: [
      { wave: 'sawtooth', hz: 329.63, at: 0, length: 0.12, peak: 0.1 },
      { wave: 'sawtooth', hz: 261.63, at: 0.11, length: 0.12, peak: 0.1 },
      { wave: 'sawtooth', hz: 220, at: 0.22, length: 0.3, peak: 0.11 },
    ],
  },
  {
    kind: 'stopped', title: 'Stopped', meaning: 'A run was killed, or the line was stopped', lowPass: 1800,
    voices: [{ wave: 'triangle', hz: 440, glideTo: 110, at: 0, length: 0.22, peak: 0.5 }],
  },
  {
    kind: 'blocked', title: 'Blocked', meaning: 'A task is blocked', lowPass: 900,
    voices: [
      { wave: 'triangle', hz: 196, at: 0, length: 0.16, peak: 0.26 },
      { wave: 'triangle', hz: 185, at: 0.17, length: 0.26, peak: 0.26 },
    ],
  },
  {
    kind: 'done', title: 'Done', meaning: 'A task is done', lowPass: 6000,
    voices: [
      { wave: 'sine', hz: kC5, at: 0, length: 0.9, peak: 0.11 },
      { wave: 'sine', hz: kE5, at: 0.018, length: 0.9, peak: 0.1 },
      { wave: 'sine', hz: kG5, at: 0.036, length: 0.9, peak: 0.1 },
      { wave: 'sine', hz: 1046.5, at: 0.054, length: 0.7, peak: 0.06 },
    ],
  },
  {
    kind: 'in_progress', title: 'In progress', meaning: 'Work on a task starts', lowPass: 5000,
    voices: [
      { wave: 'triangle', hz: kC5, at: 0, length: 0.09, peak: 0.18 },
      { wave: 'triangle', hz: kE5, at: 0.08, length: 0.09, peak: 0.18 },
      { wave: 'triangle', hz: kG5, at: 0.16, length: 0.24, peak: 0.2 },
    ],
  },
  {
    kind: 'todo', title: 'To do', meaning: 'A task is queued', lowPass: 4000,
    voices: [
      { wave: 'triangle', hz: 880, at: 0, length: 0.045, peak: 0.2 },
      { wave: 'triangle', hz: 880, at: 0.11, length: 0.06, peak: 0.2 },
    ],
  },
  {
    kind: 'backlog', title: 'Backlog', meaning: 'A task is put down', lowPass: 2400,
    voices: [
      { wave: 'sine', hz: kE5, at: 0, length: 0.12, peak: 0.2 },
      { wave: 'sine', hz: 493.88, at: 0.09, length: 0.2, peak: 0.18 },
    ],
  },
];

const kByKind = new Map(kCues.map((cue) => [cue.kind, cue]));

export const cueOf = (kind: CueKind): Cue => kByKind.get(kind)!;

export const lengthOf = (cue: Cue): number => Math.max(...cue.voices.map(({ at, length }) => at + length));
