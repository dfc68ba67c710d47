import { freeName } from '../format/words.ts';
import type { BoardSettings, ColumnSettings } from './wire_settings.ts';

// What the settings say about a board beyond its fields.

const hasReviews = (columns: readonly ColumnSettings[]) => columns.some((column) => column.stage === 'review');

// The columns with one for reviews, where work goes that an agent has finished.
export function withReview(columns: readonly ColumnSettings[]): ColumnSettings[] {
  const name = freeName('Review', new Set(columns.map((column) => column.name)));
  const after = columns.findLastIndex((column) => column.stage === 'active' || column.stage === 'claimed');
  const end = columns.findIndex((column) => column.stage === 'done');
  const at = after >= 0 ? after + 1 : end >= 0 ? end : columns.length;
  return columns.toSpliced(at, 0, { name, title: 'Review', stage: 'review', count: 0 });
}

export interface Ignored {
  text: string;
  // What the page can do about it.
  mend?: 'review-column';
}

type Judged = Pick<BoardSettings, 'columns' | 'review_by' | 'repo' | 'worktree' | 'land' | 'chains'>;

// Settings that have no effect on this board, and why.
export function ignoredSettings(board: Judged): Ignored[] {
  const ignored: Ignored[] = [];
  const asksForReview = board.chains?.some((chain) => chain.next.review === 'required');
  if (!hasReviews(board.columns)) {
    const what = asksForReview ? 'A chain says “review: required”, and no' : 'No';
    ignored.push({ text: `${what} column takes reviews: work that an agent has finished is done at once, and nobody is asked.`, mend: 'review-column' });
  }
  if (board.worktree && !board.repo) ignored.push({ text: 'Without a repository there are no work trees.' });
  return ignored;
}

// The columns as they are sent: what the server derives is left out.
export function sentColumns(columns: readonly ColumnSettings[]): Partial<ColumnSettings>[] {
  return columns.filter((column) => !column.goes_to).map(({ count: _count, goes_to: _goes, renamed: _renamed, ...column }) => ({ ...column, wip_limit: column.wip_limit ?? 0 }));
}

export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  if (to < 0 || to >= items.length) return [...items];
  return items.toSpliced(from, 1).toSpliced(to, 0, items[from]!);
}
