import { cardHeight, isLive, type CardLayout } from './card_layout.ts';
import type { Cell, CellMaker } from './cell.ts';
import { ColumnIndex } from './column_index.ts';
import { dropSlot, provisionalRank, type DropSlot } from './drop_slot.ts';
import { isWholeCard, merged, mergedBoard, mergedWorkers, titled } from './merge.ts';
import { PendingPatches, type Patch } from './pending.ts';
import { columnOrder, type Compare } from './pick_order.ts';
import { offsetsOf } from './window.ts';
import { attentionOf, callOf, type Attention } from './attention.ts';
import type { TaskSpending } from './spending.ts';
import type { Board, Card, Dispatch, Op, Snapshot, StoppedLine, Why, Worker } from './wire.ts';

export interface CardView {
  card: Card;
  pending: boolean;
  // Rises with every change that came from elsewhere, so that the page can point it out.
  changes: number;
}

export interface ColumnView {
  ids: readonly number[];
  offsets: readonly number[];
  // All tasks of the column, shown or not.
  count: number;
  cursor?: string;
}

// What a person should hear about, in the order it happened.
export interface Happening {
  card: Card;
  // The card as it was known; undefined when it is new to the page.
  before?: Card;
  why: Why;
  // It came with a snapshot or after a connection was lost.
  late?: boolean;
  from?: string;
  to?: string;
  // Asked for on this very page.
  own: boolean;
}

const kEmptyColumn: ColumnView = { ids: [], offsets: [0], count: 0 };

// What the page knows about one board: server truth with the unanswered changes of this page drawn over it.
// `apply` takes effect at once; cells change in `publish`, which the caller times.
export class BoardModel {
  readonly board: Cell<Board>;
  readonly workers: Cell<readonly Worker[]>;
  readonly paused: Cell<boolean>;
  // A new one with every event of the dispatch, also where it says nothing new.
  readonly dispatch: Cell<Dispatch>;
  readonly stopped: Cell<StoppedLine | undefined>;
  readonly attention: Cell<readonly Attention[]>;
  readonly #make: CellMaker;
  readonly #isOwn: (mutation: string | undefined) => boolean;
  readonly #base = new Map<number, Card>();
  readonly #drawn = new Map<number, Card>();
  readonly #cells = new Map<number, Cell<CardView>>();
  readonly #columns = new Map<string, Cell<ColumnView>>();
  readonly #indexes = new Map<string, ColumnIndex>();
  readonly #orders = new Map<string, Compare>();
  readonly #pending = new PendingPatches();
  readonly #touched = new Set<number>();
  readonly #pointedOut = new Set<number>();
  #more = new Map<string, string>();
  // Whether the totals of columns that are only partly here are drawn.
  #isCounted = true;
  #truth: Board;
  #team: readonly Worker[];
  #dispatch: Dispatch;
  // The cards that wait for a person, of all that are on the page.
  readonly #calling = new Set<number>();
  #layout: CardLayout = { titleLines: () => 1, textLines: () => 1, choiceRows: () => 1, scale: 1, compact: false };
  #filter: (card: Card) => boolean = () => true;

