import { getContext, setContext } from 'svelte';
import { kIdle, step, type DragEvent, type DragState, type Target } from '../drag/machine.ts';
import { Geometry } from '../drag/geometry.ts';
import { isReview } from '../model/attention.ts';
import { entryOfCard, mergedEntries, type AttentionEntry } from '../model/attention_list.ts';
import { slotAt } from '../model/window.ts';
import type { Happening } from '../model/board_model.ts';
import type { Card } from '../model/wire.ts';
import { workerLooks, type WorkerLook } from '../model/worker_look.ts';
import type { App } from '../app/app.ts';
import { remember, remembered } from '../app/remembered.ts';
import type { BoardSession } from '../sync/board_session.ts';
import { WhyWatch } from '../sync/why_watch.ts';
import { LitCards } from './lit_cards.svelte.ts';
import { reactive } from './reactive.svelte.ts';
import { dropped, lifted, refusedHome, underway } from '../drag/announcements.ts';

export interface Anchor {
  id: number;
  from: DOMRect;
}

// What a person is doing on the board right now: focus, drag, open menus. Nothing of it is known to the server.
export class BoardView {
  readonly app: App;
  readonly session: BoardSession;
  readonly geometry = new Geometry();
  readonly looks: ReadonlyMap<string, WorkerLook> = $derived.by(() => workerLooks(this.session.model.workers.get()));
  drag: DragState = $state.raw(kIdle);
  focused: number | undefined = $state.raw();
  moving: Anchor | undefined = $state.raw();
  assigning: Anchor | undefined = $state.raw();
  stopping: number | undefined = $state.raw();
  adding: string | undefined = $state.raw();
  // Sections of a phone that show only their header; remembered for the board.
  folded: ReadonlySet<string> = $state.raw(new Set());
  // The only tasks to be shown, when the person asked for these.
  only: readonly number[] | undefined = $state.raw();
  readonly whys: WhyWatch;
  readonly lit = new LitCards({ now: () => performance.now(), after: (ms, run) => void setTimeout(run, ms) });
  // The card whose new element takes the focus when it appears in another column.
  focusWanted: number | undefined;
  // Where cards were that are about to appear elsewhere.
  readonly departures = new Map<number, DOMRect>();

