import { aimByKey } from '../drag/keyboard.ts';
import { isLive, weightOf } from '../model/card_layout.ts';
import type { Card } from '../model/wire.ts';
import type { BoardView } from './board_view.svelte.ts';

type Action = (view: BoardView, card: Card, event: KeyboardEvent) => void;

// Single keys of a focused card. They are off in text fields, menus and dialogs.
const kCardKeys: Record<string, Action> = {
  ArrowUp: (view, card, event) => (event.altKey ? nudge(view, card, -1) : walk(view, card, -1)),
  ArrowDown: (view, card, event) => (event.altKey ? nudge(view, card, 1) : walk(view, card, 1)),
  k: (view, card) => walk(view, card, -1),
  j: (view, card) => walk(view, card, 1),
  ArrowLeft: (view, card) => cross(view, card, -1),
  ArrowRight: (view, card) => cross(view, card, 1),
  Home: (view, card) => walk(view, card, -Infinity),
  End: (view, card) => walk(view, card, Infinity),
  PageUp: (view, card) => walk(view, card, -6),
  PageDown: (view, card) => walk(view, card, 6),
  ' ': (view, card) => lift(view, card),
  ',': (view, card) => throwTo(view, card, -1),
  '.': (view, card) => throwTo(view, card, 1),
  r: (view, card) => {
    if (card.blocked) view.app.openTask(card.id);
  },
  a: (view, card, event) => {
    if (weightOf(card) === 'review' && !event.repeat) view.accept(card);
  },
  m: (view, card) => openMoveMenu(view, card.id),
  S: (view, card) => {
    if (card.run && isLive(card.run.state)) view.stopping = card.id;
  },
};

export function boardKeys(event: KeyboardEvent, view: BoardView): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey) return boardKeysLifted(event, view);
  if (view.drag.kind === 'lifted') return boardKeysLifted(event, view);
  const target = event.target as HTMLElement;
  const id = target.closest<HTMLElement>('[data-card]')?.dataset.card;
  const card = id ? view.card(Number(id)) : undefined;
  if (target.matches('input, textarea, select') || target.closest('dialog, [popover]')) return;
  if (event.key === 'c' || event.key === 'n') {
    event.preventDefault();
    view.adding = card?.status ?? view.columns[0]?.name;
    return;
  }
  const action = kCardKeys[event.key];
  if (!action || !card || target.matches('button')) return;
  event.preventDefault();
  action(view, card, event);
}

function boardKeysLifted(event: KeyboardEvent, view: BoardView): void {
  const { drag } = view;
  if (drag.kind !== 'lifted' || drag.by !== 'keyboard' || event.defaultPrevented) return;
  event.preventDefault();
  if (event.key === ' ' || event.key === 'Enter') return view.send({ kind: 'drop' });
  if (event.key === 'Escape' || event.key === 'Tab') return view.send({ kind: 'cancel' });
  const columns = view.columns.map(({ name }) => ({ name, others: view.session.model.shownWithout(drag.id, name).length }));
  const aimed = aimByKey(drag.target, event.key, event.ctrlKey || event.metaKey, columns);
  if (aimed) view.aim(aimed.column, aimed.index);
}

export function openMoveMenu(view: BoardView, id: number): void {
  const from = view.element(id)?.querySelector('.menu-button')?.getBoundingClientRect();
  if (from) view.moving = { id, from };
}

function lift(view: BoardView, card: Card): void {
  const home = view.home(card.id);
  if (home) view.send({ kind: 'lift', id: card.id, home });
}

function idsOf(view: BoardView, column: string): readonly number[] {
  return view.session.model.column(column).get().ids;
}

function walk(view: BoardView, card: Card, by: number): void {
  const ids = idsOf(view, card.status);
  const index = Math.max(0, Math.min(ids.length - 1, ids.indexOf(card.id) + by));
  view.focus(ids[index]!);
}

function cross(view: BoardView, card: Card, by: number): void {
  const at = view.columns.findIndex((column) => column.name === card.status);
  const row = idsOf(view, card.status).indexOf(card.id);
  for (let next = at + by; view.columns[next]; next += by) {
    const ids = idsOf(view, view.columns[next]!.name);
    if (ids.length) return view.focus(ids[Math.min(row, ids.length - 1)]!);
  }
}

function throwTo(view: BoardView, card: Card, by: number): void {
  const at = view.columns.findIndex((column) => column.name === card.status);
  const column = view.columns[at + by];
  if (column) void view.drop(card.id, { column: column.name, index: idsOf(view, column.name).length });
}

function nudge(view: BoardView, card: Card, by: number): void {
  const index = idsOf(view, card.status).indexOf(card.id) + by;
  if (index < 0 || index >= idsOf(view, card.status).length) return;
  void view.drop(card.id, { column: card.status, index });
}