  constructor(snapshot: Snapshot, make: CellMaker, isOwn: (mutation: string | undefined) => boolean = () => false) {
    this.#make = make;
    this.#isOwn = isOwn;
    this.#truth = titled(snapshot.board);
    this.#team = snapshot.workers;
    this.#dispatch = snapshot.dispatch;
    this.board = make(this.#truth);
    this.workers = make(this.#team);
    this.paused = make(this.#dispatch.paused);
    this.dispatch = make(this.#dispatch);
    this.stopped = make<StoppedLine | undefined>(undefined);
    this.attention = make<readonly Attention[]>([]);
    this.load(snapshot);
  }

  // Takes a whole new truth; cells of known cards and columns live on. Returns what happened to cards it knew.
  load(snapshot: Snapshot): Happening[] {
    const known = new Map(this.#base);
    this.#truth = titled(snapshot.board);
    this.#team = snapshot.workers;
    this.#dispatch = snapshot.dispatch;
    this.#base.clear();
    for (const card of snapshot.tasks) this.#base.set(card.id, card);
    this.#more = new Map(Object.entries(snapshot.more ?? {}).map(([column, rest]) => [column, rest.cursor]));
    this.#pending.dropConfirmed();
    this.#rebuild();
    return snapshot.tasks.flatMap((card) => {
      const before = known.get(card.id);
      return before && before.rev < card.rev ? [{ card, before, why: {}, late: true, from: before.status, to: card.status, own: false }] : [];
    });
  }

  // True at once, before it is drawn.
  get stoppedLine(): StoppedLine | undefined {
    return this.#dispatch.stopped ?? undefined;
  }

  card(id: number): Card | undefined {
    return this.#drawn.get(id);
  }

  cardCell(id: number): Cell<CardView> | undefined {
    return this.#cells.get(id);
  }

  // Those of its sub-tasks that are on the page.
  childrenOf(id: number): Card[] {
    return [...this.#drawn.values()].filter((card) => card.parent === id);
  }

  column(name: string): Cell<ColumnView> {
    return this.#columns.get(name) ?? this.#addColumn(name);
  }

  apply(ops: readonly Op[]): Happening[] {
    const happenings: Happening[] = [];
    for (const op of ops) {
      const happening = this.#applyOne(op);
      if (happening) happenings.push(happening);
    }
    return happenings;
  }

  append(column: string, cards: readonly Card[], cursor: string | undefined): void {
    for (const card of cards) if (!this.#base.has(card.id)) this.#put(card);
    if (cursor) this.#more.set(column, cursor);
    else this.#more.delete(column);
    this.publish();
  }

  propose(patch: Patch): void {
    this.#pending.add(patch);
    this.#touch(patch.task);
  }

  confirm(task: number, mutation: string, rev: number): void {
    this.#pending.confirm(task, mutation, rev);
    this.#pending.settle(task, this.#base.get(task)?.rev ?? 0);
    this.#touch(task);
  }

  withdraw(task: number, mutation: string): void {
    this.#pending.drop(task, mutation);
    this.#touch(task);
  }

  // Whether an agent works on any card.
  get isRunning(): boolean {
    return [...this.#base.values()].some(({ run }) => run && isLive(run.state));
  }

  setLayout(layout: CardLayout): void {
    this.#layout = layout;
    for (const name of this.#indexes.keys()) this.#publishColumn(name);
  }

  setFilter(filter: (card: Card) => boolean): void {
    this.#filter = filter;
    for (const name of this.#indexes.keys()) this.#publishColumn(name);
  }

  // Where the card lands when it is let go at position `wanted` of a column that is drawn without it.
  slot(card: Card, column: string, wanted: number): DropSlot {
    const order = this.#orders.get(column);
    const stage = this.#truth.columns.find((item) => item.name === column)?.stage;
    if (!order || stage === 'done') return { index: 0, bent: wanted !== 0 };
    const ids = this.shownWithout(card.id, column);
    return dropSlot(card, ids, wanted, order, (id) => this.#drawn.get(id)!);
  }

  shownWithout(id: number, column: string): number[] {
    return this.column(column).get().ids.filter((other) => other !== id);
  }

  moved(card: Card, column: string, slot: DropSlot, now: string): Partial<Card> {
    const stage = this.#truth.columns.find((item) => item.name === column)?.stage ?? card.stage;
    const neighbour = (id: number | undefined) => (id === undefined ? undefined : this.#drawn.get(id));
    const rank = provisionalRank(neighbour(slot.after), neighbour(slot.before), card.rank);
    return card.status === column ? { rank } : { status: column, stage, rank, entered: now };
  }

  // Draws what changed since the last time, touching only those columns and cards.
  publish(): void {
    if (this.#touched.size) this.#publishCards();
    if (!this.#isCounted) for (const name of this.#more.keys()) this.#publishColumn(name);
    this.#isCounted = true;
    if (this.board.get() !== this.#truth) this.board.set(this.#truth);
    if (this.workers.get() !== this.#team) this.workers.set(this.#team);
    if (this.dispatch.get() !== this.#dispatch) this.dispatch.set(this.#dispatch);
    if (this.paused.get() !== this.#dispatch.paused) this.paused.set(this.#dispatch.paused);
    const stopped = this.stoppedLine;
    if (this.stopped.get()?.since !== stopped?.since || !this.stopped.get() !== !stopped) this.stopped.set(stopped);
    this.#publishAttention();
  }

  #applyOne(op: Op): Happening | undefined {
    switch (op.op) {
      case 'task':
        return this.#applyTask(op.id, op.rev, op.set, op.why ?? {});
      case 'gone':
        return this.#remove(op.id, op.why ?? {});
      case 'line':
        return this.#applyLine(op.id, op.text);
      case 'spent':
        return this.#applySpent(op.id, op.spent);
      case 'worker':
        this.#team = mergedWorkers(this.#team, op.id, op.set, op.gone ?? false);
        return undefined;
      case 'dispatch':
        this.#dispatch = op.set;
        return undefined;
      case 'board':
        this.#truth = mergedBoard(this.#truth, op.set, op.rev);
        if (Array.isArray(op.set.columns) || op.set.classes || op.set.priorities) this.#rebuild();
        this.#isCounted = false;
        return undefined;
    }
  }

  #applyTask(id: number, rev: number, set: Partial<Card>, why: Why): Happening | undefined {
    const known = this.#base.get(id);
    this.#pending.settle(id, rev, why.m);
    this.#touch(id);
    if (known && rev <= known.rev) return undefined;
    if (!known && !isWholeCard(set)) return undefined;
    const card = merged({ ...(known ?? ({} as Card)) }, { ...set, id, rev });
    if (known && !card.run) delete card.line;
    this.#put(card);
    const own = this.#isOwn(why.m);
    if (!own) this.#pointedOut.add(id);
    return { card, before: known, why, from: known?.status, to: card.status, own };
  }

  #applyLine(id: number, text: string): undefined {
    const known = this.#base.get(id);
    if (known) this.#put({ ...known, line: text });
  }

  #applySpent(id: number, spent: TaskSpending | null): undefined {
    const known = this.#base.get(id);
    if (known && JSON.stringify(known.spent ?? null) !== JSON.stringify(spent)) this.#put({ ...known, spent });
  }

  #remove(id: number, why: Why): Happening | undefined {
    const known = this.#base.get(id);
    if (!known) return undefined;
    this.#base.delete(id);
    this.#touch(id);
    return { card: known, before: known, why, from: known.status, own: this.#isOwn(why.m) };
  }

  #put(card: Card): void {
    this.#base.set(card.id, card);
    this.#touch(card.id);
  }

  #touch(id: number): void {
    this.#touched.add(id);
  }

  #addColumn(name: string): Cell<ColumnView> {
    const cell = this.#make(kEmptyColumn);
    this.#columns.set(name, cell);
    return cell;
  }

  #rebuild(): void {
    const byColumn = new Map<string, Card[]>(this.#truth.columns.map((column) => [column.name, []]));
    this.#drawn.clear();
    this.#calling.clear();
    this.#touched.clear();
    for (const base of this.#base.values()) {
      const card = this.#draw(base);
      byColumn.get(card.status)?.push(card);
    }
    for (const id of this.#cells.keys()) if (!this.#drawn.has(id)) this.#cells.delete(id);
    this.#indexes.clear();
    for (const column of this.#truth.columns) {
      const order = columnOrder(this.#truth, column.stage);
      const index = new ColumnIndex();
      index.fill(byColumn.get(column.name) ?? [], order);
      this.#orders.set(column.name, order);
      this.#indexes.set(column.name, index);
      this.#publishColumn(column.name);
    }
    this.publish();
  }

  #publishCards(): void {
    const columns = new Set<string>();
    const present = new Map<string, Card[]>();
    for (const id of this.#touched) {
      const before = this.#drawn.get(id);
      if (before) columns.add(before.status);
      const base = this.#base.get(id);
      if (!base) {
        this.#drawn.delete(id);
        this.#cells.delete(id);
        this.#calling.delete(id);
        continue;
      }
      const card = this.#draw(base);
      columns.add(card.status);
      present.set(card.status, [...(present.get(card.status) ?? []), card]);
    }
    for (const name of columns) {
      const order = this.#orders.get(name);
      if (!order) continue;
      this.#indexes.get(name)?.update(this.#touched, present.get(name) ?? [], order, (id) => this.#drawn.get(id)!);
      this.#publishColumn(name);
    }
    this.#touched.clear();
    this.#pointedOut.clear();
  }

  #draw(base: Card): Card {
    const card = this.#pending.over(base);
    this.#drawn.set(card.id, card);
    if (callOf(card)) this.#calling.add(card.id);
    else this.#calling.delete(card.id);
    const cell = this.#cells.get(card.id);
    const known = cell?.get();
    const view = {
      card,
      pending: this.#pending.waits(card.id),
      changes: (known?.changes ?? 0) + (this.#pointedOut.has(card.id) ? 1 : 0),
    };
    if (cell) cell.set(view);
    else this.#cells.set(card.id, this.#make<CardView>(view));
    return card;
  }

  #publishAttention(): void {
    const cards = [...this.#calling].map((id) => this.#drawn.get(id)!);
    const now = attentionOf(cards, this.#team, (id) => this.#drawn.has(id));
    const key = (items: readonly Attention[]) => items.map(({ id, call, since }) => `${id} ${call} ${since}`).join();
    if (key(now) !== key(this.attention.get())) this.attention.set(now);
  }

  #publishColumn(name: string): void {
    const all = this.#indexes.get(name)?.ids ?? [];
    const ids = all.filter((id) => this.#filter(this.#drawn.get(id)!));
    const offsets = offsetsOf(ids.map((id) => cardHeight(this.#drawn.get(id)!, this.#layout)));
    const cursor = this.#more.get(name);
    const total = this.#truth.columns.find((column) => column.name === name)?.count ?? 0;
    const count = cursor ? Math.max(total, all.length) : all.length;
    const view = { ids, offsets, count, cursor };
    if (!sameView(this.column(name).get(), view)) this.column(name).set(view);
  }
}

// A progress line changes a card and not its column, which then need not be drawn again.
function sameView(a: ColumnView, b: ColumnView): boolean {
  return a.count === b.count && a.cursor === b.cursor && same(a.ids, b.ids) && same(a.offsets, b.offsets);
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