  constructor(app: App, session: BoardSession) {
    this.app = app;
    this.session = session;
    this.folded = new Set((remembered(this.#foldedKey) ?? '').split(' ').filter(Boolean));
    this.whys = new WhyWatch({
      ask: (ids) => app.api.why(ids).catch(() => []),
      make: reactive,
      now: () => performance.now(),
      after: (ms, run) => void setTimeout(run, ms),
      isHidden: () => document.hidden,
    });
  }

  showAll(): void {
    this.only = undefined;
    this.app.address.settle({ worker: undefined });
  }

  get #foldedKey() {
    return `folded/${this.session.board}`;
  }

  fold(column: string, folded: boolean): void {
    const next = new Set(this.folded);
    if (folded) next.add(column);
    else next.delete(column);
    this.folded = next;
    remember(this.#foldedKey, [...next].join(' '));
  }

  start(card: Card): void {
    void this.app.act(card, 'approve', {}, 'Not started');
  }

  tryAgain(card: Card): void {
    void this.app.act(card, 'retry', {}, 'Not queued again');
  }

  accept(card: Pick<Card, 'id'>): void {
    void this.app.act(card, 'accept', {}, 'Not accepted');
  }

  // What waits for a verdict, the oldest first.
  get reviews(): number[] {
    return this.attention.filter(({ call }) => isReview(call)).map(({ id }) => id);
  }

  get columns() {
    return this.session.model.board.get().columns;
  }

  get attention() {
    return this.session.model.attention.get();
  }

  // Everything that waits for the person, on all boards.
  readonly entries: readonly AttentionEntry[] = $derived.by(() => {
    const { board } = this.session;
    const own = this.attention.flatMap((item) => {
      const card = this.card(item.id);
      return card ? [entryOfCard(item, card, board)] : [];
    });
    return mergedEntries(own, board, this.app.attention.page.get());
  });

  // The key under which an unsent text is kept.
  draftKey(field: string, of: number | string): string {
    return `${this.session.epoch}/${field}/${of}`;
  }

  look(name: string | null | undefined): WorkerLook | undefined {
    return name ? this.looks.get(name) : undefined;
  }

  card(id: number): Card | undefined {
    return this.session.model.card(id);
  }

  home(id: number): Target | undefined {
    const card = this.card(id);
    if (!card) return undefined;
    const index = this.session.model.column(card.status).get().ids.indexOf(id);
    return index < 0 ? undefined : { column: card.status, index };
  }

  send(event: DragEvent): void {
    const [state, effect] = step(this.drag, event);
    this.drag = state;
    if (effect.kind === 'lifted' && state.kind === 'lifted') this.#say(lifted(this, state));
    if (effect.kind === 'returned') this.#say(refusedHome(this, effect.id));
    if (effect.kind === 'dropped') void this.drop(effect.id, effect.target);
  }

  aim(column: string, wanted: number): void {
    const { drag } = this;
    const card = drag.kind === 'lifted' ? this.card(drag.id) : undefined;
    if (!card || drag.kind !== 'lifted') return;
    const { index } = this.session.model.slot(card, column, wanted);
    if (drag.target.column === column && drag.target.index === index) return;
    this.send({ kind: 'aim', target: { column, index } });
    if (drag.by === 'keyboard' && this.drag.kind === 'lifted') this.#say(underway(this, this.drag));
  }

  // The position among the other cards of a column that a pointer at height `y` means.
  wantedAt(column: string, id: number, y: number): number {
    const { ids, offsets } = this.session.model.column(column).get();
    const slot = slotAt(offsets, this.geometry.heightIn(column, y));
    const own = ids.indexOf(id);
    return own >= 0 && slot > own ? slot - 1 : slot;
  }

  async drop(id: number, target: Target): Promise<void> {
    const card = this.card(id);
    if (!card) return this.#leftMeanwhile(id);
    const slot = this.session.model.slot(card, target.column, target.index);
    const said = dropped(this, card, { ...target, index: slot.index });
    if (this.focused === id) this.focusWanted = id;
    if (await this.app.move(card, target.column, slot)) this.#say(said);
  }

  // Moves focus to a card and brings it into sight.
  focus(id: number): void {
    this.focused = id;
    this.reveal(id);
    requestAnimationFrame(() => this.element(id)?.querySelector('a')?.focus({ preventScroll: true }));
  }

  // The focused card leaves its column: the focus goes with it where it appears again, else to `neighbour` or the board.
  passFocus(id: number, neighbour: number | undefined): void {
    this.focusWanted = id;
    requestAnimationFrame(() => {
      if (this.focusWanted !== id) return;
      this.focusWanted = undefined;
      if (document.activeElement && document.activeElement !== document.body) return;
      if (this.element(id)) this.focus(id);
      else if (neighbour !== undefined) this.focus(neighbour);
      else document.getElementById('board')?.focus({ preventScroll: true });
    });
  }

  element(id: number): HTMLElement | null {
    return document.querySelector<HTMLElement>(`[data-card="${id}"]`);
  }

  reveal(id: number): void {
    const home = this.home(id);
    const place = home && this.geometry.places.get(home.column);
    if (!home || !place) return;
    if (this.folded.has(home.column)) this.fold(home.column, false);
    const { offsets } = this.session.model.column(home.column).get();
    const listTop = place.list.getBoundingClientRect().top - place.scroller.getBoundingClientRect().top + place.scroller.scrollTop;
    const top = listTop + offsets[home.index]!;
    const bottom = listTop + offsets[home.index + 1]!;
    const { scrollTop, clientHeight } = place.scroller;
    if (top < scrollTop) place.scroller.scrollTop = top - 8;
    else if (bottom > scrollTop + clientHeight) place.scroller.scrollTop = bottom - clientHeight + 8;
    if (place.area !== place.scroller) place.area.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  // Somebody else archived or deleted cards; a person who has one of them in hand is told.
  gone(happenings: readonly Happening[]): void {
    for (const { card, to, own } of happenings) {
      if (to !== undefined || own) continue;
      const isLifted = this.drag.kind !== 'idle' && this.drag.id === card.id;
      if (isLifted) this.send({ kind: 'cancel' });
      if (isLifted || this.moving?.id === card.id || this.assigning?.id === card.id) this.#leftMeanwhile(card.id);
      if (this.moving?.id === card.id) this.moving = undefined;
      if (this.assigning?.id === card.id) this.assigning = undefined;
    }
  }

  #leftMeanwhile(id: number): void {
    const text = `#${id} was archived or deleted meanwhile.`;
    this.app.toasts.show(text, 'danger', { label: `Open #${id}`, run: () => this.app.openTask(id) });
    this.#say(text);
  }

  #say(text: string): void {
    this.app.speech.interrupt(text);
  }
}

const kView = Symbol('board');
export const provideView = (view: BoardView): BoardView => setContext(kView, view);
export const useView = (): BoardView => getContext<BoardView>(kView);
