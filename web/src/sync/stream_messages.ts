import type { OpsFrame } from '../model/wire.ts';
import type { CueRequest } from '../sound/cues.ts';

export type LinkState = 'connecting' | 'live' | 'waiting';

export type ToHub =
  // The secret with which the stream is asked for; nothing once the browser is signed out.
  | { type: 'secret'; secret: string | undefined }
  // Frames after `seq` of `epoch` are wanted; a second `watch` of a page replaces its first.
  | { type: 'watch'; board: string; epoch: string; seq: number }
  // Gently: only when nothing is being tried already.
  | { type: 'retry'; gently?: boolean }
  | { type: 'leave' }
  // Whether this page can play sounds, and whether somebody can see it.
  | { type: 'player'; ready: boolean; visible: boolean }
  // Sounds of the board of this page, for the page that plays.
  | { type: 'cues'; cues: readonly CueRequest[] }
  // Answers `cues` of the hub.
  | { type: 'played'; sent: number };

export type FromHub =
  | { type: 'ops'; frame: OpsFrame }
  // What the page has can no longer be continued: it must take a snapshot.
  | { type: 'reset'; reason: string }
  | { type: 'link'; state: LinkState; retryAt?: number; build?: string }
  | { type: 'signed-out' }
  // Only the page that plays gets these.
  | { type: 'cues'; cues: readonly CueRequest[]; sent: number };
