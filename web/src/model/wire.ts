// The shapes of answers and of the stream by the names that the page uses. They come from the server's own description
// (wire_generated.ts); what stands here adds what the page makes of them, and the operations of the stream. Lists of
// columns are in stage order, priorities lowest first, classes in pick order.

import type { TaskSpending } from './spending.ts';
import type * as Wire from './wire_generated.ts';

export type {
  AgentProfile, Attachment, ChangedFile, ChatStatus, Check, ClassOfService, DiffSize, Dispatch, DispatchBlocker, LandFinding, OpenedWork, OutputItem, OutputPage, PhoneLink,
  Plan, Preview, Readiness, Runner, ServerLine,
} from './wire_generated.ts';

// Of a shape the page relies on those fields, and reads the others where they are.
type Reads<T, Sure extends keyof T> = Pick<T, Sure> & Partial<Omit<T, Sure>>;

export type Landing = Reads<Wire.Landing, 'state'>;
export type Revert = Reads<Wire.Revert, 'state'>;
type RunFields = Reads<Omit<Wire.Run, 'landing' | 'revert' | 'usage'>, 'id' | 'task' | 'worker' | 'attempt' | 'state' | 'started'>;
export type Usage = Reads<NonNullable<Wire.Run['usage']>, 'input' | 'output'>;
export type Run = RunFields & { landing?: Landing; revert?: Revert; usage?: Usage };
export type RunDiff = Reads<Wire.RunDiff, 'run' | 'files' | 'diff' | 'truncated'>;
export type DispatchBlockers = Reads<Wire.DispatchBlockers, 'id' | 'running' | 'hindrances'>;
export type CardWork = Wire.CardWork;
export type Task = Reads<Wire.Task, 'id' | 'board' | 'title' | 'status' | 'stage' | 'priority' | 'rank' | 'rev' | 'created' | 'updated' | 'attempt' | 'max_attempts'> & { class: string };

export type Stage = Wire.Column['stage'];
export type WorkerState = Wire.Worker['state'];
export type TaskQuestion = Wire.Question;
export type RunSummary = Wire.CardRun;
// Newer servers may tell of more kinds.
export type BoardEvent = Omit<Wire.HistoryEvent, 'data' | 'kind'> & { kind: string; data?: Record<string, unknown> };
export type StoppedLine = NonNullable<Wire.Dispatch['stopped']>;

// A change on the stream clears a field with null.
type Clearable<T> = { [Field in keyof T]: undefined extends T[Field] ? T[Field] | null : T[Field] };

export type Card = Clearable<Reads<Wire.Card, Exclude<SureOfCard, 'epoch'>>>;
type SureOfCard = { [Field in keyof Wire.Card]-?: undefined extends Wire.Card[Field] ? never : Field }[keyof Wire.Card];

// The fields of a worker that the page keeps; the settings read the others.
export type Worker = Pick<Wire.Worker, 'name' | 'agent' | 'state'> & Clearable<Partial<Omit<Wire.Worker, 'name' | 'agent' | 'state'>>>;

// A column as it travels, and with what everybody here may count on.
export type ColumnAnswer = Omit<Wire.Column, 'require_claim'> & { require_claim?: boolean };
export interface Column extends ColumnAnswer {
  // The name when the board gives none.
  title: string;
  count: number;
}

type BoardFields = Pick<Wire.Board, 'id' | 'name' | 'priorities' | 'classes' | 'rev' | 'repo' | 'preview' | 'budget'>;

export interface BoardAnswer extends BoardFields {
  title?: string;
  columns: ColumnAnswer[];
  // Of a board whose tasks are Markdown files: where they lie, and why they cannot be used at the moment.
  directory?: string | null;
  trouble?: string | null;
}

export interface Board extends BoardAnswer {
  title: string;
  columns: Column[];
}

export type Snapshot = Omit<Wire.Snapshot, 'board' | 'workers' | 'tasks' | 'more'> & { board: BoardAnswer; workers: Worker[]; tasks: Card[]; more?: Wire.Snapshot['more'] };

// Why a change happened; `m` is the mutation id of the page that asked for it.
export interface Why {
  kind?: string;
  by?: string;
  m?: string;
}

export type Op =
  | { op: 'task'; id: number; rev: number; set: Partial<Card>; why?: Why }
  | { op: 'gone'; id: number; rev: number; why?: Why }
  | { op: 'line'; id: number; text: string }
  // The page tells itself what living runs spent.
  | { op: 'spent'; id: number; spent: TaskSpending | null }
  | { op: 'worker'; id: string; set?: Partial<Worker>; gone?: boolean }
  | { op: 'board'; rev?: number; set: BoardChange }
  | { op: 'dispatch'; set: Wire.Dispatch };

// Columns come either as counts by name, or whole after the board was edited.
export type BoardChange = Partial<Omit<Board, 'columns'>> & {
  columns?: Column[] | Record<string, Partial<Column>>;
};

// One atomic batch. Without `from` and `to` it holds progress lines only.
export interface OpsFrame {
  board: string;
  from?: number;
  to?: number;
  ops: Op[];
}

export interface WireError {
  error: string;
  code: string;
  field?: string;
  details?: { current?: Task; task?: number; worker?: string; [key: string]: unknown };
  request_id?: string;
}
