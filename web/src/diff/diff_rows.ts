import { hasGap, type DiffMode, type DiffSection, type ReviewFile } from './diff_index.ts';
import type { LineComment } from './review_notes.ts';
import { readDiff, type DiffHunk, type DiffLine } from './unified_diff.ts';

// One row of a drawn diff. A split one has a line on the left, on the right or on both sides.
export type DiffRow =
  | { kind: 'gap'; title: string }
  | { kind: 'line'; line: DiffLine }
  | { kind: 'pair'; left?: DiffLine; right?: DiffLine };

// In larger blocks nobody can tell which line became which.
const kMostPairs = 60;

// Removed lines and the added ones right after them belong together, one by one.
export function pairLines(lines: readonly DiffLine[]): void {
  for (let at = 0; at < lines.length; ) {
    const removed = countOf(lines, at, 'removed');
    const added = countOf(lines, at + removed, 'added');
    const pairs = removed > kMostPairs || added > kMostPairs ? 0 : Math.min(removed, added);
    for (let index = 0; index < pairs; index += 1) {
      const [before, after] = [lines[at + index]!, lines[at + removed + index]!];
      before.partner = after;
      after.partner = before;
    }
    at += removed + added || 1;
  }
}

function countOf(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let end = from;
  while (lines[end]?.kind === kind) end += 1;
  return end - from;
}

function hunksOf(text: string, section: DiffSection): DiffHunk[] {
  const hunks = readDiff(text.slice(section.start, section.end))[0]?.hunks ?? [];
  for (const hunk of hunks) pairLines(hunk.lines);
  return hunks;
}

export function rowsOf(text: string, file: ReviewFile, mode: DiffMode): DiffRow[] {
  return file.sections.flatMap((section) => hunksOf(text, section).flatMap((hunk, at) => [...gapOf(hunk, at === 0), ...(mode === 'split' ? splitRows(hunk) : unifiedRows(hunk))]));
}

function gapOf(hunk: DiffHunk, isFirst: boolean): DiffRow[] {
  return hasGap(hunk.before, isFirst) ? [{ kind: 'gap', title: hunk.title }] : [];
}

function unifiedRows(hunk: DiffHunk): DiffRow[] {
  return hunk.lines.map((line) => ({ kind: 'line', line }));
}

function splitRows({ lines }: DiffHunk): DiffRow[] {
  const rows: DiffRow[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = countOf(lines, at, 'removed');
    const added = countOf(lines, at + removed, 'added');
    for (let index = 0; index < Math.max(removed, added); index += 1) {
      rows.push({ kind: 'pair', left: index < removed ? lines[at + index] : undefined, right: index < added ? lines[at + removed + index] : undefined });
    }
    if (!removed && !added) rows.push({ kind: 'pair', left: lines[at], right: lines[at] });
    at += removed + added || 1;
  }
  return rows;
}

// The line of a row that a comment on it is about; of a split row the one on the asked side.
export function lineOf(row: DiffRow, side?: 'before' | 'after'): DiffLine | undefined {
  if (row.kind === 'gap') return undefined;
  const line = row.kind === 'line' ? row.line : side === 'before' ? (row.left ?? row.right) : (row.right ?? row.left);
  return line?.kind === 'note' ? undefined : line;
}

export function placeOf(path: string, line: DiffLine): Pick<LineComment, 'path' | 'side' | 'line'> {
  return line.kind === 'removed' ? { path, side: 'before', line: line.before! } : { path, side: 'after', line: line.after! };
}

// The comments of a file by the row that they stand below.
export function commentsByRow(rows: readonly DiffRow[], comments: readonly LineComment[]): Map<number, LineComment[]> {
  const out = new Map<number, LineComment[]>();
  for (const comment of comments) {
    const at = rows.findIndex((row) => linesOf(row).some((line) => isAbout(comment, line)));
    if (at >= 0) out.set(at, [...(out.get(at) ?? []), comment]);
  }
  return out;
}

export function linesOf(row: DiffRow): DiffLine[] {
  if (row.kind === 'gap') return [];
  if (row.kind === 'line') return [row.line];
  return [row.left, row.right].filter((line) => line !== undefined);
}

const isAbout = ({ side, line }: LineComment, one: DiffLine) => (side === 'before' ? one.kind === 'removed' && one.before === line : one.kind !== 'removed' && one.after === line);
