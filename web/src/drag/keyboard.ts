import type { Target } from './machine.ts';

export interface ColumnLength {
  name: string;
  // Cards in it besides the lifted one.
  others: number;
}

// Where the arrows take a lifted card; undefined for keys that do not move it.
export function aimByKey(target: Target, key: string, toEnd: boolean, columns: readonly ColumnLength[]): Target | undefined {
  const at = columns.findIndex((column) => column.name === target.column);
  const here = columns[at];
  if (!here) return undefined;
  switch (key) {
    case 'ArrowUp':
      return { ...target, index: toEnd ? 0 : Math.max(0, target.index - 1) };
    case 'ArrowDown':
      return { ...target, index: toEnd ? here.others : Math.min(here.others, target.index + 1) };
    case 'ArrowLeft':
      return into(columns[toEnd ? 0 : Math.max(0, at - 1)]!, target);
    case 'ArrowRight':
      return into(columns[toEnd ? columns.length - 1 : Math.min(columns.length - 1, at + 1)]!, target);
    default:
      return undefined;
  }
}

function into(column: ColumnLength, target: Target): Target {
  return column.name === target.column ? target : { column: column.name, index: Math.min(target.index, column.others) };
}
