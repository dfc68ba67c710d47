import { readDocument } from '../format/visible_text.ts';
import type { OpsFrame } from '../model/wire.ts';
import { BackOff } from './back_off.ts';
import type { StreamHandlers } from './event_stream.ts';
import { FrameLog } from './frame_log.ts';
import { PlayerElection } from './player_election.ts';
import type { SseMessage } from './sse_parser.ts';
import type { FromHub, LinkState, ToHub } from './stream_messages.ts';

export interface Port {
  send(message: FromHub): void;
}

export interface HubWorld {
  open(boards: string[], since: string, secret: string | undefined, handlers: StreamHandlers): () => void;
  now(): number;
  chance(): number;
  after(ms: number, action: () => void): () => void;
}

interface Watch {
  board: string;
  epoch: string;
  seq: number;
}

// A stream that the server ends in good order is taken up again at once.
const kResumeAfter = 100;

// Owns the one stream of this browser for all boards that its pages show, and hands every frame to every page.
export class StreamHub {
  readonly #world: HubWorld;
  readonly #watches = new Map<Port, Watch | undefined>();
  readonly #log = new FrameLog();
  readonly #backOff: BackOff;
  readonly #election: PlayerElection;
  #secret: string | undefined;
  #epoch = '';
  #cursor = 0;
  #streamed: string[] = [];
  #close: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelWatchdog: (() => void) | undefined;
  #heartbeat = 15;
  #link: FromHub & { type: 'link' } = { type: 'link', state: 'connecting' };

  constructor(world: HubWorld) {
    this.#world = world;
    this.#backOff = new BackOff(world.chance);
    this.#election = new PlayerElection((ms, action) => world.after(ms, action));
  }

  join(port: Port): void {
    this.#watches.set(port, undefined);
    port.send(this.#link);
  }

  hear(port: Port, message: ToHub): void {
    switch (message.type) {
      case 'watch':
        return this.#watch(port, message);
      case 'secret':
        return this.#use(message.secret);
      case 'retry':
        return this.#streamed.length && !(message.gently && this.#close) ? this.#connect() : undefined;
      case 'leave':
        this.#watches.delete(port);
        this.#election.leave(port);
        return this.#follow();
      case 'player':
        return this.#election.report(port, message);
      case 'cues':
        return this.#election.take(message.cues);
      case 'played':
        return this.#election.confirm(port, message.sent);
    }
  }

  // A worker has no storage, so pages hand it the secret they hold. The server ends the stream of a session that is over.
  #use(secret: string | undefined): void {
    if (secret === this.#secret) return;
    this.#secret = secret;
    if (this.#streamed.length) this.#connect();
  }

  #watch(port: Port, { board, epoch, seq }: Watch): void {
    const isNew = epoch !== this.#epoch;
    this.#watches.set(port, { board, epoch, seq });
    if (isNew) {
      this.#epoch = epoch;
      this.#cursor = seq;
      this.#log.clear();
      this.#resetOthers(port);
    }
    const missed = this.#streamed.includes(board) && !isNew ? this.#log.since(seq, this.#cursor) : undefined;
    if (missed) {
      for (const frame of missed) port.send({ type: 'ops', frame });
      if (this.#close) return;
    } else {
      this.#cursor = Math.min(this.#cursor, seq);
    }
    this.#follow(!missed);
  }

  #resetOthers(port: Port): void {
    for (const [other, watch] of this.#watches) {
      if (other !== port && watch && watch.epoch !== this.#epoch) other.send({ type: 'reset', reason: 'epoch' });
    }
  }

  // Streams exactly the boards that some page shows.
  #follow(anew = false): void {
    const boards = [...new Set([...this.#watches.values()].flatMap((watch) => (watch ? [watch.board] : [])))].sort();
    if (!boards.length) return this.#stop();
    if (!anew && this.#close && boards.join() === this.#streamed.join()) return;
    this.#streamed = boards;
    this.#connect();
  }

  #stop(): void {
    this.#close?.();
    this.#close = undefined;
    this.#cancelRetry?.();
    this.#cancelWatchdog?.();
    this.#streamed = [];
  }

  #connect(): void {
    this.#close?.();
    this.#cancelRetry?.();
    this.#tell('connecting');
    this.#watchdog();
    this.#close = this.#world.open(this.#streamed, `${this.#epoch}.${this.#cursor}`, this.#secret, {
      onMessage: (message) => this.#read(message),
      onSign: () => this.#watchdog(),
      onEnd: (status) => this.#ended(status),
    });
  }

  #watchdog(): void {
    this.#cancelWatchdog?.();
    this.#cancelWatchdog = this.#world.after(this.#heartbeat * 2500, () => this.#ended(0));
  }

  #ended(status: number): void {
    this.#close?.();
    this.#close = undefined;
    this.#cancelWatchdog?.();
    if (status === 401) {
      this.#stop();
      return this.#broadcast({ type: 'signed-out' });
    }
    const wait = this.#link.state === 'live' ? kResumeAfter : this.#backOff.wait();
    this.#tell('waiting', this.#world.now() + wait);
    this.#cancelRetry = this.#world.after(wait, () => this.#connect());
  }

  #read(message: SseMessage): void {
    const data = readDocument(message.data);
    if (message.event === 'hello') this.#greet(data as { epoch: string; heartbeat?: number; build?: string });
    else if (message.event === 'ops') this.#take(data as OpsFrame, message.lastId);
    else if (message.event === 'reset') this.#lose((data as { reason: string }).reason);
  }

  #greet(hello: { epoch: string; heartbeat?: number; build?: string }): void {
    this.#backOff.reset();
    this.#heartbeat = hello.heartbeat ?? this.#heartbeat;
    if (hello.epoch !== this.#epoch) return this.#lose('epoch');
    this.#tell('live', undefined, hello.build);
  }

  #take(frame: OpsFrame, lastId: string): void {
    if (frame.from !== undefined && frame.to !== undefined) {
      if (frame.from > this.#cursor + 1) return this.#lose('gap');
      this.#log.add(frame);
      // Only the last frame of a flush carries the id, and until then the others share its interval.
      if (lastId === `${this.#epoch}.${frame.to}`) this.#cursor = Math.max(this.#cursor, frame.to);
    }
    this.#broadcast({ type: 'ops', frame });
  }

  // Pages come back with a fresh snapshot, which opens the stream again.
  #lose(reason: string): void {
    this.#stop();
    this.#epoch = '';
    this.#log.clear();
    for (const port of this.#watches.keys()) this.#watches.set(port, undefined);
    this.#broadcast({ type: 'reset', reason });
  }

  #tell(state: LinkState, retryAt?: number, build?: string): void {
    this.#link = { type: 'link', state, retryAt, build: build ?? this.#link.build };
    this.#broadcast(this.#link);
  }

  #broadcast(message: FromHub): void {
    for (const port of this.#watches.keys()) port.send(message);
  }
}
