import type { Tokens } from 'marked';

// True for a table with a row of more cells than its head; the lexer drops those cells.
export function hidesCells(table: Tokens.Table): boolean {
  const rows = table.raw.trim().split('\n').slice(2);
  return rows.some((row) => cellsIn(row) > table.header.length);
}

function cellsIn(row: string): number {
  const inner = row.trim().replace(/^\||(?<!\\)\|$/g, '');
  return inner.replace(/\\\|/g, '').split('|').length;
}
