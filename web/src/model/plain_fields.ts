// The plain fields of a task, as `src/core/model/plain_field.hpp` lists them.
export const kPlainFields = [
  { name: 'estimate', label: 'Estimate' },
  { name: 'link', label: 'Link' },
] as const;

export type PlainFields = { [field in (typeof kPlainFields)[number]['name']]?: string | null };
