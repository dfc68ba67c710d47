import { describe, expect, test } from 'vitest';
import { aimByKey } from '../../src/drag/keyboard.ts';
import { kIdle, step, type DragEvent, type DragState } from '../../src/drag/machine.ts';

const home = { column: 'todo', index: 1 };
const elsewhere = { column: 'done', index: 0 };
const press = (touch = false): DragEvent => ({ kind: 'press', id: 7, touch, x: 10, y: 10 });
const play = (...events: DragEvent[]) => events.reduce<[DragState, unknown]>(([state], event) => step(state, event), [kIdle, undefined]);

describe('step', () => {
  test('takes a short press for a click', () => {
    expect(play(press(), { kind: 'travel', x: 13, y: 12, home }, { kind: 'drop' })).toEqual([kIdle, { kind: 'none' }]);
  });

  test('lifts with a mouse that travels and drops where it aims', () => {
    expect(play(press(), { kind: 'travel', x: 20, y: 10, home }, { kind: 'aim', target: elsewhere }, { kind: 'drop' })).toEqual([
      kIdle, { kind: 'dropped', id: 7, target: elsewhere },
    ]);
  });

  test('lets a finger that travels scroll', () => {
    expect(play(press(true), { kind: 'travel', x: 10, y: 30, home })[0]).toBe(kIdle);
  });

  test('lifts with a finger that rests', () => {
    expect(play(press(true), { kind: 'rest', home })[0]).toMatchObject({ kind: 'lifted', by: 'pointer' });
  });

  test('returns a card that is let go at home or cancelled', () => {
    expect(play({ kind: 'lift', id: 7, home }, { kind: 'drop' })[1]).toEqual({ kind: 'returned', id: 7 });
    expect(play({ kind: 'lift', id: 7, home }, { kind: 'aim', target: elsewhere }, { kind: 'cancel' })[1]).toEqual({ kind: 'returned', id: 7 });
  });
});

describe('aimByKey', () => {
  const columns = [{ name: 'backlog', others: 0 }, { name: 'todo', others: 3 }, { name: 'done', others: 1 }];

  test('moves by one place or to the ends', () => {
    expect(aimByKey(home, 'ArrowDown', false, columns)).toEqual({ column: 'todo', index: 2 });
    expect(aimByKey(home, 'ArrowDown', true, columns)).toEqual({ column: 'todo', index: 3 });
    expect(aimByKey(home, 'ArrowLeft', false, columns)).toEqual({ column: 'backlog', index: 0 });
    expect(aimByKey({ column: 'todo', index: 3 }, 'ArrowRight', false, columns)).toEqual({ column: 'done', index: 1 });
  });

  test('stays within the board and ignores other keys', () => {
    expect(aimByKey({ column: 'backlog', index: 0 }, 'ArrowLeft', false, columns)).toEqual({ column: 'backlog', index: 0 });
    expect(aimByKey(home, 'x', false, columns)).toBeUndefined();
  });
});
