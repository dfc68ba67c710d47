import type { OpsFrame } from '../model/wire.ts';

const kMostOps = 5000;

// The frames of the recent past, for a page that joins a stream which is already ahead of its snapshot.
export class FrameLog {
  #frames: OpsFrame[] = [];
  #ops = 0;
  // The log is whole for everything after this sequence number.
  #wholeAfter: number | undefined;

  add(frame: OpsFrame): void {
    this.#wholeAfter ??= (frame.from ?? 0) - 1;
    this.#frames.push(frame);
    this.#ops += frame.ops.length;
    while (this.#ops > kMostOps && this.#frames.length > 1) {
      const oldest = this.#frames.shift()!;
      this.#ops -= oldest.ops.length;
      this.#wholeAfter = oldest.to ?? this.#wholeAfter;
    }
  }

  // Undefined when something in between has been forgotten.
  since(seq: number, cursor: number): OpsFrame[] | undefined {
    if (seq >= cursor) return [];
    if (this.#wholeAfter === undefined || seq < this.#wholeAfter) return undefined;
    return this.#frames.filter((frame) => (frame.to ?? 0) > seq);
  }

  clear(): void {
    this.#frames = [];
    this.#ops = 0;
    this.#wholeAfter = undefined;
  }
}
