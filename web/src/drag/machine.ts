// Where a lifted card would land: a column and a position among its other cards.
export interface Target {
  column: string;
  index: number;
}

export type DragState =
  | { kind: 'idle' }
  // A pointer is down on a card and has not yet decided between click, scroll and drag.
  | { kind: 'pressed'; id: number; touch: boolean; x: number; y: number }
  | { kind: 'lifted'; id: number; by: 'pointer' | 'keyboard'; home: Target; target: Target };

export type DragEvent =
  | { kind: 'press'; id: number; touch: boolean; x: number; y: number }
  | { kind: 'travel'; x: number; y: number; home: Target }
  // A finger has rested long enough.
  | { kind: 'rest'; home: Target }
  | { kind: 'lift'; id: number; home: Target }
  | { kind: 'aim'; target: Target }
  | { kind: 'drop' }
  | { kind: 'cancel' };

export type DragEffect = { kind: 'lifted' } | { kind: 'dropped'; id: number; target: Target } | { kind: 'returned'; id: number } | { kind: 'none' };

export const kIdle: DragState = { kind: 'idle' };
export const kRestMs = 250;

// A mouse drags after this many px; a finger that travels as far was scrolling.
const kTravel = 5;
const kFingerTravel = 8;

// One machine for mouse, finger and keyboard; it knows nothing of the page.
export function step(state: DragState, event: DragEvent): [DragState, DragEffect] {
  switch (event.kind) {
    case 'press':
      return state.kind === 'idle' ? quiet({ ...event, kind: 'pressed' }) : quiet(state);
    case 'travel':
      return state.kind === 'pressed' ? travelled(state, event) : quiet(state);
    case 'rest':
      return state.kind === 'pressed' && state.touch ? lifted(state.id, 'pointer', event.home) : quiet(state);
    case 'lift':
      return state.kind === 'idle' ? lifted(event.id, 'keyboard', event.home) : quiet(state);
    case 'aim':
      return state.kind === 'lifted' ? quiet({ ...state, target: event.target }) : quiet(state);
    case 'drop':
      if (state.kind !== 'lifted') return quiet(kIdle);
      return [kIdle, isSame(state.home, state.target) ? { kind: 'returned', id: state.id } : { kind: 'dropped', id: state.id, target: state.target }];
    case 'cancel':
      return state.kind === 'lifted' ? [kIdle, { kind: 'returned', id: state.id }] : quiet(kIdle);
  }
}

function travelled(state: DragState & { kind: 'pressed' }, event: DragEvent & { kind: 'travel' }): [DragState, DragEffect] {
  const distance = Math.hypot(event.x - state.x, event.y - state.y);
  if (state.touch) return quiet(distance > kFingerTravel ? kIdle : state);
  return distance > kTravel ? lifted(state.id, 'pointer', event.home) : quiet(state);
}

function lifted(id: number, by: 'pointer' | 'keyboard', home: Target): [DragState, DragEffect] {
  return [{ kind: 'lifted', id, by, home, target: home }, { kind: 'lifted' }];
}

function quiet(state: DragState): [DragState, DragEffect] {
  return [state, { kind: 'none' }];
}

function isSame(a: Target, b: Target): boolean {
  return a.column === b.column && a.index === b.index;
}
