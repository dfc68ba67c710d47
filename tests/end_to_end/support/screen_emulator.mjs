// The screen of a terminal for what Andon writes to it, and nothing else: a sequence that is not in the tables, a control character or
// a hidden bidirectional one is an error. So a test fails when a text gets through to the terminal as more than text.

const kModes = new Set(['?7', '?25', '?1002', '?1006', '?1049', '?2004']);
const kSequence = /^\x1b\[([?]?)([0-9;]*)([A-Za-z])/;
const kSequenceStart = /^\x1b(\[[?]?[0-9;]{0,60})?$/;
const kForbidden = /[\u0080-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const kWide = /^(\p{RI}\p{RI}|\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}])/u;
const kMark = /^[\p{Mn}\p{Me}\u200d\ufe0f]/u;
const kFlags = { 1: 'bold', 2: 'dim', 4: 'underline', 7: 'reverse' };
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

const blank = () => ({ text: ' ', style: {} });

export class ScreenEmulator {
  modes = new Set(['?7', '?25']);
  cursor = { x: 0, y: 0 };
  style = {};
  #rest = '';
  #last; // where the last character stands, while nothing but text followed

  constructor(columns, rows) {
    Object.assign(this, { columns, rows });
    this.cells = this.#empty();
  }

  get isCursorVisible() {
    return this.modes.has('?25');
  }
  get isAlternate() {
    return this.modes.has('?1049');
  }

  // The rows as text, without blanks at their ends.
  lines() {
    return this.cells.map((row) => row.map((cell) => cell.text).join('').trimEnd());
  }
  styleAt(x, y) {
    return this.cells[y][x].style;
  }

  resize(columns, rows) {
    const before = this.cells;
    Object.assign(this, { columns, rows });
    this.cells = this.#empty().map((row, y) => row.map((cell, x) => before[y]?.[x] ?? cell));
    this.#go(this.cursor.x, this.cursor.y);
    if (this.#last) this.#last.at = this.#within(this.#last.at);
  }

  write(text) {
    this.#rest += text;
    while (this.#rest) {
      const taken = this.#rest[0] === '\x1b' ? this.#sequence() : this.#rest[0] < ' ' ? this.#control() : this.#text();
      if (!taken) return;
      this.#rest = this.#rest.slice(taken);
    }
  }

  #empty() {
    return Array.from({ length: this.rows }, () => Array.from({ length: this.columns }, blank));
  }

  #refuse(what) {
    throw new Error(`The terminal does not know ${what}: ${JSON.stringify(this.#rest.slice(0, 60))}`);
  }

  #sequence() {
    const known = kSequence.exec(this.#rest);
    if (!known) {
      if (!kSequenceStart.test(this.#rest)) this.#refuse('this sequence');
      return 0;
    }
    const [whole, mark, parameters, final] = known;
    this.#last = undefined;
    if (mark) this.#setModes(mark + parameters, final);
    else this.#obey(parameters, final);
    return whole.length;
  }

  #setModes(mode, final) {
    if (!kModes.has(mode) || !'hl'.includes(final)) this.#refuse('this mode');
    if (mode === '?1049' && (final === 'h') !== this.isAlternate) this.#switchScreen();
    if (final === 'h') this.modes.add(mode);
    else this.modes.delete(mode);
  }

  // Each of the two screens keeps its cells and its cursor.
  #switchScreen() {
    const other = this.other ?? { cells: this.#empty(), cursor: { x: 0, y: 0 } };
    this.other = { cells: this.cells, cursor: this.cursor };
    Object.assign(this, this.isAlternate ? other : { cells: this.#empty(), cursor: { ...this.cursor } });
    this.resize(this.columns, this.rows);
  }

  #obey(parameters, final) {
    const numbers = parameters.split(';').map(Number);
    if (final === 'H' && numbers.length <= 2) this.#go((numbers[1] || 1) - 1, (numbers[0] || 1) - 1);
    else if (final === 'J' && parameters === '2') this.cells = this.#empty();
    else if (final === 'K' && parameters === '') this.#erase();
    else if (final === 'm') this.#setStyle(numbers);
    else this.#refuse('this sequence');
  }

  #go(x, y) {
    this.cursor = this.#within({ x, y });
  }
  #within({ x, y }) {
    return { x: Math.min(x, this.columns - 1), y: Math.min(y, this.rows - 1) };
  }

  #erase() {
    const row = this.cells[this.cursor.y];
    for (let x = this.cursor.x; x < this.columns; x++) row[x] = { text: ' ', style: this.style };
  }

  #setStyle(numbers) {
    let style = { ...this.style };
    for (let i = 0; i < numbers.length; i++) {
      const n = numbers[i];
      if (n === 0) style = {};
      else if (kFlags[n]) style[kFlags[n]] = true;
      else if (n === 38 || n === 48) {
        const size = { 5: 2, 2: 4 }[numbers[i + 1]] ?? this.#refuse('this colour');
        style[n === 38 ? 'text' : 'ground'] = numbers.slice(i + 1, (i += size) + 1).join(';');
      } else if ((n >= 30 && n <= 37) || (n >= 90 && n <= 97)) style.text = String(n);
      else if ((n >= 40 && n <= 47) || (n >= 100 && n <= 107)) style.ground = String(n - 10);
      else this.#refuse('this style');
    }
    this.style = style;
  }

  // On the whole screen every place is told; line ends are for the plain lines before and after.
  #control() {
    const c = this.#rest[0];
    this.#last = undefined;
    if (this.isAlternate || !'\r\n'.includes(c)) this.#refuse('this control character');
    if (c === '\r') this.cursor.x = 0;
    else this.#nextLine();
    return 1;
  }

  #nextLine() {
    if (this.cursor.y + 1 < this.rows) return void this.cursor.y++;
    if (this.isAlternate) this.#refuse('a reason to scroll');
    this.cells.shift();
    this.cells.push(Array.from({ length: this.columns }, blank));
  }

  #text() {
    const text = /^[^\x00-\x1f]+/.exec(this.#rest)[0];
    if (kForbidden.test(text) || text.includes('\x7f')) this.#refuse('this character');
    // A character may go on in the next piece of what was written.
    const begun = this.#last?.text ?? '';
    if (this.#last) this.cursor = { ...this.#last.at };
    for (const { segment } of clusters.segment(begun + text)) this.#put(segment);
    return text.length;
  }

  #put(text) {
    const width = kMark.test(text) ? 0 : kWide.test(text) ? 2 : 1;
    if (width === 0) return this.#refuse('a mark without its character');
    if (this.cursor.x + width > this.columns) this.#pastTheEdge(width);
    const { x, y } = this.cursor;
    const row = this.cells[y];
    if (row[x].text === '' && x > 0) row[x - 1] = blank();
    if (row[x + width]?.text === '') row[x + width] = blank();
    row[x] = { text, style: this.style };
    if (width === 2) row[x + 1] = { text: '', style: this.style };
    this.#last = { text, at: { x, y } };
    this.cursor.x += width;
  }

  #pastTheEdge(width) {
    if (!this.modes.has('?7')) return void (this.cursor.x = Math.max(this.columns - width, 0));
    this.cursor.x = 0;
    this.#nextLine();
  }
}
