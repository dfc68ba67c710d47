import type { Line, Span } from '../sgr/terminal_log.ts';

// The lines that are searched, by their numbers.
export interface SearchedLines {
  readonly dropped: number;
  readonly total: number;
  textOf(number: number): string;
}

export interface MarkedSpan extends Span {
  isHit?: boolean;
}

// Lines between two looks at the clock.
const kBetweenLooks = 256;

// Finds the lines that hold some words, in small or capital letters, slice by slice, also in lines that come later.
export class LogSearch {
  readonly #lines: SearchedLines;
  #words = '';
  #pattern: RegExp | undefined;
  #hits: number[] = [];
  #next = 0;
  // The number of the line that is chosen.
  current: number | undefined;

  constructor(lines: SearchedLines) {
    this.#lines = lines;
  }

  get words(): string {
    return this.#words;
  }

  get count(): number {
    return this.#hits.length;
  }

  // Which of the hits is chosen, from 1 on; 0 when none is.
  get place(): number {
    return this.current === undefined ? 0 : this.#hits.indexOf(this.current) + 1;
  }

  get isDone(): boolean {
    return !this.#pattern || this.#next >= this.#lines.total;
  }

  begin(words: string): void {
    this.#words = words;
    this.#pattern = words ? new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu') : undefined;
    this.#hits = [];
    this.#next = this.#lines.dropped;
    this.current = undefined;
  }

  // Searches until the time is up.
  step(isOver: () => boolean): void {
    if (!this.#pattern) return;
    this.#forget();
    while (this.#next < this.#lines.total) {
      const end = Math.min(this.#next + kBetweenLooks, this.#lines.total);
      for (; this.#next < end; this.#next += 1) if (this.#holds(this.#lines.textOf(this.#next))) this.#hits.push(this.#next);
      if (isOver()) return;
    }
  }

  // Chooses the next hit; the first time the one at a line or behind it.
  go(by: number, from: number): number | undefined {
    if (!this.#hits.length) return undefined;
    const { length } = this.#hits;
    const at = this.current === undefined ? this.#firstFrom(from) + Math.min(0, by) : this.#hits.indexOf(this.current) + by;
    this.current = this.#hits[(at + length) % length];
    return this.current;
  }

  // The spans of a line, cut where the words begin and end.
  marked(spans: Line): readonly MarkedSpan[] {
    if (!this.#pattern) return spans;
    this.#pattern.lastIndex = 0;
    const found = [...spans.map((span) => span.text).join('').matchAll(this.#pattern)].map((match) => [match.index, match.index + match[0].length] as const);
    return found.length ? marked(spans, found) : spans;
  }

  #holds(text: string): boolean {
    this.#pattern!.lastIndex = 0;
    return this.#pattern!.test(text);
  }

  #firstFrom(number: number): number {
    const at = this.#hits.findIndex((hit) => hit >= number);
    return at < 0 ? 0 : at;
  }

  #forget(): void {
    const { dropped } = this.#lines;
    this.#next = Math.max(this.#next, dropped);
    if ((this.#hits[0] ?? dropped) < dropped) this.#hits = this.#hits.filter((hit) => hit >= dropped);
    if (this.current !== undefined && this.current < dropped) this.current = undefined;
  }
}

function marked(spans: Line, found: readonly (readonly [from: number, to: number])[]): MarkedSpan[] {
  const out: MarkedSpan[] = [];
  let begin = 0;
  for (const { text, classes } of spans) {
    const end = begin + text.length;
    const edges = found.flat().filter((edge) => edge > begin && edge < end);
    let from = begin;
    for (const to of [...edges, end]) {
      const at = from;
      const isHit = found.some(([first, last]) => first <= at && to <= last);
      out.push({ text: text.slice(from - begin, to - begin), classes, isHit });
      from = to;
    }
    begin = end;
  }
  return out;
}
