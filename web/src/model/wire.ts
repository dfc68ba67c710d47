// Shapes as they travel. Lists of columns are in stage order, priorities lowest first, classes in pick order.

import type { PlainFields } from './plain_fields.ts';
import type { Budget, TaskSpending } from './spending.ts';

export type Stage = 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived';
export type WorkerState = 'idle' | 'working' | 'silent' | 'stale' | 'paused' | 'limited' | 'offline';

export interface Column {
  name: string;
  // The name when the board gives none.
  title: string;
  stage: Stage;
  wip_limit?: number;
  require_claim?: boolean;
  count: number;
}

export interface ClassOfService {
  name: string;
  wip_limit?: number;
  bypass_column_wip?: boolean;
}

export interface Board {
  id: number;
  name: string;
  title: string;
  columns: Column[];
  priorities: string[];
  classes: ClassOfService[];
  // The repository its agents work in.
  repo?: string;
  // The command that serves work for people.
  preview?: string[];
  // Of a board whose tasks are Markdown files: where they lie, and why they cannot be used at the moment.
  directory?: string | null;
  trouble?: string | null;
  budget?: Budget | null;
  rev: number;
}

export interface Worker {
  name: string;
  role?: string;
  title?: string;
  agent: string;
  colour?: string;
  state: WorkerState;
  task?: number | null;
  since?: string | null;
  queued?: number;
  // Takes no new task; it may still work on one.
  paused?: boolean;
  paused_because?: string;
  budget?: Budget | null;
  limited_until?: string | null;
}

// What a blocked task waits for; any text is an answer.
export interface TaskQuestion {
  text: string;
  choices?: string[];
  asked_by: string;
  asked_at: string;
  // The run that waits for the answer while it works; absent where the task is blocked.
  run?: number | null;
}

// One thing that keeps a task from running.
export interface DispatchBlocker {
  code: string;
  text: string;
  remedy?: string;
  // The worker, account or board that the remedy is for.
  about?: string;
  // The task that must end first.
  task?: number;
  // How many tasks its worker takes before it.
  ahead?: number;
}

export interface DispatchBlockers {
  id: number;
  running: boolean;
  worker?: string;
  hindrances: DispatchBlocker[];
}

// A file of a task.
export interface Attachment {
  id: string;
  name: string;
  size: number;
  type: string;
  by?: string;
  at: string;
}

export interface RunSummary {
  id: number;
  attempt: number;
  started: string;
  state: string;
  worker: string;
}

export interface DiffSize {
  files: number;
  added: number;
  removed: number;
}

// How much there is to review, as far as it is known.
export interface CardWork {
  diff?: DiffSize;
  checks?: number;
  checks_passed?: number;
  cost_usd?: number;
}

export interface Card extends PlainFields {
  id: number;
  key?: string | null;
  rev: number;
  title: string;
  status: string;
  stage: Stage;
  priority: string;
  class: string;
  rank: string;
  assignee?: string | null;
  role?: string | null;
  tags?: string[] | null;
  due?: string | null;
  parent?: number | null;
  blocked?: boolean | null;
  block_reason?: string | null;
  question?: TaskQuestion | null;
  claimed_by?: string | null;
  claim_expires?: string | null;
  epoch?: number | null;
  attempt: number;
  max_attempts: number;
  not_before?: string | null;
  // Why its last attempt failed, until one goes well.
  failure?: string | null;
  approved?: boolean | null;
  // What a person should look at, such as "no evidence".
  flag?: string | null;
  open_deps: number;
  deps: number;
  children?: { done: number; total: number } | null;
  notes: number;
  // How many files belong to it.
  attachments?: number | null;
  run?: RunSummary | null;
  // Of a task in review.
  work?: CardWork | null;
  // What its runs spent together.
  spent?: TaskSpending | null;
  // Its accepted work could not be landed and waits for a next attempt.
  returned?: boolean | null;
  // A person must say whether its work lands.
  landing_asked?: boolean | null;
  line?: string | null;
  entered: string;
  created: string;
  updated: string;
  excerpt?: string | null;
}

