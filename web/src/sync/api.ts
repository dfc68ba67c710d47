import type { AttentionPage } from '../model/attention_list.ts';
import type { DaySpending, TaskSpending, WorkerUsage } from '../model/spending.ts';
import type { BoardEvent, Card, Column, DispatchBlockers, OutputPage, Plan, Run, RunDiff, Runner, Snapshot, Stage, Task, WireError, Worker } from '../model/wire.ts';
import { readDocument } from '../format/visible_text.ts';
import { titled } from '../model/merge.ts';
import { EarlyAnswers } from './early_answers.ts';
import { newMutationId } from './mutation_id.ts';
import { credentialOf, forgetPageSecret, keepPageSecret, pageSecret } from './page_secret.ts';
import { doubtServer, proofOfServer } from './server_proof.ts';
import { addressOf, methodOf, type AnswerOf, type BodyOf, type Given, type Route, type TaskVerb, type VerbBody, type VerbRoute } from './requests.ts';

export type { TaskVerb } from './requests.ts';

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

  // Asking again gets the same answer.
  get isFinal(): boolean {
    return this.status < 500 && this.status !== 429;
  }
}

// The server could not be reached; whether it carried out the request is unknown.
export class Unreachable extends Error {}

// True when the server may answer the same request a little later: it was away, or had too much to do.
export function mayComeLater(problem: unknown): boolean {
  return problem instanceof Unreachable || (problem instanceof Refusal && !problem.isFinal);
}

export type MoveRequest = BodyOf<'POST /tasks/{id}/move'>;
export type NewTask = BodyOf<'POST /tasks'>;
export type TaskChange = BodyOf<'PATCH /tasks/{id}'>;
export type NewWorker = BodyOf<'POST /workers'>;

// Options of a request that are no parameters of its route.
interface Besides {
  mutation?: string;
  rev?: number;
  read?: (text: string) => unknown;
}

