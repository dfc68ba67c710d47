import type { OpsFrame } from '../model/wire.ts';

export type LinkState = 'connecting' | 'live' | 'waiting';

export type ToHub =
  // Frames after `seq` of `epoch` are wanted; a second `watch` of a page replaces its first.
  | { type: 'watch'; board: string; epoch: string; seq: number }
  // Gently: only when nothing is being tried already.
  | { type: 'retry'; gently?: boolean }
  | { type: 'leave' };

export type FromHub =
  | { type: 'ops'; frame: OpsFrame }
  // What the page has can no longer be continued: it must take a snapshot.
  | { type: 'reset'; reason: string }
  | { type: 'link'; state: LinkState; retryAt?: number; build?: string }
  | { type: 'signed-out' };
