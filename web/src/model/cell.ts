// One observable value. The model asks for cells and never learns which framework watches them.
export interface Cell<T> {
  get(): T;
  set(value: T): void;
}

export type CellMaker = <T>(initial: T) => Cell<T>;

export function plainCell<T>(initial: T): Cell<T> {
  let value = initial;
  return {
    get: () => value,
    set: (next) => {
      value = next;
    },
  };
}