function orderOf(stage: Stage) {
  return stage === 'done' || stage === 'archived' ? { sort: 'updated', reverse: true } : { sort: 'pick' };
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

  boards = () => this.ask('GET /boards', {}).then((page) => page.items.map(titled));
  createBoard = (name: string, title: string) => this.ask('POST /boards', { body: { name, title } });
  snapshot = (board: string): Promise<Snapshot> => this.ask('GET /boards/{board}/snapshot', { path: { board }, query: { done: 50, column_max: 500 } });
  // A cursor holds for the order it was made in: finished columns show the newest first, all others the pick order.
  cards = (board: string, column: Column, cursor: string) =>
    this.ask('GET /tasks', { query: { board, status: column.name, limit: 200, cursor, view: 'card', ...orderOf(column.stage) } }) as Promise<{ items: Card[]; next?: string }>;

  runningCards = (board: string) =>
    this.ask('GET /tasks', { query: { board, stage: 'active', limit: 200, view: 'card' } }) as Promise<{ items: Card[]; next?: string }>;

  task = (id: number | string): Promise<Task> => this.ask('GET /tasks/{id}', { path: { id } }).then(asTask);
  plan = (task: number): Promise<Plan> => this.ask('GET /tasks/{id}/plan', { path: { id: task } });
  writePlan = (task: number, text: string): Promise<Plan> => this.ask('PUT /tasks/{id}/plan', { path: { id: task }, body: { text } });
  history = (board: string, task: number) => this.ask('GET /events', { query: { board, task: String(task), limit: 100, newest: true } }).then(eventsIn);
  historySince = (board: string, since: number) => this.ask('GET /events', { query: { board, since: String(since), limit: 500 } }).then(eventsIn);
  runs = (task: number): Promise<Run[]> => this.runsAndSum(task).then(({ items }) => items);
  runsAndSum = (task: number): Promise<{ items: Run[]; spent?: TaskSpending }> => this.ask('GET /tasks/{id}/runs', { path: { id: task } });
  diff = (task: number, run: number): Promise<RunDiff> => this.ask('GET /tasks/{id}/diff', { path: { id: task }, query: { run } });
  // As the program wrote it, with its control characters, which the log reads.
  output = (run: number, since: string | undefined): Promise<OutputPage> =>
    this.ask('GET /runs/{id}/output', { path: { id: run }, query: { since } }, { read: JSON.parse });
  log = (run: number): Promise<Blob> => this.#file('GET /runs/{id}/log', { path: { id: run } });

  createTask = (body: NewTask, mutation?: string) => this.ask('POST /tasks', { body }, { mutation }).then(asTask);
  changeTask = (id: number, rev: number, body: TaskChange, mutation?: string) => this.ask('PATCH /tasks/{id}', { path: { id }, body }, { mutation, rev }).then(asTask);
  moveTask = (id: number, body: MoveRequest, mutation: string, rev?: number) => this.ask('POST /tasks/{id}/move', { path: { id }, body }, { mutation, rev }).then(asTask);
  attachment = (task: number, name: string): Promise<Blob> => this.#file('GET /tasks/{id}/attachments/{name}', { path: { id: task, name } });
  attach = (task: number, name: string, body: Blob) => this.ask('PUT /tasks/{id}/attachments/{name}', { path: { id: task, name }, body }).then(asTask);
  detach = (task: number, name: string) => this.ask('DELETE /tasks/{id}/attachments/{name}', { path: { id: task, name } }).then(asTask);
  copyTask = (id: number) => this.ask('POST /tasks/{id}/copy', { path: { id }, body: {} }).then(asTask);
  deleteTask = (id: number) => this.ask('DELETE /tasks/{id}', { path: { id } });
  work = (task: number) => this.ask('GET /tasks/{id}/work', { path: { id: task } });
  preview = (task: number, stop = false) => this.ask('POST /tasks/{id}/preview', { path: { id: task }, body: { stop } });
  act = <V extends TaskVerb>(id: number, verb: V, body: VerbBody<V>, mutation?: string): Promise<Task> => {
    const given = { path: { id }, body } as unknown as Given<VerbRoute<V>>;
    return this.ask(`POST /tasks/{id}/${verb}`, given, { mutation }).then((task) => asTask(task as Parameters<typeof asTask>[0]));
  };

  workers = (): Promise<Worker[]> => this.ask('GET /workers', {}).then((page) => page.items);
  addWorker = (body: NewWorker) => this.ask('POST /workers', { body });
  setWorkerPaused = (name: string, paused: boolean) => this.ask(`POST /workers/{name}/${paused ? 'pause' : 'resume'}`, { path: { name }, body: {} });
  agents = () => this.ask('GET /agents', {}).then((page) => page.items);
  spentToday = (): Promise<DaySpending[]> => this.ask('GET /dispatch', {}).then(({ budgets }) => budgets ?? []);
  usageOfWeek = (board: string): Promise<WorkerUsage[]> => this.ask('GET /metrics/flow', { query: { board, days: 7 } }).then(({ workers }) => workers ?? []);
  runners = (): Promise<Runner[]> => this.ask('GET /runners', {}).then((page) => page.items);
  orderRunner = (name: string, order: 'pause' | 'resume' | 'drain' | 'revoke') => this.ask(`POST /runners/{name}/${order}`, { path: { name }, body: {} });
  servers = () => this.ask('GET /servers', {});
  telegram = () => this.ask('GET /telegram', {});
  setDispatchPaused = (paused: boolean, board?: string) => this.ask('PUT /dispatch', { body: { paused, board } });
  freeze = () => this.ask('POST /dispatch/freeze', { body: {} });
  thaw = () => this.ask('POST /dispatch/thaw', { body: {} });
  retryFault = (scope: 'board' | 'machine', name: string) => this.ask('POST /faults/{scope}/{name}/retry', { path: { scope, name }, body: {} });
  resumeAccount = (account: string) => this.ask('POST /accounts/{account}/resume', { path: { account }, body: {} });
  attention = (): Promise<AttentionPage> => this.ask('GET /attention', { query: { limit: 500 } });
  why = (tasks: readonly number[]): Promise<DispatchBlockers[]> => this.ask('GET /why', { query: { tasks: tasks.join(',') } }).then((page) => page.items);

  // A wrong or used code is answered with 401 too, which here says nothing about an older session.
  signIn = (code: string) => this.#request('POST /session', { body: { code } }, {}).then(({ secret }) => keepPageSecret(secret));
  phoneLink = () => this.ask('POST /session/phone', {});
  signOut = () => this.ask('DELETE /session', {}).then(forgetPageSecret);

  ask<R extends Route>(route: R, given: Given<R>, besides: Besides = {}): Promise<AnswerOf<R>> {
    return this.#watchingSession(this.#request(route, given, besides));
  }

  async #watchingSession<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (problem) {
      if (problem instanceof Refusal && problem.status === 401) this.#onSignedOut();
      throw problem;
    }
  }

  async #request<R extends Route>(route: R, given: Given<R>, besides: Besides): Promise<AnswerOf<R>> {
    return bodyOf<AnswerOf<R>>(await this.#send(route, given, besides), besides.read);
  }

  // A link or an <img> cannot send the secret of the page, so files are fetched like everything else.
  #file<R extends Route>(route: R, given: Given<R>): Promise<Blob> {
    return this.#watchingSession(this.#send(route, given, {}).then((response) => response.blob().catch(brokenOff)));
  }

  async #send<R extends Route>(route: R, { path, query, body }: Given<R>, { mutation, rev }: Besides): Promise<Response> {
    // Signing in needs no older secret, which the server may have forgotten.
    const secret = route === 'POST /session' ? undefined : pageSecret();
    const proof = secret ? await proofOfServer(this.base, secret) : 'right';
    const unproven = 'The program at this address did not prove that it knows this browser.';
    if (proof === 'wrong') throw new Refusal(401, { code: 'UNAUTHENTICATED', error: unproven });
    if (proof === 'missing') throw new Unreachable(unproven);
    const headers: Record<string, string> = { Accept: 'application/json', ...credentialOf(secret) };
    const method = methodOf(route);
    // A file travels as it is.
    const isFile = body instanceof Blob;
    if (body) headers['Content-Type'] = isFile ? 'application/octet-stream' : 'application/json';
    if (method !== 'GET') {
      const key = mutation ?? newMutationId();
      this.#own.add(key);
      headers['Idempotency-Key'] = key;
    }
    if (rev !== undefined) headers['If-Match'] = `"${rev}"`;
    const address = this.base + addressOf(route, path, query);
    const ask = () => fetch(address, { method, headers, body: isFile ? body : body && JSON.stringify(body), credentials: 'same-origin' });
    const response = await (method === 'GET' ? this.#early.take(address, ask) : ask()).catch(() => {
      doubtServer();
      throw new Unreachable('The server does not answer.');
    });
    if (!response.ok) throw new Refusal(response.status, await bodyOf<Partial<WireError>>(response).catch(() => ({})));
    return response;
  }
}

// A server may go away in the middle of its answer.
function brokenOff(): never {
  throw new Unreachable('The answer of the server broke off.');
}

async function bodyOf<T>(response: Response, read: (text: string) => unknown = readDocument): Promise<T> {
  const text = await response.text().catch(brokenOff);
  return (text ? read(text) : undefined) as T;
}

const asTask = (task: AnswerOf<'GET /tasks/{id}'>): Task => ({ ...task, class: task.class ?? 'standard' });
const eventsIn = ({ items }: AnswerOf<'GET /events'>) => items as BoardEvent[];
