import type { Happening } from '../model/board_model.ts';
import type { Board } from '../model/wire.ts';

// One sentence for what others moved: "3 tasks to Done, 1 to Blocked". Progress and edits are not news.
export function summary(happenings: readonly Happening[], board: Board): string {
  const arrivals = new Map<string, number>();
  for (const { from, to, own } of happenings) {
    if (!to || from === to || own) continue;
    arrivals.set(to, (arrivals.get(to) ?? 0) + 1);
  }
  const parts = board.columns
    .filter((column) => arrivals.has(column.name))
    .map((column, index) => {
      const amount = arrivals.get(column.name)!;
      return `${amount}${index === 0 ? (amount === 1 ? ' task' : ' tasks') : ''} to ${column.title}`;
    });
  return parts.join(', ');
}
