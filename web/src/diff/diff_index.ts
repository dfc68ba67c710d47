import { readDiff, type DiffFile } from './unified_diff.ts';
import type { ChangedFile } from '../model/wire.ts';

export type DiffMode = 'unified' | 'split';

// One file of a unified diff: its head, the place of its text, and how many rows its lines take. The lines are read when
// they are drawn, so that a change of many files opens at once.
export interface DiffSection {
  head: DiffFile;
  start: number;
  end: number;
  rows: Record<DiffMode, number>;
  // Characters of its longest line.
  longest: number;
}

const kBegin = 'diff --git ';
const kSpace = 32;
const kPlus = 43;
const kMinus = 45;
const kAt = 64;
const kBackslash = 92;
const kFirstLine = /^@@ -(\d+)/;

// A row says what is left out before a hunk, unless the file begins with it.
export function hasGap(before: number, isFirst: boolean): boolean {
  return !isFirst || before > 1;
}

export function indexDiff(text: string): DiffSection[] {
  const sections: DiffSection[] = [];
  let start = text.startsWith(kBegin) ? 0 : text.indexOf(`\n${kBegin}`) + 1;
  while (start >= 0 && text.startsWith(kBegin, start)) {
    const next = text.indexOf(`\n${kBegin}`, start);
    const end = next < 0 ? text.length : next + 1;
    sections.push(sectionOf(text, start, end));
    if (next < 0) break;
    start = end;
  }
  return sections;
}

function sectionOf(text: string, start: number, end: number): DiffSection {
  const hunk = text.indexOf('\n@@ ', start);
  const body = hunk < 0 || hunk >= end ? end : hunk + 1;
  const head = readDiff(text.slice(start, body))[0]!;
  return { head, start, end, ...counted(text, body, end) };
}

function counted(text: string, body: number, end: number): Pick<DiffSection, 'rows' | 'longest'> {
  const rows = { unified: 0, split: 0 };
  let longest = 0;
  let hunks = 0;
  let added = 0;
  let removed = 0;
  const settle = () => {
    rows.split += Math.max(added, removed);
    added = 0;
    removed = 0;
  };
  for (let at = body; at < end; ) {
    const stop = text.indexOf('\n', at);
    const next = stop < 0 ? end : stop;
    const kind = text.charCodeAt(at);
    if (kind === kAt) {
      settle();
      const gap = hasGap(Number(kFirstLine.exec(text.slice(at, at + 24))?.[1] ?? 1), hunks === 0) ? 1 : 0;
      rows.unified += gap;
      rows.split += gap;
      hunks += 1;
    } else if (kind === kPlus || kind === kMinus || kind === kSpace || kind === kBackslash) {
      rows.unified += 1;
      longest = Math.max(longest, next - at);
      if (kind === kMinus && added) settle();
      if (kind === kPlus) added += 1;
      else if (kind === kMinus) removed += 1;
      else {
        settle();
        rows.split += 1;
      }
    }
    at = next + 1;
  }
  settle();
  return { rows, longest };
}

// A changed file with the parts of the diff that are about it: none when it was cut off, two when its kind changed.
export interface ReviewFile extends ChangedFile {
  sections: DiffSection[];
}

export function reviewFiles(files: readonly ChangedFile[], sections: readonly DiffSection[]): ReviewFile[] {
  const out: ReviewFile[] = files.map((file) => ({ ...file, sections: [] }));
  let at = -1;
  for (const section of sections) {
    const isSame = at >= 0 && section.head.path === out[at]?.path && section.head.path !== out[at + 1]?.path;
    if (!isSame) at += 1;
    out[at]?.sections.push(section);
  }
  return out;
}

export function rowCount(file: ReviewFile, mode: DiffMode): number {
  return file.sections.reduce((sum, section) => sum + section.rows[mode], 0);
}

export function changeOf(file: ReviewFile): DiffFile['change'] {
  return file.from ? 'renamed' : (file.sections[0]?.head.change ?? 'changed');
}

// What happened to the file besides its lines.
export function wordsOf(file: ReviewFile): string {
  const change = changeOf(file);
  const mode = file.sections[0]?.head.mode;
  const words = [
    { changed: '', added: 'New file', deleted: 'Deleted', renamed: 'Renamed' }[change],
    file.binary ? 'Binary' : '',
    mode ? `Mode ${mode}` : '',
  ];
  return words.filter(Boolean).join(' · ');
}

// Said where no line is to be shown.
export function whyNoLines(file: ReviewFile): string {
  if (file.binary) return 'This file has no lines to compare.';
  if (!file.sections.length) return 'The answer was cut before the lines of this file.';
  return changeOf(file) === 'renamed' ? 'No line changed.' : file.sections[0]!.head.mode ? 'Only its mode changed.' : 'This file is empty.';
}
