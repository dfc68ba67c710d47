import type { BoardModel } from '../model/board_model.ts';
import type { Card } from '../model/wire.ts';
import type { DragState, Target } from './machine.ts';

interface Scene {
  session: { model: BoardModel };
}

type Lifted = DragState & { kind: 'lifted' };

export function lifted(scene: Scene, state: Lifted): string {
  const how = state.by === 'keyboard' ? ' Arrows move, Space drops, Escape cancels.' : '';
  return `Lifted “${titleOf(scene, state.id)}”, ${place(scene, state.target, state.id)}.${how}`;
}

export function underway(scene: Scene, state: Lifted): string {
  return `${place(scene, state.target, state.id)}.`;
}

export function dropped(scene: Scene, card: Card, target: Target): string {
  return `Dropped in ${place(scene, target, card.id)}.`;
}

export function refusedHome(scene: Scene, id: number): string {
  return `“${titleOf(scene, id)}” stays where it was.`;
}

function place({ session }: Scene, target: Target, id: number): string {
  const title = session.model.board.get().columns.find((column) => column.name === target.column)?.title ?? target.column;
  return `${title}, ${target.index + 1} of ${session.model.shownWithout(id, target.column).length + 1}`;
}

function titleOf({ session }: Scene, id: number): string {
  return session.model.card(id)?.title ?? `#${id}`;
}
