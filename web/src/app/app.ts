import type { AttentionEntry } from '../model/attention_list.ts';
import type { Happening } from '../model/board_model.ts';
import type { Cell, CellMaker } from '../model/cell.ts';
import type { DropSlot } from '../model/drop_slot.ts';
import type { Board, Card } from '../model/wire.ts';
import { signInCode, type Route } from '../router/route.ts';
import { Api, Refusal, Unreachable, mayComeLater, type TaskVerb } from '../sync/api.ts';
import type { VerbBody } from '../sync/requests.ts';
import { BackOff } from '../sync/back_off.ts';
import { BoardSession } from '../sync/board_session.ts';
import { connectStream, type TellHub } from '../sync/connect_stream.ts';
import { EarlyAnswers } from '../sync/early_answers.ts';
import { followPageSecret, pageSecret } from '../sync/page_secret.ts';
import type { DrawWorld } from '../sync/draw_clock.ts';
import type { FromHub, ToHub } from '../sync/stream_messages.ts';
import { Address } from './address.ts';
import { AttentionWatch } from './attention_watch.ts';
import { Notifications } from './notifications.ts';
import { TaskCommands } from './task_commands.ts';
import { LandingWatch } from './landing_watch.ts';
import { summary } from './live_summary.ts';
import { sentence } from './refusal_text.ts';
import { remember, remembered } from './remembered.ts';
import { saveFile } from './save_file.ts';
import { Sound } from './sound.ts';
import { Speech } from './speech.ts';
import { ThemeChoice } from './theme.ts';
import { Toasts } from './toasts.ts';
import { Viewport } from './viewport.ts';

export type Access = 'unknown' | 'unreachable' | 'in' | 'out' | 'refused-code';

// Since when the server has not answered, and when it is asked again.
export interface Away {
  since: number;
  retryAt: number;
}

export interface Link {
  state: 'connecting' | 'live' | 'waiting';
  retryAt?: number;
  // The server runs another build than the one this page came from.
  newBuild: boolean;
}

// Snapshots asked for again within this time wait longer each time, so that a broken stream cannot hammer the server.
const kCalm = 10_000;
// ms after which a new board has been drawn.
const kAfterDrawing = 50;
// An event that comes this soon after a lost stream is back happened while it was lost.
const kCatchingUp = 2000;

// Everything the page is: who may see it, which board it shows, what it tells the person.
export class App {
  readonly api: Api;
  readonly address: Address;
  readonly theme: ThemeChoice;
  readonly viewport: Viewport;
  readonly toasts: Toasts;
  readonly speech: Speech;
  readonly sound: Sound;
  readonly attention: AttentionWatch;
  readonly notifications: Notifications;
  readonly access: Cell<Access>;
  readonly away: Cell<Away | undefined>;
  readonly boards: Cell<readonly Board[]>;
  readonly session: Cell<BoardSession | undefined>;
  readonly missing: Cell<string | undefined>;
  readonly link: Cell<Link>;
  // The task whose blocking a person is giving the reason of.
  readonly explaining: Cell<number | undefined>;
  // Server time in ms, ticking slowly for ages on cards.
  readonly now: Cell<number>;
  readonly commands: TaskCommands;
  readonly #landings: LandingWatch;
  readonly #make: CellMaker;
  readonly #draw: DrawWorld;
  readonly #resets = new BackOff(Math.random);
  readonly #entries = new BackOff(Math.random);
  #entry = 0;
  #tell: TellHub | undefined;
  #lastReset = 0;
  #isLost = false;
  #resumedAt = -Infinity;
  #opening = '';
  // Of a sign-in link, until the server has taken or refused it.
  #code: string | undefined;
  // Of the server when this page met it first.
  #build: string | undefined;
  #news: Happening[] = [];
  #listeners = new Set<(happenings: readonly Happening[]) => void>();

