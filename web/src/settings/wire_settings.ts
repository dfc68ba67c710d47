import type { Budget } from '../model/spending.ts';
import type { Board, ClassOfService, Column, Worker } from '../model/wire.ts';

// Shapes that only the settings read, as they travel. Durations are texts such as "1h 30m".

export interface ColumnSettings extends Column {
  holds_back?: string;
  goes_to?: string;
  renamed?: boolean;
}

export interface ClassSettings extends ClassOfService {
  share?: number;
}

export type { Allowance, Budget } from '../model/spending.ts';

export interface TaskTemplate {
  title: string;
  body?: string;
  role?: string;
  assignee?: string;
  priority?: string;
  class?: string;
  tags?: string[];
  status?: string;
  review?: string;
  next_tasks?: TaskTemplate[];
}

export interface ChainRule {
  role?: string;
  next: TaskTemplate;
}

export type Commands = Record<string, string[]>;

export interface SetupCache {
  key: string[];
  keep: string[];
}

export interface BoardSettings extends Omit<Board, 'columns' | 'classes'> {
  description?: string;
  prefix?: string;
  approval: string;
  review_by: string;
  max_concurrent?: number;
  auto_dispatch: boolean;
  require_brief?: boolean;
  repo?: string;
  worktree?: boolean;
  land: string;
  require_evidence?: boolean;
  columns: ColumnSettings[];
  classes: ClassSettings[];
  checks?: Commands;
  setup?: string[][];
  setup_cache?: SetupCache;
  setup_timeout: string;
  copy?: string[];
  ports?: number;
  teardown?: string[][];
  preview?: string[];
  land_limits?: Record<string, number>;
  chains?: ChainRule[];
  claim_timeout: string;
  stale_after: string;
  silent_after: string;
  check_timeout: string;
  budget?: Budget;
  archived?: boolean;
}

export interface WorkerSettings extends Worker {
  model?: string;
  prompt?: string;
  prompt_file?: string;
  memory?: string[];
  tools?: string[];
  conversation: string;
  capacity: number;
  takes_unassigned: boolean;
  boards: string[];
  permissions: string;
  budget?: Budget;
  rev: number;
}

export interface Automation {
  id: number;
  name: string;
  board: string;
  kind: string;
  cron?: string;
  tz?: string;
  after?: string;
  template: TaskTemplate;
  enabled: boolean;
  fired: number;
  last_fired?: string;
  last_skipped?: string;
  last_task?: number;
  next_due?: string;
  task?: number;
  rev: number;
}

export interface Token {
  id: number;
  kind: string;
  name?: string;
  label?: string;
  created: string;
  expires?: string;
  revoked?: string;
}

export interface Account {
  name: string;
  limited_until?: string;
  reason?: string;
  slots?: number;
}

export interface AgentTest {
  id: string;
  title?: string;
  ready: boolean;
  program?: string;
  version?: string;
  signed_in?: boolean;
  sign?: string;
  problems: string[];
  notes: string[];
}

export interface Repositories {
  path: string;
  parent?: string;
  repository: boolean;
  default_branch?: string;
  problem?: string;
  items: { name: string; path: string; repository: boolean }[];
  more: boolean;
}

export interface WorkTree {
  board: string;
  task: number;
  title?: string;
  directory: string;
  state: string;
  bytes: number;
  dirty?: boolean;
  unlanded: number;
  reason?: string;
}

export interface WorkList {
  trees: WorkTree[];
  bytes: number;
  limit?: number;
}

export interface WorkCleaned {
  removed: WorkTree[];
  kept: WorkTree[];
  freed: number;
}

export interface Retention {
  feed: string;
  feed_events: number;
  history: string;
  run_files: string;
}
