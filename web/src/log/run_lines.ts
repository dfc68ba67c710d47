import type { Style } from '../sgr/style.ts';
import { TerminalLog, type Line } from '../sgr/terminal_log.ts';
import type { OutputItem } from '../sync/run_output.ts';

// One line as it is drawn. `number` counts all lines of the run from its beginning.
export interface Row {
  number: number;
  spans: Line;
  at: number;
  // Of a tool call: how many lines belong to it, and whether they are shown.
  below: number;
  isOpen: boolean;
}

const kNoCall = -1;
// Marks lines about acts of the agent, so that they look different from its words. A line with colours of its own stays as it is.
const kLooks: Readonly<Record<string, Style>> = { tool: { fg: 6 }, notice: { dim: true }, andon: { dim: true }, stderr: { fg: 3 } };

// The lines of a run. The output of a tool call is folded away beneath the line that names the call, until somebody
// opens it. Of very long output only the last lines are kept.
export class RunLines {
  readonly #log = new TerminalLog();
  #at: number[] = [];
  // Of each line the number of the line that names its tool call.
  #calls: number[] = [];
  #call = kNoCall;
  readonly #below = new Map<number, number>();
  // Calls that are shown in the other way than the rest.
  readonly #toggled = new Set<number>();
  #unfolds = false;
  // The numbers of the lines that are shown.
  #rows: number[] = [];

  // Lines at the beginning that are no longer kept.
  get dropped(): number {
    return this.#log.dropped;
  }

  get total(): number {
    return this.#log.dropped + this.#log.count;
  }

  get rows(): number {
    return this.#rows.length;
  }

  get calls(): number {
    return this.#below.size;
  }

  get unfolds(): boolean {
    return this.#unfolds;
  }

  add(items: readonly OutputItem[]): void {
    const dropped = this.dropped;
    for (const item of items) this.#addItem(item);
    if (this.dropped !== dropped) this.#forget();
  }

  textOf(number: number): string {
    const [spans = []] = this.#log.slice(number - this.dropped, number - this.dropped + 1);
    return spans.length === 1 ? spans[0]!.text : spans.map((span) => span.text).join('');
  }

  slice(from: number, to: number): Row[] {
    return this.#rows.slice(Math.max(0, from), to).map((number) => this.#row(number));
  }

  // The row of a line; of a line that is folded away, the row of its call.
  rowOf(number: number): number {
    const wanted = this.#isShown(number) ? number : this.#calls[number - this.dropped]!;
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  numberAt(row: number): number {
    return this.#rows[Math.min(Math.max(0, row), this.#rows.length - 1)] ?? this.dropped;
  }

  toggle(call: number): void {
    if (!this.#toggled.delete(call)) this.#toggled.add(call);
    this.#arrange();
  }

  // Opens the call that a line belongs to; tells whether that was needed.
  reveal(number: number): boolean {
    if (this.#isShown(number)) return false;
    this.toggle(this.#calls[number - this.dropped]!);
    return true;
  }

  unfoldAll(unfolds: boolean): void {
    this.#unfolds = unfolds;
    this.#toggled.clear();
    this.#arrange();
  }

  #row(number: number): Row {
    const at = number - this.dropped;
    return {
      number,
      spans: this.#log.slice(at, at + 1)[0] ?? [],
      at: this.#at[at] ?? 0,
      below: this.#calls[at] === number ? (this.#below.get(number) ?? 0) : 0,
      isOpen: this.#isOpen(number),
    };
  }

  // A line of a tool that is not indented names a call, and what follows is its output.
  #addItem(item: OutputItem): void {
    const at = Date.parse(item.at);
    const dropped = this.dropped;
    const first = this.total;
    if (item.stream !== 'tool') this.#call = kNoCall;
    else if (this.#call === kNoCall || !item.text.startsWith(' ')) this.#call = first;
    this.#log.pushLine(item.text, item.text.includes('\x1b[') ? undefined : kLooks[item.stream]);
    for (let number = first; number < this.total; number += 1) {
      this.#at.push(at);
      this.#calls.push(this.#call);
      if (this.#call !== kNoCall) this.#below.set(this.#call, number - this.#call);
      if (this.#call === kNoCall || this.#call === number || this.#isOpen(this.#call)) this.#rows.push(number);
    }
    if (this.dropped === dropped) return;
    this.#at.splice(0, this.dropped - dropped);
    this.#calls.splice(0, this.dropped - dropped);
  }

  // A call whose first line is gone begins with the first of its lines that is left.
  #forget(): void {
    const { dropped } = this;
    const cut = this.#calls[0] ?? kNoCall;
    if (cut !== kNoCall && cut < dropped) {
      const last = cut + (this.#below.get(cut) ?? 0);
      this.#below.set(dropped, last - dropped);
      if (this.#toggled.has(cut)) this.#toggled.add(dropped);
      for (let number = dropped; number <= last; number += 1) this.#calls[number - dropped] = dropped;
      if (this.#call === cut) this.#call = dropped;
    }
    for (const call of this.#below.keys()) if (call < dropped) this.#below.delete(call);
    for (const call of this.#toggled) if (call < dropped) this.#toggled.delete(call);
    this.#arrange();
  }

  #isOpen(call: number): boolean {
    return this.#toggled.has(call) !== this.#unfolds;
  }

  #isShown(number: number): boolean {
    const call = this.#calls[number - this.dropped] ?? kNoCall;
    return call === kNoCall || call === number || this.#isOpen(call);
  }

  #arrange(): void {
    const { dropped, total } = this;
    this.#rows = [];
    for (let number = dropped; number < total; number += 1) if (this.#isShown(number)) this.#rows.push(number);
  }
}
