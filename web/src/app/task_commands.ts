import type { DropSlot } from '../model/drop_slot.ts';
import type { Card, Task } from '../model/wire.ts';
import { Refusal, Unreachable, type Api, type TaskChange, type TaskVerb } from '../sync/api.ts';
import type { VerbBody } from '../sync/requests.ts';
import type { BoardSession } from '../sync/board_session.ts';
import { moveCard } from '../sync/mutations.ts';
import { newMutationId } from '../sync/mutation_id.ts';
import type { Cell } from '../model/cell.ts';
import { conflictingTask, sentence } from './refusal_text.ts';
import type { Sound } from './sound.ts';
import type { Speech } from './speech.ts';
import type { Toasts } from './toasts.ts';
import { UndoList, type UndoEntry } from './undo_list.ts';

export interface CommandEnds {
  api: Api;
  session: Cell<BoardSession | undefined>;
  toasts: Toasts;
  speech: Speech;
  sound: Sound;
  explaining: Cell<number | undefined>;
  openTask(id: number): void;
  accepted(task: number): void;
  attention: { changed(): void };
}

// Verbs that a move to the column of before takes back.
const kUndone: Partial<Record<TaskVerb, string>> = { approve: 'Started', accept: 'Accepted', archive: 'Archived' };

// What a person does to tasks: asked of the server, explained when it is refused, taken back while nobody changed the task.
export class TaskCommands {
  readonly #ends: CommandEnds;
  readonly #undo = new UndoList();

  constructor(ends: CommandEnds) {
    this.#ends = ends;
  }

  async move(card: Card, column: string, slot: DropSlot): Promise<boolean> {
    const { api, sound } = this.#ends;
    const session = this.#ends.session.get();
    if (!session) return false;
    const { model } = session;
    const mutation = newMutationId();
    const stage = model.board.get().columns.find((item) => item.name === column)?.stage;
    if (stage && card.status !== column) sound.moved(card.id, stage, mutation);
    const home = placeOf(session, card);
    const outcome = await moveCard(api, session, card, column, slot, mutation);
    if (!outcome.ok) {
      this.explain('Not moved', outcome.refusal, card, column);
      return false;
    }
    const title = model.board.get().columns.find((item) => item.name === column)?.title ?? column;
    if (card.status !== column) this.did(`Moved #${card.id} to ${title}`, outcome.task, (rev) => api.moveTask(card.id, home, newMutationId(), rev));
    this.#remark(card, outcome.task);
    return true;
  }

  // Does something to a task that only the server can decide; what it changed comes back by the stream.
  async act<V extends TaskVerb>(card: Pick<Card, 'id'> & { status?: string }, verb: V, body: VerbBody<V>, failed: string): Promise<boolean> {
    const { api } = this.#ends;
    const before = card.status ?? this.#ends.session.get()?.model.card(card.id)?.status;
    return this.attempt(failed, async () => {
      const task = await api.act(card.id, verb, body);
      if (verb === 'accept') this.#ends.accepted(task.id);
      // An accepted plan puts the task into ready; its way back is to write the plan again.
      const words = verb === 'accept' && task.stage === 'ready' ? undefined : kUndone[verb];
      if (words && before && task.status !== before) this.did(`${words} #${task.id}`, task, (rev) => api.moveTask(task.id, { status: before }, newMutationId(), rev));
    });
  }

  // The task leaves the board and stays readable, so this can be taken back as well.
  async remove(card: Card): Promise<boolean> {
    const { api } = this.#ends;
    const session = this.#ends.session.get();
    const home = session ? placeOf(session, card) : { status: card.status };
    return this.attempt('Not deleted', async () => {
      await api.deleteTask(card.id);
      this.did(`Deleted #${card.id}`, await api.task(card.id), (rev) => api.moveTask(card.id, home, newMutationId(), rev));
    });
  }

  // The copy begins where new tasks of the board begin, which may be out of sight.
  copy(id: number): Promise<boolean> {
    return this.attempt('Not copied', async () => {
      const copy = await this.#ends.api.copyTask(id);
      this.#tell(`Copied #${id} to #${copy.id}.`, { label: `Open #${copy.id}`, run: () => this.#ends.openTask(copy.id) }, 'plain');
    });
  }

