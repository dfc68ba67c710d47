// What a form changes of what the server has.

type Values = Record<string, unknown>;

export const isEqual = (left: unknown, right: unknown): boolean => JSON.stringify(plain(left)) === JSON.stringify(plain(right));

// Absent, null, false, 0 and empty are one on the wire: such fields are left out there.
function plain(value: unknown): unknown {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return null;
  if (Array.isArray(value)) return value.length ? value.map(plain) : null;
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value as Values).map(([name, one]) => [name, plain(one)] as const);
  const told = entries.filter(([, one]) => one !== null).sort(([a], [b]) => (a < b ? -1 : 1));
  return told.length ? Object.fromEntries(told) : null;
}

export function changed<T extends object>(truth: T, values: T): Partial<T> {
  const names = Object.keys(values) as (keyof T)[];
  return Object.fromEntries(names.filter((name) => !isEqual(truth[name], values[name])).map((name) => [name, values[name]])) as Partial<T>;
}