  constructor(make: CellMaker, draw: DrawWorld) {
    this.#make = make;
    this.#draw = draw;
    this.api = new Api('/api/v1', () => this.access.set('out'), new EarlyAnswers(window.andonAsked));
    this.address = new Address(make);
    this.theme = new ThemeChoice(make);
    this.viewport = new Viewport(make);
    this.toasts = new Toasts(make);
    this.speech = new Speech(make);
    this.sound = new Sound(make, (message) => this.#tell?.(message));
    this.attention = new AttentionWatch(make, {
      ask: () => this.api.attention().catch(() => undefined),
      now: () => Date.now(),
      after: (ms, run) => draw.after(ms, run),
      isIdle: () => this.access.get() !== 'in' || (document.hidden && this.notifications.state.get() !== 'on'),
    });
    this.notifications = new Notifications(make, (entry) => this.openEntry(entry));
    this.access = make<Access>('unknown');
    this.away = make<Away | undefined>(undefined);
    this.boards = make<readonly Board[]>([]);
    this.session = make<BoardSession | undefined>(undefined);
    this.missing = make<string | undefined>(undefined);
    this.link = make<Link>({ state: 'connecting', newBuild: false });
    this.explaining = make<number | undefined>(undefined);
    this.now = make(Date.now());
    this.commands = new TaskCommands(this);
    this.#landings = new LandingWatch({
      runs: (task) => this.api.runs(task),
      isOpen: (task) => this.address.route.get().task === String(task),
      decided: (task) => this.commands.forget(task),
      show: (text, tone, task) => this.toasts.show(`#${task}: ${text}`, tone, { label: 'Open', run: () => this.openTask(task) }),
    });
  }

  async start(): Promise<void> {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      this.session.get()?.drawNow();
      this.attention.shown();
    });
    setInterval(() => this.tick(), 1000);
    addEventListener('online', () => this.access.get() === 'unreachable' && void this.enter());
    // A link that is pasted over an open page changes only the hash.
    addEventListener('hashchange', () => void this.#arrive());
    followPageSecret(() => this.#followSecret());
    await this.#arrive();
    this.api.forgetEarly();
  }

  tick(): void {
    this.now.set(Date.now() + (this.session.get()?.skew ?? 0));
    this.#tellNews();
  }

  // Loads what a signed-in person may see; a 401 on the way shows the sign-in page instead.
  async enter(): Promise<void> {
    const entry = ++this.#entry;
    try {
      if (this.#code && !(await this.#redeem(this.#code))) return;
      this.boards.set(await this.api.boards());
      this.away.set(undefined);
      this.#entries.reset();
      this.access.set('in');
      await this.session.get()?.refresh();
      await this.show(this.address.route.get());
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 401) return;
      if (!(problem instanceof Refusal || problem instanceof Unreachable)) throw problem;
      if (entry === this.#entry) this.#enterLater(entry);
    }
  }

  // Ends the session of this browser, for all its pages.
  async signOut(): Promise<void> {
    if (await this.attempt('Not signed out', () => this.api.signOut())) this.#followSecret();
  }

  #followSecret(): void {
    const secret = pageSecret();
    this.#tell?.({ type: 'secret', secret });
    if (secret) void this.enter();
    else this.access.set('out');
  }

  #toHub(message: ToHub): void {
    this.#tell ??= connectStream((heard) => this.#hear(heard));
    // The page may have signed in anew.
    if (message.type === 'watch') this.#tell({ type: 'secret', secret: pageSecret() });
    this.#tell(message);
  }

  #enterLater(entry: number): void {
    const wait = this.#entries.wait();
    this.away.set({ since: this.away.get()?.since ?? Date.now(), retryAt: Date.now() + wait });
    this.access.set('unreachable');
    this.#draw.after(wait, () => entry === this.#entry && void this.enter());
  }

  async show(route: Route): Promise<void> {
    if (route.unknown) return;
    const name = route.board ?? (await this.#boardOf(route.task)) ?? this.#favourite();
    if (!name || name === this.#opening) return;
    if (name === this.session.get()?.board) {
      this.#opening = '';
      return;
    }
    this.#opening = name;
    // Nothing of the board before may stand under the address of this one.
    this.session.set(undefined);
    try {
      const session = await BoardSession.open(name, this.api, this.#make, this.#draw, {
        tell: (message) => this.#toHub(message),
        happened: (happenings) => this.#happened(happenings),
        lineStopped: (line) => this.sound.lineStopped(line),
      });
      // Another board was chosen meanwhile.
      if (this.#opening !== name) return;
      this.missing.set(undefined);
      this.session.set(session);
      this.tick();
      // The stream's worker would take time from the first drawing; it catches up with what came meanwhile.
      this.#draw.after(kAfterDrawing, () => this.session.get() === session && session.watch());
      this.#draw.after(kAfterDrawing, () => this.attention.start());
      remember('board', name);
      if (!route.board) this.address.settle({ board: name });
    } catch (problem) {
      if (!(problem instanceof Refusal || problem instanceof Unreachable)) throw problem;
      if (this.#opening !== name) return;
      if (mayComeLater(problem)) this.#draw.after(1500, () => void this.show(this.address.route.get()));
      else if (problem instanceof Refusal && problem.status === 404) this.missing.set(name);
      else if (problem instanceof Refusal && problem.status !== 401) this.toasts.show(sentence(problem.message), 'danger');
    } finally {
      if (this.#opening === name) this.#opening = '';
    }
  }

  async reloadBoards(): Promise<void> {
    this.boards.set(await this.api.boards());
  }

  retryNow(): void {
    this.#tell?.({ type: 'retry' });
  }

  // Tells what the stream brought about tasks; returns how to stop listening.
  onHappenings(listener: (happenings: readonly Happening[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  openTask(id: number | undefined): void {
    this.address.go({ task: id === undefined ? undefined : String(id), review: undefined, run: undefined, beside: undefined });
  }

  // The task on whatever board it is; without a task the list of all that waits.
  openEntry(entry: AttentionEntry | undefined): void {
    const elsewhere = { settings: undefined, item: undefined, wall: undefined, review: undefined, run: undefined, beside: undefined };
    if (entry?.id === undefined) return this.address.go({ ...elsewhere, attention: true, task: undefined });
    this.address.go({ ...elsewhere, ...this.#boardChange(entry.board), task: String(entry.id) });
  }

  // The work on a task in full width, at an address of its own.
  openReview(id: number, board?: string): void {
    this.address.go({ ...this.#boardChange(board), task: String(id), review: true, wall: undefined, run: undefined, beside: undefined });
  }

  // The cards of a worker are looked for on one board only.
  #boardChange(board: string | undefined): Partial<Route> {
    const now = this.address.route.get().board;
    return board === undefined || board === now ? {} : { board, worker: undefined };
  }

  // The log of a run in full width, alone or beside that of another attempt.
  openLog(task: number, run: number, beside?: number): void {
    this.address.go({ task: String(task), run, beside, review: undefined, wall: undefined });
  }

  saveLog = (run: number) => this.attempt('Not downloaded', () => saveFile(`run-${run}.log`, this.api.log(run)));

  move = (card: Card, column: string, slot: DropSlot) => this.commands.move(card, column, slot);
  act = <V extends TaskVerb>(card: Pick<Card, 'id'> & { status?: string }, verb: V, body: VerbBody<V>, failed: string) => {
    this.notifications.did(card.id);
    return this.commands.act(card, verb, body, failed);
  };
  attempt = (failed: string, action: () => Promise<unknown>) => this.commands.attempt(failed, action);

  // Tells what becomes of accepted work, wherever the person is by then.
  accepted(task: number): void {
    this.#landings.follow(task);
  }

  // Called before the page draws what it has loaded outside of the board's stream.
  beforeDraw(): void {
    this.#draw.beforeDraw?.();
  }

  async #arrive(): Promise<void> {
    const code = signInCode(location.hash);
    if (code) history.replaceState(null, '', location.pathname + location.search);
    this.#code = code ?? this.#code;
    if (code || this.access.get() !== 'refused-code') await this.enter();
  }

  // Whether the person may go on. The code is kept while the server does not answer.
  async #redeem(code: string): Promise<boolean> {
    let isIn = true;
    try {
      await this.api.signIn(code);
    } catch (problem) {
      if (!(problem instanceof Refusal) || !problem.isFinal) throw problem;
      // The link may have been opened twice; whoever is signed in already just goes on.
      isIn = await this.#isSignedIn();
      if (!isIn) this.access.set('refused-code');
    }
    this.#code = undefined;
    return isIn;
  }

  async #isSignedIn(): Promise<boolean> {
    try {
      await this.api.boards();
      return true;
    } catch (problem) {
      if (problem instanceof Refusal) return false;
      throw problem;
    }
  }

  async #boardOf(task: string | undefined): Promise<string | undefined> {
    if (!task) return undefined;
    try {
      return (await this.api.task(task)).board;
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 404) return undefined;
      throw problem;
    }
  }

  #favourite(): string | undefined {
    const boards = this.boards.get();
    const last = remembered('board');
    return boards.find((board) => board.name === last)?.name ?? boards[0]?.name;
  }

  #hear(message: FromHub): void {
    const session = this.session.get();
    switch (message.type) {
      case 'ops':
        this.attention.changed();
        return session?.take(message.frame);
      case 'link':
        this.#announce(message.state);
        this.sound.report();
        return this.link.set({
          state: message.state,
          retryAt: message.retryAt,
          newBuild: message.build !== (this.#build ??= message.build),
        });
      case 'reset':
        return this.#renew();
      case 'signed-out':
        return this.access.set('out');
      case 'cues':
        return this.sound.hear(message.cues, message.sent);
    }
  }

  // Who cannot see the pill is told, too; losing a stream for less than a moment is nothing to tell.
  #announce(state: Link['state']): void {
    const before = this.link.get().state;
    if (this.#isLost && state === 'live') this.#resumedAt = Date.now();
    if (before === 'live' && state === 'waiting') this.#isLost = true;
    if (before === 'live' && state === 'waiting') this.speech.say('The connection is lost. The board may be out of date.');
    if (this.#isLost && state === 'live') this.speech.say('Connected again.');
    if (state === 'live') this.#isLost = false;
  }

  #renew(): void {
    const calm = Date.now() - this.#lastReset > kCalm;
    this.#lastReset = Date.now();
    if (calm) this.#resets.reset();
    this.#draw.after(calm ? 0 : this.#resets.wait(), () => void this.#refresh());
  }

  async #refresh(): Promise<void> {
    try {
      await this.session.get()?.refresh();
    } catch (problem) {
      if (mayComeLater(problem)) this.#draw.after(this.#resets.wait(), () => void this.#refresh());
      else if (!(problem instanceof Refusal)) throw problem;
    }
  }

  #happened(happenings: Happening[]): void {
    this.#news.push(...happenings);
    for (const { own, card } of happenings) if (own) this.notifications.did(card.id);
    const isLate = Date.now() - this.#resumedAt < kCatchingUp;
    this.sound.happened(isLate ? happenings.map((one) => ({ ...one, late: true })) : happenings);
    for (const listener of this.#listeners) listener(happenings);
    void this.#landings.changed(happenings.map(({ card }) => card.id));
  }

  #tellNews(): void {
    const board = this.session.get()?.model.board.get();
    if (!this.#news.length || !board) return;
    const text = summary(this.#news, board);
    this.#news = [];
    if (text) this.speech.say(text);
  }
}
