import type { Cell } from '../model/cell.ts';

// A cell that Svelte watches. Raw: the model replaces values and never changes them in place.
export function reactive<T>(initial: T): Cell<T> {
  let value = $state.raw(initial);
  return {
    get: () => value,
    set: (next) => {
      value = next;
    },
  };
}
