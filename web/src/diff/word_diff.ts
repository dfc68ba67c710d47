// Which words of a changed line are new. The cost is bounded: long lines and lines with little in common are marked whole.
export interface Span {
  text: string;
  changed: boolean;
}

const kLongest = 400;
const kMostCells = 20_000;
// Of the characters of the longer line, so much must be common.
const kAlike = 0.3;
const kWord = /[\p{L}\p{N}_]+|\s+|./gu;

const whole = (text: string): Span[] => (text ? [{ text, changed: true }] : []);

// The spans of both lines; a line of which everything is changed has one.
export function wordDiff(before: string, after: string): { before: Span[]; after: Span[] } {
  const different = { before: whole(before), after: whole(after) };
  if (before.length > kLongest || after.length > kLongest) return different;
  const [old, now] = [before.match(kWord) ?? [], after.match(kWord) ?? []];
  const first = commonStart(old, now);
  const last = commonEnd(old, now, first);
  const [oldMiddle, nowMiddle] = [old.slice(first, old.length - last), now.slice(first, now.length - last)];
  if (oldMiddle.length * nowMiddle.length > kMostCells) return different;
  const kept = commonWords(oldMiddle, nowMiddle);
  const start = old.slice(0, first);
  const end = old.slice(old.length - last);
  const shared = [...start, ...end, ...oldMiddle.filter((_, at) => kept.old.has(at))].join('').trim().length;
  if (shared < kAlike * Math.max(before.trim().length, after.trim().length)) return different;
  return { before: spans(start, oldMiddle, kept.old, end), after: spans(start, nowMiddle, kept.now, end) };
}

function commonStart(old: string[], now: string[]): number {
  let at = 0;
  while (at < old.length && at < now.length && old[at] === now[at]) at += 1;
  return at;
}

function commonEnd(old: string[], now: string[], first: number): number {
  let at = 0;
  while (at < old.length - first && at < now.length - first && old[old.length - 1 - at] === now[now.length - 1 - at]) at += 1;
  return at;
}

// The longest common subsequence, as the places of its words in both.
function commonWords(old: string[], now: string[]): { old: Set<number>; now: Set<number> } {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = old[i] === now[j] ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const kept = { old: new Set<number>(), now: new Set<number>() };
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      kept.old.add(i++);
      kept.now.add(j++);
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i += 1;
    else j += 1;
  }
  return kept;
}

function spans(start: string[], middle: string[], kept: Set<number>, end: string[]): Span[] {
  const out: Span[] = [];
  const add = (text: string, changed: boolean) => {
    const last = out.at(-1);
    if (last && last.changed === changed) last.text += text;
    else if (text) out.push({ text, changed });
  };
  add(start.join(''), false);
  middle.forEach((word, at) => add(word, !kept.has(at)));
  add(end.join(''), false);
  return out;
}
