import { kEscapeSequence } from '../format/terminal_text.ts';
import { visibleText } from '../format/visible_text.ts';
import { classesOf, styled, type Style } from './style.ts';

export interface Span {
  text: string;
  classes: string;
}

export type Line = readonly Span[];

const kMostLines = 200_000;
const kChunk = 10_000;
// Longer unfinished sequences are no sequences.
const kLongestSequence = 256;

// Colour sequences (1), other sequences, ends of lines, and control characters.
const kToken = new RegExp(String.raw`\x1b\[([\d;:]*)m|${kEscapeSequence}|\r\n|[\r\n]|[\x00-\x08\x0b-\x1f\x7f]`, 'g');
const kControl = /[\x00-\x08\x0a-\x1f\x7f]/;
const kUnfinished = /(?:\x1b(?:[ -/]+|\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?)?|\r)$/;

// Turns what a program wrote to its terminal into lines of coloured spans. Cursor movements are dropped,
// a carriage return begins the line anew, links are shown as their text.
export class TerminalLog {
  #lines: Line[] = [];
  #open: Span[] = [];
  #style: Style = {};
  #rest = '';
  dropped = 0;

  // Finished lines and the one still being written.
  get count(): number {
    return this.#lines.length + (this.#open.length ? 1 : 0);
  }

  slice(from: number, to: number): Line[] {
    const lines = this.#lines.slice(from, to);
    if (this.#open.length && to > this.#lines.length) lines.push([...this.#open]);
    return lines;
  }

  // Several programs may write at once, so a line of one ends what another has left open. A line may have a style that
  // ends with it.
  pushLine(line: string, own?: Style): void {
    if (this.#open.length) this.push('\n');
    if (own) this.#style = own;
    if (this.#rest || kControl.test(line)) this.push(line.endsWith('\n') ? line : `${line}\n`);
    else this.#pushPlain(line);
    if (own) this.#style = {};
  }

  push(chunk: string): void {
    const text = this.#rest + chunk;
    const unfinished = kUnfinished.exec(text)?.[0] ?? '';
    this.#rest = unfinished.length < kLongestSequence ? unfinished : '';
    this.#read(text.slice(0, text.length - this.#rest.length));
    this.#dropFirst();
  }

  // Nearly every line is plain text.
  #pushPlain(line: string): void {
    this.#write(line);
    this.#lines.push(this.#open);
    this.#open = [];
    this.#dropFirst();
  }

  #dropFirst(): void {
    if (this.#lines.length <= kMostLines) return;
    this.dropped += kChunk;
    this.#lines.splice(0, kChunk);
  }

  #read(text: string): void {
    let from = 0;
    for (const token of text.matchAll(kToken)) {
      this.#write(text.slice(from, token.index));
      from = token.index + token[0].length;
      this.#obey(token[0], token[1]);
    }
    this.#write(text.slice(from));
  }

  #obey(token: string, colours: string | undefined): void {
    if (token === '\n' || token === '\r\n') {
      this.#lines.push(this.#open);
      this.#open = [];
    } else if (token === '\r') {
      this.#open = [];
    } else if (colours !== undefined) {
      this.#style = styled(this.#style, colours || '0');
    }
  }

  #write(written: string): void {
    if (!written) return;
    const text = visibleText(written);
    const classes = classesOf(this.#style);
    const last = this.#open.at(-1);
    if (last && last.classes === classes) this.#open[this.#open.length - 1] = { text: last.text + text, classes };
    else this.#open.push({ text, classes });
  }
}
