import { rowCount, type DiffMode, type ReviewFile } from './diff_index.ts';
import { visibleRange, type Range } from '../model/window.ts';

// Heights in px at the usual size of text, as DiffPane.svelte draws them.
export const kLineHeight = 20;
export const kHeadHeight = 40;
export const kCommentHeight = 112;
// Below the lines, for the bar that scrolls them sideways.
export const kTailHeight = 12;
export const kFileGap = 12;
// A longer file begins folded.
export const kFoldedLines = 1000;

export interface FileLook {
  mode: DiffMode;
  folded: boolean;
  comments: number;
  scale: number;
}

// How many comments stand below a row, by its number.
export type CommentCounts = ReadonlyMap<number, number>;

// The height of a file is arithmetic, so that nothing has to be read or drawn before it is seen.
export function fileHeight(file: ReviewFile, look: FileLook): number {
  const body = look.folded ? 0 : (rowCount(file, look.mode) || 1) * kLineHeight + look.comments * kCommentHeight + kTailHeight;
  return look.scale * (kHeadHeight + body);
}

export function isLong(file: ReviewFile): boolean {
  return file.added + file.removed > kFoldedLines;
}

// offsets[i] is the top of row i below the head of its file.
export function rowOffsets(rows: number, comments: CommentCounts, scale: number): number[] {
  const offsets = new Array<number>(rows + 1);
  let top = 0;
  for (let row = 0; row < rows; row += 1) {
    offsets[row] = top;
    top += scale * (kLineHeight + (comments.get(row) ?? 0) * kCommentHeight);
  }
  offsets[rows] = top;
  return offsets;
}

// The rows of a file in sight. Without comments no list of offsets is needed, however long the file is.
export function rowsInSight(rows: number, comments: CommentCounts, scale: number, top: number, bottom: number): Range {
  if (comments.size) return visibleRange(rowOffsets(rows, comments, scale), top, bottom, 0);
  const line = kLineHeight * scale;
  const start = Math.min(rows, Math.max(0, Math.floor(top / line)));
  return { start, end: Math.max(start, Math.min(rows, Math.ceil(bottom / line))) };
}

export function rowTop(row: number, comments: CommentCounts, scale: number): number {
  let above = 0;
  for (const [one, count] of comments) if (one < row) above += count;
  return scale * (row * kLineHeight + above * kCommentHeight);
}
