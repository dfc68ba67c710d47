import type { Board, BoardAnswer, BoardChange, Card, Column, Worker } from './wire.ts';

// `set` clears with null; a card or worker in the model simply lacks the field.
export function merged<T extends object>(base: T, set: Partial<T>): T {
  const result = { ...base, ...set };
  for (const key of Object.keys(set) as (keyof T)[]) if (result[key] === null) delete result[key];
  return result;
}

// Titles are optional on the wire; everybody here may count on them.
export function titled(board: BoardAnswer): Board {
  const columns = board.columns.map((column) => ({ ...column, title: column.title || readable(column.name), count: column.count ?? 0 }));
  return { ...board, title: board.title || readable(board.name), columns };
}

function readable(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function mergedBoard(board: Board, change: BoardChange, rev: number | undefined): Board {
  const { columns, ...rest } = change;
  return titled({ ...board, ...rest, rev: rev ?? board.rev, columns: mergedColumns(board.columns, columns) });
}

function mergedColumns(columns: Column[], change: BoardChange['columns']): Column[] {
  if (!change) return columns;
  if (Array.isArray(change)) return change;
  return columns.map((column) => ({ ...column, ...change[column.name] }));
}

export function mergedWorkers(workers: readonly Worker[], name: string, set: Partial<Worker> | undefined, gone: boolean): readonly Worker[] {
  if (gone) return workers.filter((worker) => worker.name !== name);
  const known = workers.find((worker) => worker.name === name);
  if (!known) return [...workers, { agent: '', state: 'idle', name, ...set }];
  return workers.map((worker) => (worker === known ? merged(worker, set ?? {}) : worker));
}

export function isWholeCard(set: Partial<Card>): set is Card {
  return set.title !== undefined && set.status !== undefined && set.stage !== undefined;
}
