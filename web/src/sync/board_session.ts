import { BoardModel, type Happening } from '../model/board_model.ts';
import type { CellMaker } from '../model/cell.ts';
import type { Op, OpsFrame, StoppedLine } from '../model/wire.ts';
import type { Api } from './api.ts';
import type { TellHub } from './connect_stream.ts';
import { DrawClock, type DrawWorld } from './draw_clock.ts';

export interface SessionEnds {
  tell: TellHub;
  happened(happenings: Happening[]): void;
  // Somebody stopped all agents of the board.
  lineStopped(line: StoppedLine): void;
}

// One board on one page: its snapshot, the frames after it, and further pages of its long columns.
export class BoardSession {
  readonly board: string;
  readonly model: BoardModel;
  // Server time minus ours in ms.
  skew: number;
  readonly #api: Api;
  readonly #ends: SessionEnds;
  readonly #draw: DrawClock;
  readonly #loading = new Set<string>();
  #epoch: string;
  #seq: number;

  static async open(board: string, api: Api, make: CellMaker, world: DrawWorld, ends: SessionEnds): Promise<BoardSession> {
    const snapshot = await api.snapshot(board);
    return new BoardSession(snapshot, api, make, world, ends);
  }

  private constructor(snapshot: Awaited<ReturnType<Api['snapshot']>>, api: Api, make: CellMaker, world: DrawWorld, ends: SessionEnds) {
    this.board = snapshot.board.name;
    this.model = new BoardModel(snapshot, make, api.isOwn);
    this.skew = Date.parse(snapshot.server_time) - Date.now();
    this.#api = api;
    this.#ends = ends;
    this.#draw = new DrawClock(world, () => this.model.publish());
    this.#epoch = snapshot.epoch;
    this.#seq = snapshot.seq;
  }

  get seq(): number {
    return this.#seq;
  }

  // Asks for the frames after the snapshot.
  watch(): void {
    this.#ends.tell({ type: 'watch', board: this.board, epoch: this.#epoch, seq: this.#seq });
  }

  async refresh(): Promise<void> {
    const snapshot = await this.#api.snapshot(this.board);
    const isSameData = this.#epoch === snapshot.epoch;
    this.#epoch = snapshot.epoch;
    this.#seq = snapshot.seq;
    this.skew = Date.parse(snapshot.server_time) - Date.now();
    const happenings = this.model.load(snapshot);
    this.watch();
    if (isSameData && happenings.length) this.#ends.happened(happenings);
  }

  take(frame: OpsFrame): void {
    if (frame.to !== undefined && frame.to <= this.#seq) return;
    const ops = frame.board === this.board ? frame.ops : frame.ops.filter((op) => op.op === 'worker' || op.op === 'dispatch');
    if (!ops.length) return;
    const stoppedBefore = this.model.stoppedLine;
    const happenings = this.model.apply(ops);
    this.#draw.want(ops.length, happenings.filter(({ from, to, own }) => from !== to && !own).length);
    if (this.model.stoppedLine && !stoppedBefore) this.#ends.lineStopped(this.model.stoppedLine);
    if (happenings.length) this.#ends.happened(happenings);
  }

  // No event tells that a run has spent more.
  async countSpending(): Promise<void> {
    if (!this.model.isRunning) return;
    const { items } = await this.#api.runningCards(this.board);
    const ops = items.map(({ id, spent }): Op => ({ op: 'spent', id, spent: spent ?? null }));
    this.model.apply(ops);
    this.#draw.want(ops.length);
  }

  // Names the data of the server: other data has other tasks under the same numbers.
  get epoch(): string {
    return this.#epoch;
  }

  get isBurst(): boolean {
    return this.#draw.isBurst;
  }

  drawNow(): void {
    this.#draw.now();
  }

  async loadMore(name: string): Promise<void> {
    const cursor = this.model.column(name).get().cursor;
    const column = this.model.board.get().columns.find((one) => one.name === name);
    if (!cursor || !column || this.#loading.has(name)) return;
    this.#loading.add(name);
    try {
      const page = await this.#api.cards(this.board, column, cursor);
      this.model.append(name, page.items, page.next);
    } finally {
      this.#loading.delete(name);
    }
  }
}
