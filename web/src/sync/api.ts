import type {
  AgentProfile, Board, BoardEvent, Card, ChatStatus, Column, DispatchBlockers, OpenedWork, PhoneLink, Readiness, Run, RunDiff, Snapshot, Stage, Task, WireError, Worker,
} from '../model/wire.ts';
import { readDocument } from '../format/visible_text.ts';
import type { AttentionPage } from '../model/attention_list.ts';
import { titled } from '../model/merge.ts';
import { EarlyAnswers } from './early_answers.ts';
import type { OutputPage } from './run_output.ts';
import { newMutationId } from './mutation_id.ts';

// A refusal by the server, in its own words.
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly field?: string;
  readonly details: NonNullable<WireError['details']>;

  constructor(status: number, body: Partial<WireError>) {
    super(body.error ?? `The server answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.field = body.field;
    this.details = body.details ?? {};
  }
}

// The server could not be reached; whether it carried out the request is unknown.
export class Unreachable extends Error {}

export type TaskVerb =
  | 'kill' | 'block' | 'answer' | 'unblock' | 'approve' | 'accept' | 'reject' | 'retry' | 'note' | 'archive' | 'claim' | 'release' | 'complete' | 'landing' | 'revert';

export interface MoveRequest {
  status: string;
  before?: number;
  after?: number;
}

export interface NewTask {
  board: string;
  title: string;
  body?: string;
  status?: string;
  assignee?: string;
  role?: string;
  priority?: string;
  class?: string;
  tags?: string[];
  due?: string;
  depends_on?: number[];
  parent?: number;
}

export interface NewWorker {
  name: string;
  agent: string;
  title?: string;
  colour?: string;
}

interface Page<T> {
  items: T[];
  next?: string;
}

type Query = Record<string, string | number | undefined>;

function orderOf(stage: Stage): Query {
  return stage === 'done' || stage === 'archived' ? { sort: 'updated', reverse: 'true' } : { sort: 'pick' };
}

export class Api {
  readonly base: string;
  readonly #onSignedOut: () => void;
  readonly #own = new Set<string>();
  readonly #early: EarlyAnswers;

  constructor(base: string, onSignedOut: () => void, early = new EarlyAnswers()) {
    this.base = base;
    this.#onSignedOut = onSignedOut;
    this.#early = early;
  }

  // From now on everything is asked for anew.
  forgetEarly(): void {
    this.#early.forget();
  }

  // Whether a change that comes by the stream was asked for by this page.
  isOwn = (mutation: string | undefined) => mutation !== undefined && this.#own.has(mutation);

  boards = () => this.#get<Page<Board>>('/boards').then((page) => page.items.map(titled));
  createBoard = (name: string, title: string) => this.#send<Board>('POST', '/boards', { name, title });
  snapshot = (board: string) => this.#get<Snapshot>(`/boards/${encodeURIComponent(board)}/snapshot`, { done: 50, column_max: 500 });
  // A cursor holds for the order it was made in: finished columns show the newest first, all others the pick order.
  cards = (board: string, column: Column, cursor: string) =>
    this.#get<Page<Card>>('/tasks', { board, status: column.name, limit: 200, cursor, view: 'card', ...orderOf(column.stage) });

  task = (id: number | string) => this.#get<Task>(`/tasks/${id}`);
  history = (board: string, task: number) =>
    this.#get<Page<BoardEvent>>('/events', { board, task, limit: 100, newest: 'true' }).then((page) => page.items);
  runs = (task: number) => this.#get<Page<Run>>(`/tasks/${task}/runs`).then((page) => page.items);
  diff = (task: number, run: number) => this.#get<RunDiff>(`/tasks/${task}/diff`, { run });
  // As the program wrote it, with its control characters, which the log reads.
  output = (run: number, since: string | undefined) =>
    this.#watchingSession(this.#request<OutputPage>('GET', `/runs/${run}/output`, { since }, undefined, undefined, undefined, JSON.parse));
  logAddress = (run: number) => `${this.base}/runs/${run}/log`;
  eventsAddress = (boards: readonly string[], since: string) => `${this.base}/events${asQuery({ boards: boards.join(','), since })}`;

  createTask = (task: NewTask, mutation = newMutationId()) => this.#send<Task>('POST', '/tasks', task, mutation);
  changeTask = (id: number, rev: number, set: Partial<Record<keyof Task, unknown>>, mutation = newMutationId()) =>
    this.#send<Task>('PATCH', `/tasks/${id}`, set, mutation, rev);
  moveTask = (id: number, move: MoveRequest, mutation: string, rev?: number) => this.#send<Task>('POST', `/tasks/${id}/move`, move, mutation, rev);
  attachmentAddress = (task: number, name: string) => `${this.base}/tasks/${task}/attachments/${encodeURIComponent(name)}`;
  attach = (task: number, name: string, file: Blob) =>
    this.#watchingSession(this.#request<Task>('PUT', `/tasks/${task}/attachments/${encodeURIComponent(name)}`, {}, file, newMutationId()));
  detach = (task: number, name: string) => this.#send<Task>('DELETE', `/tasks/${task}/attachments/${encodeURIComponent(name)}`);
  copyTask = (id: number) => this.#send<Task>('POST', `/tasks/${id}/copy`, {});
  deleteTask = (id: number) => this.#send<object>('DELETE', `/tasks/${id}`);
  work = (task: number) => this.#get<OpenedWork>(`/tasks/${task}/work`);
  preview = (task: number, stop = false) => this.#send<OpenedWork>('POST', `/tasks/${task}/preview`, { stop });
  act = (id: number, verb: TaskVerb, body: object = {}, mutation = newMutationId()) =>
    this.#send<Task>('POST', `/tasks/${id}/${verb}`, body, mutation);

  workers = () => this.#get<Page<Worker>>('/workers').then((page) => page.items);
  addWorker = (worker: NewWorker) => this.#send<Worker>('POST', '/workers', worker);
  setWorkerPaused = (name: string, paused: boolean) =>
    this.#send<Worker>('POST', `/workers/${encodeURIComponent(name)}/${paused ? 'pause' : 'resume'}`, {});
  agents = () => this.#get<Page<AgentProfile>>('/agents').then((page) => page.items);
  servers = () => this.#get<Readiness>('/servers');
  telegram = () => this.#get<ChatStatus>('/telegram');
  setDispatchPaused = (paused: boolean, board?: string) => this.#send<{ paused: boolean }>('PUT', '/dispatch', { paused, board });
  historySince = (board: string, since: number) =>
    this.#get<Page<BoardEvent>>('/events', { board, since, limit: 500 }).then((page) => page.items);
  freeze = () => this.#send<object>('POST', '/dispatch/freeze', {});
  thaw = () => this.#send<object>('POST', '/dispatch/thaw', {});
  resumeAccount = (name: string) => this.#send<object>('POST', `/accounts/${encodeURIComponent(name)}/resume`, {});
  attention = () => this.#get<AttentionPage>('/attention', { limit: 500 });
  why = (tasks: readonly number[]) => this.#get<Page<DispatchBlockers>>('/why', { tasks: tasks.join(',') }).then((page) => page.items);

  // A wrong or used code is answered with 401 too, which here says nothing about an older session.
  signIn = (code: string) => this.#request<void>('POST', '/session', {}, { code }, newMutationId());
  phoneLink = () => this.#send<PhoneLink>('POST', '/session/phone', {});
  signOut = () => this.#send<void>('DELETE', '/session');

  // For the operations of parts of the page that are loaded later.
  read = <T>(path: string, query: Query = {}) => this.#get<T>(path, query);
  write = <T>(method: string, path: string, body?: object, rev?: number) => this.#send<T>(method, path, body, newMutationId(), rev);

  #get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#watchingSession(this.#request<T>('GET', path, query));
  }

  #send<T>(method: string, path: string, body?: object, mutation = newMutationId(), rev?: number): Promise<T> {
    return this.#watchingSession(this.#request<T>(method, path, {}, body, mutation, rev));
  }

  async #watchingSession<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 401) this.#onSignedOut();
      throw problem;
    }
  }

  async #request<T>(method: string, path: string, query: Query, body?: object, mutation?: string, rev?: number, read: (text: string) => unknown = readDocument): Promise<T> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    // A file travels as it is.
    const isFile = body instanceof Blob;
    if (body) headers['Content-Type'] = isFile ? 'application/octet-stream' : 'application/json';
    if (mutation) {
      this.#own.add(mutation);
      headers['Idempotency-Key'] = mutation;
    }
    if (rev !== undefined) headers['If-Match'] = `"${rev}"`;
    const address = `${this.base}${path}${asQuery(query)}`;
    const ask = () => fetch(address, { method, headers, body: isFile ? body : body && JSON.stringify(body), credentials: 'same-origin' });
    const response = await (method === 'GET' ? this.#early.take(address, ask) : ask()).catch(() => {
      throw new Unreachable('The server does not answer.');
    });
    if (!response.ok) throw new Refusal(response.status, await bodyOf<Partial<WireError>>(response).catch(() => ({})));
    return bodyOf<T>(response, read);
  }
}

async function bodyOf<T>(response: Response, read: (text: string) => unknown = readDocument): Promise<T> {
  const text = await response.text();
  return (text ? read(text) : undefined) as T;
}

function asQuery(query: Query): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : '';
}