export interface Task extends PlainFields {
  id: number;
  key?: string;
  board: string;
  title: string;
  body?: string;
  status: string;
  stage: Stage;
  priority: string;
  class: string;
  rank: string;
  rev: number;
  created: string;
  updated: string;
  started?: string;
  completed?: string;
  assignee?: string;
  role?: string;
  tags?: string[];
  due?: string;
  parent?: number;
  depends_on?: number[];
  blocked?: boolean;
  block_reason?: string;
  question?: TaskQuestion;
  claimed_by?: string;
  claim_expires?: string;
  attempt?: number;
  max_attempts?: number;
  source?: string;
  created_by?: string;
  run?: number;
  result?: string;
  attachments?: Attachment[];
  children?: { done: number; total: number };
  // Only in the answer of the change they are about.
  warnings?: string[];
  approved?: boolean;
  flag?: string;
  // What this person may do with it now, and why not the rest.
  can?: string[];
  cannot?: Record<string, string>;
}

export interface Check {
  name: string;
  passed?: boolean;
  output?: string;
  seconds?: number;
}

// How accepted work comes into the default branch.
export interface Landing {
  state: 'waiting' | 'landed' | 'returned' | 'withdrawn' | 'asked';
  reason?: string;
  commit?: string;
  branch?: string;
  // In conflict with the default branch.
  files?: string[];
  // The limits of the board that it exceeds.
  findings?: LandFinding[];
}

export interface LandFinding {
  limit: string;
  count: number;
  most: number;
  files?: string[];
}

// How landed work is taken back.
export interface Revert {
  state: 'waiting' | 'reverted' | 'refused';
  reason?: string;
  commit?: string;
}

// The server that shows the work of a task.
export interface Preview {
  state: 'running' | 'ended';
  port: number;
  output?: string;
}

export interface OpenedWork {
  directory: string;
  can_preview: boolean;
  preview?: Preview;
}

export interface Run {
  id: number;
  task: number;
  worker: string;
  attempt: number;
  state: string;
  outcome?: string;
  reason?: string;
  started: string;
  ended?: string;
  result?: string;
  branch?: string;
  commits?: string[];
  files_changed?: number;
  // The commit its work came to.
  head?: string;
  checks?: Check[];
  landing?: Landing;
  revert?: Revert;
  diff_size?: DiffSize;
  // Of its supervisor; absent where it never began.
  pid?: number;
  usage?: { input: number; output: number; cost_usd?: number | null };
}

export interface ChangedFile {
  path: string;
  // Its name before, when it was renamed.
  from?: string;
  added: number;
  removed: number;
  binary?: boolean;
}

// What the work of a run changed; `diff` is unified. When it is truncated, files at the end have no lines.
export interface RunDiff {
  run: number;
  branch?: string;
  files: ChangedFile[];
  diff: string;
  truncated: boolean;
}

export interface BoardEvent {
  seq: number;
  ts: string;
  actor: string;
  kind: string;
  board?: string;
  task?: number;
  run?: number;
  from?: string;
  to?: string;
  data?: Record<string, unknown>;
}

export interface AgentProfile {
  id: string;
  title?: string;
  found: boolean;
  version?: string;
}

// A server of a store that several servers share.
export interface ServerLine {
  name: string;
  url?: string;
  version: string;
  started: string;
  seen: string;
  alive: boolean;
  leads: boolean;
  own: boolean;
}

export interface Readiness {
  status: string;
  servers?: ServerLine[];
}

// How the bridge to Telegram does.
export interface ChatStatus {
  configured: boolean;
  bot?: string;
  last_contact?: string;
  wrong?: string[];
  waiting?: number;
}

// A link that signs another device in once, with the rows of its QR code.
export interface PhoneLink {
  url: string;
  expires_at: string;
  qr: string[];
}

export interface Dispatch {
  paused: boolean;
  // Who froze all agents of the board, while they are.
  stopped?: StoppedLine | null;
}

export interface StoppedLine {
  by?: string;
  since?: string;
}

export interface Snapshot {
  v: number;
  epoch: string;
  seq: number;
  server_time: string;
  build: string;
  board: Board;
  workers: Worker[];
  dispatch: Dispatch;
  tasks: Card[];
  more?: Record<string, { cursor: string; total: number }>;
}

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
  // Asked for by the page, not part of the stream.
  | { op: 'spent'; id: number; spent: TaskSpending | null }
  | { op: 'worker'; id: string; set?: Partial<Worker>; gone?: boolean }
  | { op: 'board'; rev?: number; set: BoardChange }
  | { op: 'dispatch'; set: Dispatch };

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