  // Changes fields of a task; `before` holds what they were.
  async change(before: Task, set: TaskChange): Promise<Task> {
    const { api } = this.#ends;
    const task = await api.changeTask(before.id, before.rev, set);
    const fields = Object.keys(set) as (keyof TaskChange & keyof Task)[];
    const old = Object.fromEntries(fields.map((field) => [field, before[field] ?? emptyLike(set[field])])) as TaskChange;
    this.did(`Changed ${namesOf(set)} of #${task.id}`, task, (rev) => api.changeTask(task.id, rev, old));
    return task;
  }

  async attempt(failed: string, action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (problem) {
      if (problem instanceof Refusal) this.explain(failed, problem);
      else if (problem instanceof Unreachable) this.explain(failed, undefined);
      else throw problem;
      return false;
    }
  }

  explain(what: string, refusal: Refusal | undefined, card?: Card, column?: string): void {
    const why = refusal ? sentence(refusal.message) : 'The server does not answer.';
    this.#tell(`${what}: ${why}`, refusal && this.#nextStep(refusal, card, column));
  }

  // Says what was done and offers to take it back.
  did(text: string, task: Pick<Task, 'id' | 'rev'>, back: UndoEntry['back']): void {
    const entry: UndoEntry = { text, task: task.id, rev: task.rev, back };
    this.#undo.add(entry);
    this.#ends.toasts.show(`${text}.`, 'plain', { label: 'Undo', run: () => void this.undo(entry) }, 'undo');
  }

  // What was done to a task cannot be taken back any more.
  forget(task: number): void {
    const { last } = this.#undo;
    this.#undo.forget(task);
    if (last?.task === task) this.#ends.toasts.dismissKind('undo');
  }

  // Takes back the last change, or the given one.
  async undo(entry = this.#undo.last): Promise<void> {
    if (!entry) return this.#tell('There is nothing to undo.', undefined, 'plain');
    if (!this.#undo.take(entry)) return;
    try {
      await entry.back(entry.rev);
      this.#tell(`Undone: ${entry.text}.`, undefined, 'plain');
      this.#ends.attention.changed();
    } catch (problem) {
      if (!(problem instanceof Refusal || problem instanceof Unreachable)) throw problem;
      const isChanged = problem instanceof Refusal && problem.code === 'REV_MISMATCH';
      const open = { label: `Open #${entry.task}`, run: () => this.#ends.openTask(entry.task) };
      this.#tell(isChanged ? `Not undone: #${entry.task} has changed since.` : `Not undone: ${sentence(problem.message)}`, open);
    }
  }

  #tell(text: string, action?: { label: string; run: () => void }, tone: 'plain' | 'danger' = 'danger'): void {
    this.#ends.toasts.show(text, tone, action);
    this.#ends.speech.interrupt(text);
  }

  // What a person may do and should look at afterwards.
  #remark(before: Card, task: Task): void {
    for (const warning of task.warnings ?? []) this.#ends.toasts.show(sentence(warning));
    if (task.stage !== 'blocked' || before.stage === 'blocked') return;
    this.#ends.toasts.show(`Blocked #${task.id}.`, 'plain', { label: 'Say why', run: () => this.#ends.explaining.set(task.id) });
  }

  #nextStep(refusal: Refusal, card: Card | undefined, column: string | undefined) {
    const session = this.#ends.session.get();
    const ready = session?.model.board.get().columns.find((item) => item.stage === 'ready');
    if (refusal.code === 'WORKER_BUSY' && card && ready && card.status !== ready.name && column !== ready.name) {
      return { label: `Queue in ${ready.title}`, run: () => void this.move(card, ready.name, session!.model.slot(card, ready.name, Infinity)) };
    }
    const task = conflictingTask(refusal);
    return task === undefined ? undefined : { label: `Open #${task}`, run: () => this.#ends.openTask(task) };
  }
}

// Where a card lies now, as a move to there would name it.
function placeOf({ model }: BoardSession, card: Card) {
  const { ids } = model.column(card.status).get();
  const at = ids.indexOf(card.id);
  const next = at < 0 ? undefined : ids[at + 1];
  return { status: card.status, ...(next === undefined ? {} : { before: next }) };
}

const kFieldNames: Partial<Record<keyof Task, string>> = { body: 'the brief', due: 'the due day', depends_on: 'what it waits for', assignee: 'the worker', role: 'the role' };

function namesOf(set: object): string {
  const names = (Object.keys(set) as (keyof Task)[]).map((field) => kFieldNames[field] ?? `the ${field}`);
  return names.length > 2 ? `${names.length} fields` : names.join(' and ');
}

// A field that was not there is taken back to nothing of its kind.
function emptyLike(value: unknown): unknown {
  return Array.isArray(value) ? [] : typeof value === 'string' ? '' : null;
}
