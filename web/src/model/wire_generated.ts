// Generated from docs/reference/openapi.json by scripts/wire_types.mjs. Do not edit.

export interface Allowance {
  /** Tokens, input and output; 0 means no limit */
  tokens?: number;
  /** US dollars as agents report them; 0 means no limit */
  usd?: number;
  /** Running time; 0s means no limit */
  time?: string;
}

export interface Budget {
  /** Most one run may spend */
  run?: Allowance;
  /** Most all runs of a task may spend */
  task?: Allowance;
  /** Most all runs of a day may spend */
  day?: Allowance;
  /** Time zone in which the day begins, such as Europe/Berlin; UTC when left out */
  tz?: string;
}

export interface ResourceLimits {
  /** Most memory of all its processes, such as 4GiB */
  memory?: string;
  /** Most processes at once; 0 means no limit */
  processes?: number;
  /** Its weight when processors are scarce, 1 to 10000; the server has 100, a run without a weight 50 */
  cpu_weight?: number;
  /** Most disk of its work tree and run directory, such as 20GiB */
  disk?: string;
}

export interface QuietHours {
  /** Time of the day at which they begin, such as 22:00 */
  from: string;
  /** Time of the day at which they end, such as 07:00 */
  to: string;
  /** Time zone, such as Europe/Berlin; UTC when left out */
  tz?: string;
}

export interface Spending {
  /** Tokens, input and output */
  tokens: number;
  /** US dollars as agents reported them; without what has no price */
  usd: number;
  /** Running time of runs that have ended */
  time: string;
  /** Of the tokens: those of agents that report no money */
  unpriced?: number;
  /** Runs that used something or have ended */
  runs?: number;
  /** Of these, those without a price */
  unpriced_runs?: number;
}

export interface DaySpending {
  /** Board that spent it */
  board?: string;
  /** Worker that spent it */
  worker?: string;
  /** The day, by the clocks of the budget's time zone */
  day: string;
  /** What may be spent; empty for no limit */
  limit: Allowance;
  /** What was spent */
  spent: Spending;
  /** The limit that is reached: nothing is started until the day is over */
  reached?: string;
}

export interface TaskSpending {
  /** Tokens, input and output */
  tokens: number;
  /** US dollars of the runs that told a price; null where none did */
  cost_usd: number | null;
  /** Running time of runs that have ended */
  time: string;
  /** Runs that used something or have ended */
  runs: number;
  /** Of these, those without a price */
  unpriced: number;
  /** What counts against the budget of the task, where a run has spent that budget before */
  of_budget?: Allowance;
  /** Most memory of a run, all its processes together, in bytes */
  peak_memory?: number;
  /** Processor time of runs that have ended */
  cpu_time?: string;
}

export interface WorkerUsage {
  /** Worker or person */
  name: string;
  /** Tasks it finished */
  completed: number;
  /** What reviewers said of its results */
  verdicts: { accepted: number; rejected: number; acceptance_rate?: number; };
  /** Attempts that ended */
  runs: number;
  /** Of these, those that did not succeed */
  failed_runs: number;
  /** Hours of its runs on this board */
  busy_hours: number;
  /** These hours by those it could have worked, 0 to 1; registered workers only */
  utilisation?: number;
  /** Tokens, and the money of the runs that told a price */
  usage: { input: number; output: number; cache_read: number; cache_write: number; reasoning: number; cost_usd: number | null; };
  /** Runs that told no price */
  unpriced?: number;
  /** Checks of its runs that failed and passed when they were run again */
  flaky_checks?: number;
}

export interface TaskTemplate {
  /** Title; {{parent.title}} and the like are filled in */
  title: string;
  /** Brief; {{parent.result}} and the like are filled in */
  body?: string;
  /** Role that may take it */
  role?: string;
  /** Worker or person who shall do it */
  assignee?: string;
  /** Priority; the board's default when empty */
  priority?: string;
  /** Class of service; the board's default when empty */
  class?: string;
  /** Tags */
  tags?: string[];
  /** Column; the ready column when empty */
  status?: string;
  /** required, none or inherit */
  review?: string;
  /** What follows after it */
  next_tasks?: TaskTemplate[];
}

export interface ChainRule {
  /** Role of the task that was done; every task when empty */
  role?: string;
  /** The task that follows */
  next: TaskTemplate;
}

export interface SetupCache {
  /** Files whose content decides, such as package-lock.json */
  key: string[];
  /** Directories that the set-up makes, such as node_modules */
  keep: string[];
}

export interface ClassOfService {
  /** Name of the class */
  name: string;
  /** Most unfinished tasks of this class on the board; 0 means no limit */
  wip_limit?: number;
  /** Whether its tasks may enter full columns */
  bypass_column_wip?: boolean;
  /** Target share of throughput in per cent */
  share?: number;
  /** Hours of the day in which no agent starts its tasks */
  quiet?: QuietHours;
}

export interface Column {
  /** Name of the column: the status of its tasks */
  name: string;
  /** What people read; the name when empty */
  title?: string;
  /** What the column means to the engine */
  stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived';
  /** Most tasks in the column; 0 means no limit */
  wip_limit?: number;
  /** Whether a task needs a claim to enter */
  require_claim: boolean;
  /** Column from which nothing is picked while this one is full */
  holds_back?: string;
  /** Tasks in the column now; only in answers */
  count?: number;
  /** Whether a terminal tells the age of its cards */
  show_duration?: boolean;
  /** Column its tasks are being moved to, after which it goes; only in answers */
  goes_to?: string;
  /** Whether that column is this one under its new name; only in answers */
  renamed?: boolean;
}

export interface Board {
  /** Number of the board */
  id: number;
  /** Short name used in commands and addresses */
  name: string;
  /** What people read */
  title?: string;
  /** What it is for */
  description?: string;
  /** Prefix of task keys */
  prefix?: string;
  /** The template the board was made from */
  template: string;
  /** open or strict */
  workflow: 'open' | 'strict';
  /** Who may put tasks in ready: manual (people) or trusted (also those listed) */
  approval: 'manual' | 'trusted';
  /** Workers and roles that may place their own new tasks in ready */
  trusted?: string[];
  /** Who gives the verdict: person, checks or role:NAME */
  review_by: string;
  /** Most runs at once on this board; 0 means as many as its workers can take */
  max_concurrent?: number;
  /** Whether idle workers pick from this board by themselves */
  auto_dispatch: boolean;
  /** Whether an approved task waits until it has a body */
  require_brief?: boolean;
  /** Repository the agents work in (administrator only) */
  repo?: string;
  /** Whether every task gets a git worktree of its own (administrator only) */
  worktree?: boolean;
  /** Branch at which work begins and on which it lands; the repository's default when empty (administrator only) */
  branch?: string;
  /** Beginning of the branches of tasks, as in andon/42-fix-the-cart (administrator only) */
  branch_prefix?: string;
  /** Folder of the repository in which agents work; all of it when empty (administrator only) */
  folder?: string;
  /** Filters of git that Andon may run, such as lfs (administrator only) */
  filters?: string[];
  /** Who joins accepted work of work trees to the default branch: auto (the server) or off (administrator only) */
  land: 'auto' | 'off';
  /** Whether work without evidence waits for a person; true where the board has a repository */
  require_evidence?: boolean;
  /** The columns in order */
  columns: Column[];
  /** Priorities, lowest first */
  priorities: string[];
  /** Classes of service in the order they are picked */
  classes: ClassOfService[];
  /** Column of new tasks */
  default_status?: string;
  /** Priority of new tasks */
  default_priority?: string;
  /** Class of new tasks */
  default_class?: string;
  /** Named verification commands (administrator only) */
  checks?: Record<string, string[]>;
  /** Named commands whose output automations may quote as {{source.NAME}} (administrator only) */
  sources?: Record<string, string[]>;
  /** What follows when a task of a role is done */
  chains?: ChainRule[];
  /** How long a self-reported claim lives without a renewal; 0s means for ever */
  claim_timeout: string;
  /** After this time without progress a run is stopped and its task requeued */
  stale_after: string;
  /** After this time without progress a worker's light turns red */
  silent_after: string;
  /** How long one check may take */
  check_timeout: string;
  /** Commands that make a new work tree ready (administrator only) */
  setup?: string[][];
  /** What of the set-up is kept for the next work tree (administrator only) */
  setup_cache?: SetupCache;
  /** How long one command of the set-up may take */
  setup_timeout: string;
  /** Ignored files, such as .env, that every work tree gets and that never land (administrator only) */
  copy?: string[];
  /** Variables of set-up, agents, checks and previews: NAME=VALUE, or NAME to pass on the server's (administrator only) */
  env?: string[];
  /** How many ports each work tree has for itself (administrator only) */
  ports?: number;
  /** Commands that run before a work tree is removed (administrator only) */
  teardown?: string[][];
  /** Command that serves work in review (administrator only) */
  preview?: string[];
  /** What a change may do before a person is asked whether it lands (administrator only) */
  land_limits?: { deleted_files: number; deleted_percent: number; emptied_files: number; moved_files: number; reverted_files: number; outside_touches: number; test_lines: number; lost_tests: number; lost_assertions: number; weak_tests: number; generated_files: number; lock_files: number; secret_files: number; secret_commits: number; hidden_text: number; odd_files: number; lines: number; bytes: number; binary_files: number; submodules: number; check_files: number; check_paths?: string[]; };
  /** Command that prints the name of each test on a line (administrator only) */
  test_list?: string[];
  /** JUnit files that the checks write, as build/junit/*.xml (administrator only) */
  test_reports?: string[];
  /** What agents may spend on this board: per run, task and day */
  budget?: Budget;
  /** Most memory, processes and disk of each run on this board */
  limits?: ResourceLimits;
  /** How a terminal shows it */
  tui?: { title_lines: number; age_thresholds: ({ after: string; color: string; })[]; hide_empty_columns?: boolean; narrow_threshold?: number; };
  /** Directory of Markdown files this board is attached to */
  directory?: string;
  /** Why the directory cannot be used at the moment; nothing is written meanwhile */
  trouble?: string;
  /** Tasks to which the last change of the board has still to be applied */
  settling?: number;
  /** Whether it is being taken off this server; its tasks go first */
  removing?: boolean;
  /** Whether the board is put away */
  archived?: boolean;
  /** When the board was made */
  created: string;
  /** Rises with every change of the board */
  rev: number;
}

export interface ChangedBoard {
  /** Number of the board */
  id: number;
  /** Short name used in commands and addresses */
  name: string;
  /** What people read */
  title?: string;
  /** What it is for */
  description?: string;
  /** Prefix of task keys */
  prefix?: string;
  /** The template the board was made from */
  template: string;
  /** open or strict */
  workflow: 'open' | 'strict';
  /** Who may put tasks in ready: manual (people) or trusted (also those listed) */
  approval: 'manual' | 'trusted';
  /** Workers and roles that may place their own new tasks in ready */
  trusted?: string[];
  /** Who gives the verdict: person, checks or role:NAME */
  review_by: string;
  /** Most runs at once on this board; 0 means as many as its workers can take */
  max_concurrent?: number;
  /** Whether idle workers pick from this board by themselves */
  auto_dispatch: boolean;
  /** Whether an approved task waits until it has a body */
  require_brief?: boolean;
  /** Repository the agents work in (administrator only) */
  repo?: string;
  /** Whether every task gets a git worktree of its own (administrator only) */
  worktree?: boolean;
  /** Branch at which work begins and on which it lands; the repository's default when empty (administrator only) */
  branch?: string;
  /** Beginning of the branches of tasks, as in andon/42-fix-the-cart (administrator only) */
  branch_prefix?: string;
  /** Folder of the repository in which agents work; all of it when empty (administrator only) */
  folder?: string;
  /** Filters of git that Andon may run, such as lfs (administrator only) */
  filters?: string[];
  /** Who joins accepted work of work trees to the default branch: auto (the server) or off (administrator only) */
  land: 'auto' | 'off';
  /** Whether work without evidence waits for a person; true where the board has a repository */
  require_evidence?: boolean;
  /** The columns in order */
  columns: Column[];
  /** Priorities, lowest first */
  priorities: string[];
  /** Classes of service in the order they are picked */
  classes: ClassOfService[];
  /** Column of new tasks */
  default_status?: string;
  /** Priority of new tasks */
  default_priority?: string;
  /** Class of new tasks */
  default_class?: string;
  /** Named verification commands (administrator only) */
  checks?: Record<string, string[]>;
  /** Named commands whose output automations may quote as {{source.NAME}} (administrator only) */
  sources?: Record<string, string[]>;
  /** What follows when a task of a role is done */
  chains?: ChainRule[];
  /** How long a self-reported claim lives without a renewal; 0s means for ever */
  claim_timeout: string;
  /** After this time without progress a run is stopped and its task requeued */
  stale_after: string;
  /** After this time without progress a worker's light turns red */
  silent_after: string;
  /** How long one check may take */
  check_timeout: string;
  /** Commands that make a new work tree ready (administrator only) */
  setup?: string[][];
  /** What of the set-up is kept for the next work tree (administrator only) */
  setup_cache?: SetupCache;
  /** How long one command of the set-up may take */
  setup_timeout: string;
  /** Ignored files, such as .env, that every work tree gets and that never land (administrator only) */
  copy?: string[];
  /** Variables of set-up, agents, checks and previews: NAME=VALUE, or NAME to pass on the server's (administrator only) */
  env?: string[];
  /** How many ports each work tree has for itself (administrator only) */
  ports?: number;
  /** Commands that run before a work tree is removed (administrator only) */
  teardown?: string[][];
  /** Command that serves work in review (administrator only) */
  preview?: string[];
  /** What a change may do before a person is asked whether it lands (administrator only) */
  land_limits?: { deleted_files: number; deleted_percent: number; emptied_files: number; moved_files: number; reverted_files: number; outside_touches: number; test_lines: number; lost_tests: number; lost_assertions: number; weak_tests: number; generated_files: number; lock_files: number; secret_files: number; secret_commits: number; hidden_text: number; odd_files: number; lines: number; bytes: number; binary_files: number; submodules: number; check_files: number; check_paths?: string[]; };
  /** Command that prints the name of each test on a line (administrator only) */
  test_list?: string[];
  /** JUnit files that the checks write, as build/junit/*.xml (administrator only) */
  test_reports?: string[];
  /** What agents may spend on this board: per run, task and day */
  budget?: Budget;
  /** Most memory, processes and disk of each run on this board */
  limits?: ResourceLimits;
  /** How a terminal shows it */
  tui?: { title_lines: number; age_thresholds: ({ after: string; color: string; })[]; hide_empty_columns?: boolean; narrow_threshold?: number; };
  /** Directory of Markdown files this board is attached to */
  directory?: string;
  /** Why the directory cannot be used at the moment; nothing is written meanwhile */
  trouble?: string;
  /** Tasks to which the last change of the board has still to be applied */
  settling?: number;
  /** Whether it is being taken off this server; its tasks go first */
  removing?: boolean;
  /** Whether the board is put away */
  archived?: boolean;
  /** When the board was made */
  created: string;
  /** Rises with every change of the board */
  rev: number;
  /** What a person should know of the repository that it got */
  warnings?: string[];
}

export interface Worker {
  /** Name of the worker */
  name: string;
  /** Tasks for this role are its own */
  role?: string;
  /** What people read */
  title?: string;
  /** Agent profile that runs it */
  agent: string;
  /** Agent profiles in the order of preference: while the account of one rests, the next is used */
  agents?: string[];
  /** Model the agent is told to use */
  model?: string;
  /** One of the twelve hues of the page */
  colour?: string;
  /** Role document */
  prompt?: string;
  /** File of the data directory with the role document */
  prompt_file?: string;
  /** Topic files given to it with every task */
  memory?: string[];
  /** Tools the agent may use */
  tools?: string[];
  /** Whether it starts fresh or goes on with the task's or its own conversation */
  conversation: 'fresh' | 'task' | 'worker';
  /** Most tasks at once */
  capacity: number;
  /** Whether it takes tasks without an assignee and a role */
  takes_unassigned: boolean;
  /** Boards it works on; * means all */
  boards: string[];
  /** readonly, edit, full or ask */
  permissions: 'readonly' | 'edit' | 'full' | 'ask';
  /** What it may spend: per run, task and day */
  budget?: Budget;
  /** Most memory, processes and disk of each of its runs */
  limits?: ResourceLimits;
  /** Hours of the day in which it starts nothing */
  quiet?: QuietHours;
  /** required when a person must accept a plan before each of its tasks */
  plan?: 'none' | 'required';
  /** Whether it picks nothing */
  paused: boolean;
  /** Why it was paused */
  paused_because?: string;
  /** When it was last let pick again */
  resumed?: string;
  /** Rises with every change */
  rev: number;
  /** When it was added */
  created: string;
  /** Its light */
  state: 'idle' | 'working' | 'silent' | 'stale' | 'paused' | 'limited' | 'offline';
  /** Task it works on */
  task?: number;
  /** Since when */
  since?: string;
  /** Ready tasks waiting for it */
  queued: number;
  /** When the first usage limit of its accounts ends */
  limited_until?: string;
  /** Whether it waits until then for the service of its model, which is at capacity */
  overloaded?: boolean;
  /** Agent profile of its next run, while the first one rests */
  uses?: string;
  /** Remarks on a change of it, for a person */
  warnings?: string[];
}

export interface Account {
  /** Agent profile that uses it */
  name: string;
  /** Until when nothing is started */
  limited_until?: string;
  /** Whether nothing is started until somebody resumes it */
  paused?: boolean;
  /** What limited or paused it */
  reason?: string;
  /** Whether the service of its model is at capacity, and no usage limit was met */
  overloaded?: boolean;
  /** Most runs at once while it recovers */
  slots?: number;
  /** Runs at once at which that bound is dropped */
  regain?: number;
  /** Limits in a row that named no end */
  strikes?: number;
  /** Open windows of use that its provider named */
  windows?: ({ name: string; ends?: string; used?: number; reached?: boolean; })[];
}

export interface SuspectedCopy {
  /** The later task */
  task: number;
  /** The task that stood already */
  other: number;
  /** Part of their words that both have, from 0 to 100 */
  percent: number;
  /** When it was noticed */
  noticed: string;
  /** Title of the later task */
  title: string;
  /** Column it is in */
  status: string;
  /** Title of the other task */
  other_title: string;
  /** Column the other task is in */
  other_status: string;
}

export interface Automation {
  /** Number of the automation */
  id: number;
  /** Its name, of which there is one in the store */
  name: string;
  /** Board it makes tasks on */
  board: string;
  /** What makes it fire: cron or queue_dry */
  kind: 'cron' | 'queue_dry';
  /** Schedule of five fields, or @daily and the like */
  cron?: string;
  /** Time zone of the schedule, such as Europe/Berlin */
  tz: string;
  /** How long nothing was ready or in work before it fires */
  after: string;
  /** The task it makes */
  template: TaskTemplate;
  /** Whether it fires by itself */
  enabled: boolean;
  /** How many tasks it has made */
  fired: number;
  /** When it last made a task */
  last_fired?: string;
  /** When it last was due while its task was still open */
  last_skipped?: string;
  /** The last task it made */
  last_task?: number;
  /** When it fires next if nothing changes */
  next_due?: string;
  /** Its task that is still open; it makes no other until that is finished */
  task?: number;
  /** When it was added */
  created: string;
  /** Who added it */
  created_by?: string;
  /** Rises with every change */
  rev: number;
}

export interface Token {
  /** Number of the token */
  id: number;
  /** admin, person, session, run or runner */
  kind: 'admin' | 'person' | 'session' | 'run' | 'code' | 'runner';
  /** Whom it stands for */
  name?: string;
  /** What it is for */
  label?: string;
  /** When it was made */
  created: string;
  /** When it ends */
  expires?: string;
  /** When it was revoked */
  revoked?: string;
}

export interface Attachment {
  /** Tells its place from those of other files */
  id: string;
  /** Name of the file */
  name: string;
  /** Bytes */
  size: number;
  /** Media type, found in the content */
  type: string;
  /** SHA-256 of the content, as hex digits */
  sha256: string;
  /** Who attached it */
  by?: string;
  /** When */
  at: string;
}

export interface Question {
  /** What is asked */
  text: string;
  /** Answers to choose from */
  choices?: string[];
  /** Who asks */
  asked_by: string;
  /** When it was asked */
  asked_at: string;
  /** Run that waits for the answer while it works; absent where the task is blocked */
  run?: number;
}

export interface Progress {
  /** Finished */
  done: number;
  /** All */
  total: number;
}

export interface Task {
  /** Number of the task */
  id: number;
  /** One line */
  title: string;
  /** Column it is in */
  status: string;
  /** One of the board's priorities */
  priority: string;
  /** When it was made */
  created: string;
  /** When it last changed */
  updated: string;
  /** When it first left the first column */
  started?: string;
  /** When it was finished */
  completed?: string;
  /** Worker or person who shall do it */
  assignee?: string;
  /** Tags */
  tags?: string[];
  /** Due date */
  due?: string;
  /** Estimate, free text */
  estimate?: string;
  /** Address or name of what it belongs to elsewhere, such as an issue or a design */
  link?: string;
  /** Task it is part of */
  parent?: number;
  /** Tasks that must be done first */
  depends_on?: number[];
  /** Whether it is blocked */
  blocked?: boolean;
  /** Why it is blocked */
  block_reason?: string;
  /** Who holds it */
  claimed_by?: string;
  /** Since when */
  claimed_at?: string;
  /** Class of service */
  class?: string;
  /** The brief, in Markdown */
  body?: string;
  /** Where its file is, on a board of files */
  file?: string;
  /** Number with the board's prefix */
  key?: string;
  /** Board it is on */
  board: string;
  /** What its column means */
  stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived';
  /** Any worker of this role may take it */
  role?: string;
  /** When the claim ends without a renewal */
  claim_expires?: string;
  /** Fencing number of the claim */
  epoch: number;
  /** Path globs the work will change */
  touches?: string[];
  /** Tasks that come into being when it is done */
  next_tasks?: TaskTemplate[];
  /** Verification commands of the board that must pass */
  checks?: string[];
  /** Whether it needs a verdict: required, none or inherit */
  review: 'inherit' | 'required' | 'none';
  /** required when a person must accept a plan before the work */
  plan?: 'none' | 'required';
  /** State of its plan: proposed, accepted or returned */
  plan_state?: 'none' | 'proposed' | 'accepted' | 'returned';
  /** Whether a person has approved it */
  approved?: boolean;
  /** The door it came through */
  source?: string;
  /** Who made it */
  created_by?: string;
  /** How many attempts have begun */
  attempt: number;
  /** After this many attempts it counts as failed */
  max_attempts: number;
  /** Not picked before this time */
  not_before?: string;
  /** Current or last run */
  run?: number;
  /** What the last run that ended well said */
  result?: string;
  /** What a reviewer must know at a glance */
  flag?: string;
  /** What it waits for an answer to */
  question?: Question;
  /** Files that belong to it */
  attachments?: Attachment[];
  /** Manual order among equals */
  rank: string;
  /** Rises with every change */
  rev: number;
  /** Whether it is done when its last sub-task is */
  autocomplete?: boolean;
  /** Progress of its sub-tasks */
  children?: Progress;
  /** Verbs the caller may use now; told to people over HTTP */
  can?: string[];
  /** Why not the others, by verb; told with `can` */
  cannot?: Record<string, string>;
  /** How it goes on after a report of its agent */
  notice?: string;
  /** What the change was allowed to do and yet looks wrong */
  warnings?: string[];
}

export interface Plan {
  /** Number of the task */
  task: number;
  /** The plan, in Markdown */
  text: string;
  /** none, proposed, accepted or returned */
  state: 'none' | 'proposed' | 'accepted' | 'returned';
  /** SHA-256 of the text in hex */
  sha256?: string;
  /** Who wrote it */
  by?: string;
  /** When it was written */
  at: string;
  /** Why it was sent back */
  comment?: string;
  /** Who accepted it or sent it back */
  judged_by?: string;
  /** The run that wrote it; absent where a person did */
  run?: number;
}

export interface DiffSize {
  /** Files that differ */
  files: number;
  /** Lines added */
  added: number;
  /** Lines removed */
  removed: number;
}

export interface Check {
  /** Name of the check */
  name: string;
  /** Whether it passed */
  passed: boolean;
  /** The end of its output */
  output?: string;
  /** How its process ended */
  exit?: { code?: number; signal?: number; };
  /** How long it took */
  seconds?: number;
  /** Whether it failed first and passed when it was run again */
  flaky?: boolean;
}

export interface LandFinding {
  /** The limit, as land_limits names it */
  limit: string;
  /** How much the change has */
  count: number;
  /** How much the board permits */
  most: number;
  /** The first files that count */
  files?: string[];
  /** The first lines that count, as PATH:LINE: TEXT */
  lines?: string[];
  /** Digest of what counts; an answer holds for this alone */
  content?: string;
}

export interface Landing {
  /** waiting, landed, returned, withdrawn or asked */
  state: 'waiting' | 'landed' | 'returned' | 'withdrawn' | 'asked';
  /** What it waits for, or why it went back */
  reason?: string;
  /** Commit the default branch is, or is about to be, moved to */
  commit?: string;
  /** Commit of the default branch it was joined to */
  onto?: string;
  /** When the state changed */
  at: string;
  /** The default branch it landed on */
  branch?: string;
  /** Files in conflict with the default branch */
  files?: string[];
  /** The limits of the board that it exceeds */
  findings?: LandFinding[];
  /** Who let it land in spite of them */
  allowed_by?: string;
  /** Whether it lands as one commit, without the history of the work */
  squash?: boolean;
}

export interface Revert {
  /** waiting, reverted or refused */
  state: 'waiting' | 'reverted' | 'refused';
  /** What becomes of the task: reopen or close */
  then: 'reopen' | 'close';
  /** Who asked */
  by: string;
  /** Why, as that person said */
  why?: string;
  /** What it waits for, or why it was refused */
  reason?: string;
  /** Commit the default branch is, or is about to be, moved to */
  commit?: string;
  /** Commit of the default branch before */
  onto?: string;
  /** When the state changed */
  at: string;
}

export interface Run {
  /** Number of the run */
  id: number;
  /** Its task */
  task: number;
  /** Board of the task */
  board: string;
  /** Who does it */
  worker: string;
  /** The runner that executes it */
  runner: string;
  /** The agent profile, and so the account, that it uses */
  agent?: string;
  /** Which attempt at the task it is */
  attempt: number;
  /** Fencing number of its claim */
  epoch: number;
  /** starting, running, stopping or ended */
  state: 'starting' | 'running' | 'stopping' | 'ended';
  /** How it ended */
  outcome?: 'succeeded' | 'failed' | 'killed' | 'lost' | 'timed_out' | 'handed_off' | 'blocked' | 'over_budget' | 'rate_limited' | 'incomplete';
  /** Why it ended so */
  reason?: string;
  /** When it began */
  started: string;
  /** When it ended */
  ended?: string;
  /** Last sign that the work advances */
  progress?: string;
  /** Process id of its supervisor */
  pid?: number;
  /** Boot id and start time of that process */
  process?: string;
  /** How the agent's process ended */
  exit?: { code?: number; signal?: number; };
  /** The agent's own session id */
  session?: string;
  /** What the agent said at the end */
  result?: string;
  /** Branch it worked on */
  branch?: string;
  /** Commits it made */
  commits?: string[];
  /** How many files it changed */
  files_changed: number;
  /** Tokens and money */
  usage?: { input: number; output: number; cache_read: number; cache_write: number; reasoning: number; cost_usd: number | null; };
  /** What the agent reported on the board */
  said?: 'done' | 'handoff' | 'block' | 'fail';
  /** How many tasks it created */
  created_tasks?: number;
  /** What was asked for while it ran */
  stop?: { verb: 'approve' | 'claim' | 'release' | 'start' | 'submit' | 'complete' | 'fail' | 'handoff' | 'block' | 'unblock' | 'answer' | 'accept' | 'reject' | 'retry' | 'kill' | 'archive' | 'move' | 'note' | 'delete' | 'budget' | 'recover' | 'accept-plan' | 'return-plan' | 'shelve' | 'reject-resume' | 'fail-retry' | 'reopen' | 'restore'; status?: string; reason?: string; by: string; at: string; claim_for?: string; };
  /** What the verification commands gave */
  checks?: Check[];
  /** Commit its work is compared with */
  base?: string;
  /** Commit its work came to */
  head?: string;
  /** How it comes into the default branch */
  landing?: Landing;
  /** Why the work needed no change */
  no_change?: string;
  /** Answers the agent offered to its question */
  choices?: string[];
  /** Size of the change from base to head */
  diff_size?: DiffSize;
  /** How its landed work is taken back */
  revert?: Revert;
  /** Most memory of all its processes together, in bytes */
  peak_memory?: number;
  /** Processor time of all its processes together */
  cpu_time?: string;
  /** Whether it only writes the plan of its task */
  plans?: boolean;
  /** The first paths that are left out of the work that lands, and why */
  left_out?: ({ path: string; reason: string; })[];
  /** How many paths are left out of it */
  left_out_count?: number;
  /** What a person should know of the work, such as hooks that were not run */
  remarks?: string[];
  /** Ends of its task in a row, up to this one, that left work of its program open */
  unfinished?: number;
  /** Whether its end was told after it had been given up as lost */
  told_late?: boolean;
}

export interface ChangedFile {
  /** The file */
  path: string;
  /** Lines added */
  added: number;
  /** Lines removed */
  removed: number;
  /** Whether it has no lines */
  binary?: boolean;
  /** Its name before, when it was renamed */
  from?: string;
}

export interface RunDiff {
  /** Number of the run */
  run: number;
  /** Its task */
  task: number;
  /** Branch it worked on */
  branch?: string;
  /** Commit it is compared with */
  base: string;
  /** Commit the work came to */
  head: string;
  /** The commits between, oldest first */
  commits: string[];
  /** What changed, by file */
  files: ChangedFile[];
  /** The change as a unified diff */
  diff: string;
  /** Whether there is more than is shown */
  truncated: boolean;
  /** The first paths that are left out of the work that lands, and why */
  left_out?: ({ path: string; reason: string; })[];
  /** How many paths are left out of it */
  left_out_count?: number;
  /** What a person should know of the work */
  remarks?: string[];
  /** The limits of the board that it exceeds, while a person is asked */
  findings?: LandFinding[];
}

export interface CardWork {
  /** Size of its change */
  diff?: DiffSize;
  /** How many checks ran */
  checks?: number;
  /** How many of them passed */
  checks_passed?: number;
  /** What the run cost in US dollars */
  cost_usd?: number;
}

export interface CardRun {
  /** Number of the run */
  id: number;
  /** Which attempt it is */
  attempt: number;
  /** When it began */
  started: string;
  /** starting, running or stopping */
  state: 'starting' | 'running' | 'stopping' | 'ended';
  /** Who does it */
  worker: string;
}

export interface Card {
  id: number;
  key?: string;
  rev: number;
  title: string;
  status: string;
  stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived';
  priority: string;
  class: string;
  rank: string;
  assignee?: string;
  role?: string;
  tags?: string[];
  due?: string;
  /** Estimate, free text */
  estimate?: string;
  /** Address or name of what it belongs to elsewhere, such as an issue or a design */
  link?: string;
  parent?: number;
  blocked?: boolean;
  block_reason?: string;
  question?: Question;
  claimed_by?: string;
  claim_expires?: string;
  epoch: number;
  attempt: number;
  max_attempts: number;
  not_before?: string;
  failure?: string;
  approved?: boolean;
  flag?: string;
  /** What no rule accepts by itself: plan, plan_changed_files, no_evidence, no_change, shared_directory or no_verdict */
  remark?: 'none' | 'plan' | 'plan_changed_files' | 'no_evidence' | 'no_change' | 'shared_directory' | 'no_verdict';
  open_deps: number;
  deps: number;
  children?: Progress;
  notes: number;
  /** How many files belong to it */
  attachments?: number;
  run?: CardRun;
  work?: CardWork;
  /** What its runs spent together */
  spent?: TaskSpending;
  returned?: boolean;
  /** proposed, when a plan waits for a verdict */
  plan_state?: 'none' | 'proposed' | 'accepted' | 'returned';
  landing_asked?: boolean;
  /** Whether a worker is to judge its work, so that no person is needed */
  has_reviewer?: boolean;
  line?: string;
  entered: string;
  created: string;
  updated: string;
  excerpt?: string;
}

export interface Dispatch {
  /** Whether idle workers pick nothing */
  paused: boolean;
  /** Who froze all agents of the board, while they are */
  stopped?: { by?: string; since?: string; };
}

export interface Snapshot {
  /** Version of this shape */
  v: number;
  /** Incarnation of the data */
  epoch: string;
  /** The last event it contains */
  seq: number;
  /** The server's time */
  server_time: string;
  /** Build of the server */
  build: string;
  /** The board */
  board: Board;
  /** The workers with their lights */
  workers: Worker[];
  /** Whether dispatch is paused */
  dispatch: Dispatch;
  /** The cards */
  tasks: Card[];
  /** Columns that have more tasks */
  more: Record<string, { cursor: string; total: number; }>;
}

export interface HistoryEvent {
  /** Place in the history, without gaps */
  seq: number;
  /** When */
  ts: string;
  /** Who */
  actor: string;
  /** What */
  kind: 'task.created' | 'task.edited' | 'task.moved' | 'task.claimed' | 'task.renewed' | 'task.released' | 'task.started' | 'task.blocked' | 'task.unblocked' | 'task.noted' | 'task.approved' | 'task.submitted' | 'task.accepted' | 'task.rejected' | 'task.completed' | 'task.failed' | 'task.retried' | 'task.killed' | 'task.archived' | 'task.deleted' | 'run.started' | 'run.adopted' | 'run.ended' | 'worker.changed' | 'board.changed' | 'dispatch.changed' | 'automation.fired' | 'limit.reached' | 'limit.lifted' | 'task.answered' | 'task.asked';
  /** Board */
  board?: string;
  /** Task */
  task?: number;
  /** Run */
  run?: number;
  /** Status before */
  from?: string;
  /** Status after */
  to?: string;
  /** More, depending on the kind */
  data?: unknown;
}

export interface DispatchBlocker {
  /** orphan, landing, stage, blocked, question, claimed, dependency, not_before, approval, frozen, wip, class_wip, touches, paused, slots, budget, runner, worker, account, fault, quiet, machine or turn */
  code: string;
  /** The same in words */
  text: string;
  /** What would help: approve, answer, verdict, retry, assign, resume_worker, resume_dispatch, resume_account, retry_fault, thaw, raise_limit, raise_slots, start_server or land */
  remedy?: string;
  /** The worker, account or board that the remedy is for */
  about?: string;
  /** The task that must end first */
  task?: number;
  /** How many tasks the worker takes before it */
  ahead?: number;
}

export interface DispatchBlockers {
  /** The task */
  id: number;
  /** Its key on a board with a prefix */
  key?: string;
  /** What is to be done */
  title: string;
  /** Column it is in */
  status: string;
  /** What the column means */
  stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived';
  /** Whether an agent works on it */
  running: boolean;
  /** Who makes its next step: run, queue, timer, task, admission, holder, person, or nobody, which is a defect of Andon */
  next?: 'nobody' | 'run' | 'queue' | 'timer' | 'task' | 'admission' | 'holder' | 'person';
  /** Who works on it, or takes it next */
  worker?: string;
  /** Everything that keeps it from running */
  hindrances: DispatchBlocker[];
}

export interface AgentProfile {
  /** Name of the profile */
  id: string;
  /** What people read */
  title?: string;
  /** Whether its program is on this machine */
  found: boolean;
  /** Version of the program */
  version?: string;
}

export interface AgentTest {
  /** Name of the agent profile */
  id: string;
  /** What people read */
  title?: string;
  /** Whether a worker with it could start here */
  ready: boolean;
  /** The program that was found */
  program?: string;
  /** Version of the program */
  version?: string;
  /** Whether somebody has signed in to it; absent when that cannot be known */
  signed_in?: boolean;
  /** What shows that somebody has signed in */
  sign?: string;
  /** What prevents a start, one sentence each */
  problems: string[];
  /** Remarks that prevent no start */
  notes: string[];
}

export interface ServerLine {
  /** Its name among the servers of the store */
  name: string;
  /** Address that it listens on */
  url?: string;
  /** Version of its program */
  version: string;
  /** When it started */
  started: string;
  /** Its last heartbeat */
  seen: string;
  /** Whether the heartbeat is younger than ten seconds */
  alive: boolean;
  /** Whether it runs automations, sweeps and landing */
  leads: boolean;
  /** Whether it is the server that answers */
  own: boolean;
}

export interface Readiness {
  /** `ok`, or `unavailable` while the store does not answer */
  status: string;
  /** `own` for a store of this server alone, `shared` for one of many servers */
  store: string;
  /** Name of this server */
  server: string;
  /** Why the store does not answer */
  reason?: string;
  /** The servers of a shared store that were heard of today */
  servers?: ServerLine[];
}

export interface Runner {
  /** Its name */
  name: string;
  /** active, paused, draining or revoked */
  state: 'active' | 'paused' | 'draining' | 'revoked';
  /** Rises with every start of its program */
  incarnation?: number;
  /** Name of its host */
  host?: string;
  /** Tells its data directory on this boot of the host from every other one */
  place?: string;
  /** Of its program */
  version?: string;
  /** Most runs at once */
  slots?: number;
  /** Whose work it takes; everybody's when left out */
  workers?: string[];
  /** Roles of workers whose work it takes; all when left out */
  roles?: string[];
  /** Agent profiles on its host */
  agents?: ({ id: string; version?: string; problem?: string; })[];
  /** Repositories that it cannot work in */
  unusable?: ({ board: string; problem: string; })[];
  /** What its kernel can do: landlock, cgroup, pressure */
  features?: string[];
  /** Processors of its host */
  processors?: number;
  /** Memory of its host, in bytes */
  memory?: number;
  /** When its program started last */
  registered?: string;
  /** What it reported last */
  status: { seen?: string; load?: number; memory_free?: number; server?: string; };
  /** Whether it was heard of in the last 30 seconds */
  alive: boolean;
  /** Whether it is part of a server */
  own?: boolean;
  /** Runs that have not ended */
  running: number;
}

export interface ChatStatus {
  /** Whether there are settings for it */
  configured: boolean;
  /** User name of the bot */
  bot?: string;
  /** When the messenger last answered */
  last_contact?: string;
  /** What is wrong, as sentences; absent when all is well */
  wrong?: string[];
  /** Messages that wait to be sent */
  waiting?: number;
  /** Chats and topics that it serves */
  chats?: number;
}

export interface PhoneLink {
  /** The link to open on the other device; it works once */
  url: string;
  /** Until when the link works */
  expires_at: string;
  /** Rows of the link's QR code, 1 for a dark module; without the light margin of four */
  qr: string[];
}

export interface Preview {
  /** running or ended */
  state: 'running' | 'ended';
  /** The port it should listen on */
  port: number;
  /** Where it is seen on the machine with the work tree */
  url: string;
  /** When it began */
  started: string;
  /** The end of its output, when it has ended */
  output?: string;
}

export interface OpenedWork {
  /** Number of the task */
  task: number;
  /** Its board */
  board: string;
  /** Its title */
  title: string;
  /** The branch that is checked out */
  branch?: string;
  /** The work tree */
  directory: string;
  /** Its variables: task, board and ports */
  environment: Record<string, string>;
  /** What a person who works there must know */
  remark?: string;
  /** Whether the board has a preview */
  can_preview: boolean;
  /** The server that shows the work */
  preview?: Preview;
}

export interface Repositories {
  /** The directory */
  path: string;
  /** The directory above it; absent where there is none to look at */
  parent?: string;
  /** Whether a board can have it as its repository */
  repository: boolean;
  /** Branch that accepted work is joined to */
  default_branch?: string;
  /** Why a board cannot have this repository */
  problem?: string;
  /** The directories in it, without hidden ones and links */
  items: ({ name: string; path: string; repository: boolean; })[];
  /** Whether there are more directories than these */
  more: boolean;
}

export interface ExaminedRepository {
  /** The repository: its top directory, or the clone URL */
  repo: string;
  /** The folder of it in which agents work */
  folder?: string;
  /** Branch at which work begins and on which it lands */
  branch?: string;
  /** What Andon does with each trait */
  findings: ({ kind: 'fact' | 'note' | 'refused'; what: string; effect: string; remedy?: string; field: string; })[];
}

export interface WorkTree {
  /** Its board */
  board: string;
  /** Its task */
  task: number;
  /** Title of the task */
  title?: string;
  /** The branch it is on */
  branch?: string;
  /** Where it lies */
  directory: string;
  /** running, kept, landed or orphan */
  state: 'running' | 'kept' | 'landed' | 'orphan';
  /** What it takes on the disk */
  bytes: number;
  /** Whether it holds changes that no commit has */
  dirty?: boolean;
  /** Commits that the default branch does not have */
  unlanded: number;
  /** Why it was not removed */
  reason?: string;
}

export interface WorkList {
  /** The work trees */
  trees: WorkTree[];
  /** Work without a work tree that has not landed */
  kept?: ({ board: string; task: number; branch: string; head: string; unlanded: number; })[];
  /** Accepted work that waits to be landed */
  queue: ({ board: string; task: number; title?: string; run: number; branch: string; since: string; reason?: string; asked?: boolean; findings?: LandFinding[]; revert?: boolean; })[];
  /** What all work trees take on the disk */
  bytes: number;
  /** How much that may be before clean ones are removed */
  limit: number;
}

export interface WorkCleaned {
  /** The work trees that are gone */
  removed: WorkTree[];
  /** Those that stay, and why */
  kept: WorkTree[];
  /** Bytes that are free now */
  freed: number;
}

export interface Retention {
  /** How far back a client that was away may catch up */
  feed: string;
  /** The same in events */
  feed_events: number;
  /** How long events and ended runs are kept */
  history: string;
  /** How long the files of ended runs are kept */
  run_files: string;
}

export interface OutputItem {
  /** When it was written */
  at: string;
  /** text, tool, notice, stdout, stderr, raw or andon */
  stream: string;
  /** The line, without secrets */
  text: string;
}

export interface OutputPage {
  /** The lines in order */
  items: OutputItem[];
  /** Where to go on; the same as before when there is nothing new */
  next: string;
  /** True when more was there already than fits a page */
  more?: boolean;
  /** Where the server keeps the files of the log; on the first page, and not for runs */
  directory?: string;
}

export interface Operations {
  'GET /boards': {
    path: never;
    query: { archived?: boolean; };
    body: undefined;
    answer: { items: Board[]; };
  };
  'POST /boards': {
    path: never;
    query: never;
    body: { title?: string; description?: string; prefix?: string; workflow?: 'open' | 'strict'; approval?: 'manual' | 'trusted'; trusted?: string[]; review_by?: string; max_concurrent?: number; auto_dispatch?: boolean; require_brief?: boolean; repo?: string; worktree?: boolean; branch?: string; branch_prefix?: string; folder?: string; filters?: string[]; land?: 'auto' | 'off'; require_evidence?: boolean; columns?: ({ name: string; title?: string; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; wip_limit?: number; require_claim?: boolean; holds_back?: string; count?: number; show_duration?: boolean; goes_to?: string; renamed?: boolean; })[]; priorities?: string[]; classes?: ({ name: string; wip_limit?: number; bypass_column_wip?: boolean; share?: number; quiet?: { from: string; to: string; tz?: string; }; })[]; default_status?: string; default_priority?: string; default_class?: string; checks?: Record<string, string[]>; sources?: Record<string, string[]>; chains?: ({ role?: string; next: { title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; }; })[]; claim_timeout?: string | number; stale_after?: string | number; silent_after?: string | number; check_timeout?: string | number; setup?: string[][]; setup_cache?: { key: string[]; keep: string[]; }; setup_timeout?: string | number; copy?: string[]; env?: string[]; ports?: number; teardown?: string[][]; preview?: string[]; commands?: { checks?: string[]; sources?: string[]; setup?: string[]; teardown?: string[]; preview?: string; test_list?: string; }; land_limits?: { deleted_files?: number; deleted_percent?: number; emptied_files?: number; moved_files?: number; reverted_files?: number; outside_touches?: number; test_lines?: number; lost_tests?: number; lost_assertions?: number; weak_tests?: number; generated_files?: number; lock_files?: number; secret_files?: number; secret_commits?: number; hidden_text?: number; odd_files?: number; lines?: number; bytes?: number; binary_files?: number; submodules?: number; check_files?: number; check_paths?: string[]; }; test_list?: string[]; test_reports?: string[]; budget?: { run?: { tokens?: number; usd?: number; time?: string | number; }; task?: { tokens?: number; usd?: number; time?: string | number; }; day?: { tokens?: number; usd?: number; time?: string | number; }; tz?: string; }; limits?: { memory?: string | number; processes?: number; cpu_weight?: number; disk?: string | number; }; tui?: { title_lines?: number; age_thresholds?: ({ after?: string | number; color: string; })[]; hide_empty_columns?: boolean; narrow_threshold?: number; }; name: string; template?: string; };
    answer: ChangedBoard;
  };
  'GET /boards/{board}': {
    path: { board: string; };
    query: never;
    body: undefined;
    answer: Board;
  };
  'PATCH /boards/{board}': {
    path: { board: string; };
    query: never;
    body: { title?: string; description?: string; prefix?: string; workflow?: 'open' | 'strict'; approval?: 'manual' | 'trusted'; trusted?: string[]; review_by?: string; max_concurrent?: number; auto_dispatch?: boolean; require_brief?: boolean; repo?: string; worktree?: boolean; branch?: string; branch_prefix?: string; folder?: string; filters?: string[]; land?: 'auto' | 'off'; require_evidence?: boolean; columns?: ({ name: string; title?: string; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; wip_limit?: number; require_claim?: boolean; holds_back?: string; count?: number; show_duration?: boolean; goes_to?: string; renamed?: boolean; })[]; priorities?: string[]; classes?: ({ name: string; wip_limit?: number; bypass_column_wip?: boolean; share?: number; quiet?: { from: string; to: string; tz?: string; }; })[]; default_status?: string; default_priority?: string; default_class?: string; checks?: Record<string, string[]>; sources?: Record<string, string[]>; chains?: ({ role?: string; next: { title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; }; })[]; claim_timeout?: string | number; stale_after?: string | number; silent_after?: string | number; check_timeout?: string | number; setup?: string[][]; setup_cache?: { key: string[]; keep: string[]; }; setup_timeout?: string | number; copy?: string[]; env?: string[]; ports?: number; teardown?: string[][]; preview?: string[]; commands?: { checks?: string[]; sources?: string[]; setup?: string[]; teardown?: string[]; preview?: string; test_list?: string; }; land_limits?: { deleted_files?: number; deleted_percent?: number; emptied_files?: number; moved_files?: number; reverted_files?: number; outside_touches?: number; test_lines?: number; lost_tests?: number; lost_assertions?: number; weak_tests?: number; generated_files?: number; lock_files?: number; secret_files?: number; secret_commits?: number; hidden_text?: number; odd_files?: number; lines?: number; bytes?: number; binary_files?: number; submodules?: number; check_files?: number; check_paths?: string[]; }; test_list?: string[]; test_reports?: string[]; budget?: { run?: { tokens?: number; usd?: number; time?: string | number; }; task?: { tokens?: number; usd?: number; time?: string | number; }; day?: { tokens?: number; usd?: number; time?: string | number; }; tz?: string; }; limits?: { memory?: string | number; processes?: number; cpu_weight?: number; disk?: string | number; }; tui?: { title_lines?: number; age_thresholds?: ({ after?: string | number; color: string; })[]; hide_empty_columns?: boolean; narrow_threshold?: number; }; archived?: boolean; rename_columns?: Record<string, string>; remove_columns?: string[]; add_columns?: ({ name: string; title?: string; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; wip_limit?: number; require_claim?: boolean; holds_back?: string; count?: number; show_duration?: boolean; goes_to?: string; renamed?: boolean; })[]; wip_limits?: Record<string, number>; order_columns?: string[]; move_tasks?: Record<string, string>; };
    answer: ChangedBoard;
  };
  'DELETE /boards/{board}': {
    path: { board: string; };
    query: never;
    body: undefined;
    answer: { name: string; status: string; };
  };
  'POST /boards/attach': {
    path: never;
    query: never;
    body: { directory: string; name?: string; prefix?: string; };
    answer: Board;
  };
  'POST /boards/{board}/detach': {
    path: { board: string; };
    query: never;
    body: {  };
    answer: { name: string; directory: string; status: string; };
  };
  'GET /attention': {
    path: never;
    query: { board?: string; limit?: number; };
    body: undefined;
    answer: { items: ({ kind: 'waiting' | 'question' | 'landing' | 'fault' | 'review' | 'no_evidence' | 'returned' | 'failed' | 'silent' | 'approval' | 'budget' | 'limit'; board?: string; id?: number; key?: string; title?: string; status?: string; choices?: string[]; worker?: string; account?: string; machine?: string; since?: string; until?: string; text?: string; can?: string[]; })[]; counts: Record<string, number>; more?: boolean; orphans?: number[]; };
  };
  'GET /boards/{board}/summary': {
    path: { board: string; };
    query: { group_by?: string; };
    body: undefined;
    answer: { board_name: string; total_tasks: number; statuses: ({ status: string; name?: string; count: number; wip_limit?: number; blocked: number; overdue: number; })[]; priorities: ({ priority: string; count: number; })[]; classes?: ({ class: string; count: number; })[]; groups?: ({ key: string; statuses: ({ status: string; name?: string; count: number; wip_limit?: number; blocked: number; overdue: number; })[]; total: number; })[]; more_groups?: boolean; };
  };
  'GET /boards/{board}/context': {
    path: { board: string; };
    query: { sections?: string | number; days?: number; };
    body: undefined;
    answer: { board_name: string; summary: { total_tasks: number; active: number; blocked: number; overdue: number; wip_warning?: string; }; sections?: ({ name: string; items: ({ id: number; title: string; status: string; priority: string; assignee?: string; note?: string; })[]; })[]; };
  };
  'GET /metrics/flow': {
    path: never;
    query: { board?: string; days?: number; since?: string; utc_offset?: string; };
    body: undefined;
    answer: { throughput_7d: number; throughput_30d: number; avg_lead_time_hours?: number; avg_cycle_time_hours?: number; flow_efficiency?: number; aging_items?: ({ id: number; title: string; status: string; age_hours: number; })[]; board: string; from: string; to: string; completed: number; throughput_per_day: number; lead_time: { count: number; mean_hours: number; p50_hours: number; p85_hours: number; p95_hours: number; }; cycle_time: { count: number; mean_hours: number; p50_hours: number; p85_hours: number; p95_hours: number; }; active_share?: number; average_wip: number; expected_cycle_time_hours?: number; verdicts: { accepted: number; rejected: number; acceptance_rate?: number; }; retries: number; failures: number; usage: { input: number; output: number; cache_read: number; cache_write: number; reasoning: number; cost_usd: number | null; }; unpriced?: number; flaky_checks?: number; totals: { boards: number; tasks: number; open: number; work_in_progress: number; }; classes: ({ class: string; completed: number; share?: number; target?: number; })[]; workers: WorkerUsage[]; flow: ({ day: string; created: number; finished: number; stages: { backlog: number; ready: number; claimed: number; active: number; review: number; blocked: number; failed: number; done: number; archived: number; }; })[]; };
  };
  'GET /metrics/forecast': {
    path: never;
    query: { board?: string; tasks?: number; ids?: string | number; by?: string; days?: number; seed?: number; utc_offset?: string; };
    body: undefined;
    answer: { board: string; reliable: boolean; warning?: string; history_days: number; history_tasks: number; trials: number; seed: number; when?: { tasks: number; likely: ({ confidence: number; days?: number; date?: string; })[]; }; how_many?: { by: string; likely: ({ confidence: number; tasks: number; })[]; }; };
  };
  'GET /boards/{board}/snapshot': {
    path: { board: string; };
    query: { done?: number; column_max?: number; };
    body: undefined;
    answer: Snapshot;
  };
  'GET /tasks': {
    path: never;
    query: { board?: string; status?: string | number; stage?: string | number; priority?: string | number; assignee?: string; mine?: boolean; role?: string; tag?: string; class?: string; claimed_by?: string; parent?: string; unclaimed?: boolean; blocked?: boolean; not_blocked?: boolean; unblocked?: boolean; archived?: boolean; q?: string; bodies?: boolean; sort?: string; reverse?: boolean; limit?: number; cursor?: string; view?: 'card'; };
    body: undefined;
    answer: { items: Task[]; next?: string; } | { items: Card[]; next?: string; };
  };
  'POST /tasks': {
    path: never;
    query: never;
    body: { title: string; body?: string; board?: string; status?: string; priority?: string | number; assignee?: string; role?: string; tags?: string[]; due?: string; estimate?: string; link?: string; parent?: string | number; depends_on?: (string | number)[]; class?: string; touches?: string[]; next_tasks?: ({ title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; })[]; checks?: string[]; review?: 'inherit' | 'required' | 'none'; plan?: 'none' | 'required'; max_attempts?: number; not_before?: string; autocomplete?: boolean; claim?: string; not_a_copy?: (string | number)[]; };
    answer: Task;
  };
  'POST /tasks/{id}/copy': {
    path: { id: string | number; };
    query: never;
    body: { title?: string; to_board?: string; status?: string; };
    answer: Task;
  };
  'POST /tasks/{id}/merge': {
    path: { id: string | number; };
    query: never;
    body: { into: string | number; };
    answer: Task;
  };
  'GET /copies': {
    path: never;
    query: { board?: string; };
    body: undefined;
    answer: { items: SuspectedCopy[]; };
  };
  'POST /tasks/{id}/copies/dismiss': {
    path: { id: string | number; };
    query: never;
    body: { other: string | number; };
    answer: { items: SuspectedCopy[]; };
  };
  'POST /import': {
    path: never;
    query: never;
    body: { board?: string; items: ({ title: string; body?: string; board?: string; status?: string; priority?: string | number; assignee?: string; role?: string; tags?: string[]; due?: string; estimate?: string; link?: string; parent?: string | number; depends_on?: (string | number)[]; class?: string; touches?: string[]; next_tasks?: ({ title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; })[]; checks?: string[]; review?: 'inherit' | 'required' | 'none'; plan?: 'none' | 'required'; max_attempts?: number; not_before?: string; autocomplete?: boolean; claim?: string; not_a_copy?: (string | number)[]; ref: string; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; blocked?: string; created?: string; started?: string; completed?: string; })[]; earlier?: Record<string, number>; dry_run?: boolean; };
    answer: { board: string; items: ({ ref: string; id: number; key?: string; title: string; status: string; })[]; notes: ({ ref: string; field: string; value: string; says: string; })[]; };
  };
  'GET /tasks/{id}': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: Task;
  };
  'PATCH /tasks/{id}': {
    path: { id: string | number; };
    query: never;
    body: { title?: string; status?: string; priority?: string | number; assignee?: string; role?: string; tags?: string[]; add_tags?: string[]; remove_tags?: string[]; due?: string | null; estimate?: string; link?: string; body?: string; append_body?: string; parent?: string | number | null; depends_on?: (string | number)[]; add_deps?: (string | number)[]; remove_deps?: (string | number)[]; class?: string; touches?: string[]; next_tasks?: ({ title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; })[]; checks?: string[]; review?: 'inherit' | 'required' | 'none'; plan?: 'none' | 'required'; max_attempts?: number; not_before?: string | null; autocomplete?: boolean; started?: string | null; completed?: string | null; block?: string; unblock?: boolean; take?: boolean; release?: boolean; heed_claims?: boolean; claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'DELETE /tasks/{id}': {
    path: { id: string | number; };
    query: { claim?: string; epoch?: number; force?: boolean; };
    body: undefined;
    answer: { id: number; status: string; title: string; };
  };
  'POST /tasks/{id}/move': {
    path: { id: string | number; };
    query: never;
    body: { status: string; before?: string | number; after?: string | number; reason?: string; claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/archive': {
    path: { id: string | number; };
    query: never;
    body: { claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/revert': {
    path: { id: string | number; };
    query: never;
    body: { then?: 'reopen' | 'close'; reason?: string; };
    answer: Task;
  };
  'POST /pick': {
    path: never;
    query: never;
    body: { by?: string; worker?: string; boards?: string[]; status?: string[]; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; move?: string; tags?: string[]; class?: string; role?: string; wait?: string | number; limit?: number; };
    answer: Task;
  };
  'POST /tasks/{id}/claim': {
    path: { id: string | number; };
    query: never;
    body: { by?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/release': {
    path: { id: string | number; };
    query: never;
    body: { claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/start': {
    path: { id: string | number; };
    query: never;
    body: { claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/heartbeat': {
    path: { id: string | number; };
    query: never;
    body: { epoch: number; };
    answer: { claim_expires?: string; cancelled: boolean; paused: boolean; priority: string; progress?: string; reported?: boolean; };
  };
  'POST /tasks/{id}/note': {
    path: { id: string | number; };
    query: never;
    body: { text: string; };
    answer: Task;
  };
  'POST /tasks/{id}/submit': {
    path: { id: string | number; };
    query: never;
    body: { result?: string; no_change?: string; pick?: { by?: string; worker?: string; boards?: string[]; status?: string[]; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; move?: string; tags?: string[]; class?: string; role?: string; wait?: string | number; limit?: number; }; claim?: string; epoch?: number; force?: boolean; };
    answer: { id: number; title: string; status: string; priority: string; created: string; updated: string; started?: string; completed?: string; assignee?: string; tags?: string[]; due?: string; estimate?: string; link?: string; parent?: number; depends_on?: number[]; blocked?: boolean; block_reason?: string; claimed_by?: string; claimed_at?: string; class?: string; body?: string; file?: string; key?: string; board: string; stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; role?: string; claim_expires?: string; epoch: number; touches?: string[]; next_tasks?: TaskTemplate[]; checks?: string[]; review: 'inherit' | 'required' | 'none'; plan?: 'none' | 'required'; plan_state?: 'none' | 'proposed' | 'accepted' | 'returned'; approved?: boolean; source?: string; created_by?: string; attempt: number; max_attempts: number; not_before?: string; run?: number; result?: string; flag?: string; question?: Question; attachments?: Attachment[]; rank: string; rev: number; autocomplete?: boolean; children?: Progress; can?: string[]; cannot?: Record<string, string>; notice?: string; warnings?: string[]; picked?: Task; not_picked?: { code: string; error: string; }; };
  };
  'POST /tasks/{id}/complete': {
    path: { id: string | number; };
    query: never;
    body: { result?: string; no_change?: string; pick?: { by?: string; worker?: string; boards?: string[]; status?: string[]; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; move?: string; tags?: string[]; class?: string; role?: string; wait?: string | number; limit?: number; }; claim?: string; epoch?: number; force?: boolean; };
    answer: { id: number; title: string; status: string; priority: string; created: string; updated: string; started?: string; completed?: string; assignee?: string; tags?: string[]; due?: string; estimate?: string; link?: string; parent?: number; depends_on?: number[]; blocked?: boolean; block_reason?: string; claimed_by?: string; claimed_at?: string; class?: string; body?: string; file?: string; key?: string; board: string; stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; role?: string; claim_expires?: string; epoch: number; touches?: string[]; next_tasks?: TaskTemplate[]; checks?: string[]; review: 'inherit' | 'required' | 'none'; plan?: 'none' | 'required'; plan_state?: 'none' | 'proposed' | 'accepted' | 'returned'; approved?: boolean; source?: string; created_by?: string; attempt: number; max_attempts: number; not_before?: string; run?: number; result?: string; flag?: string; question?: Question; attachments?: Attachment[]; rank: string; rev: number; autocomplete?: boolean; children?: Progress; can?: string[]; cannot?: Record<string, string>; notice?: string; warnings?: string[]; picked?: Task; not_picked?: { code: string; error: string; }; };
  };
  'POST /tasks/{id}/fail': {
    path: { id: string | number; };
    query: never;
    body: { reason: string; claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/handoff': {
    path: { id: string | number; };
    query: never;
    body: { note?: string; to?: string; append_body?: string; block?: string; to_review?: boolean; take?: boolean; release?: boolean; claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/block': {
    path: { id: string | number; };
    query: never;
    body: { reason: string; choices?: string[]; claim?: string; epoch?: number; force?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/ask': {
    path: { id: string | number; };
    query: never;
    body: { text: string; choices?: string[]; epoch?: number; withdraw?: boolean; };
    answer: Task;
  };
  'POST /tasks/{id}/unblock': {
    path: { id: string | number; };
    query: never;
    body: {  };
    answer: Task;
  };
  'POST /tasks/{id}/answer': {
    path: { id: string | number; };
    query: never;
    body: { text: string; question?: string; };
    answer: Task;
  };
  'POST /tasks/{id}/accept': {
    path: { id: string | number; };
    query: never;
    body: { plan_hash?: string; };
    answer: Task;
  };
  'POST /tasks/{id}/reject': {
    path: { id: string | number; };
    query: never;
    body: { reason: string; };
    answer: Task;
  };
  'PUT /tasks/{id}/plan': {
    path: { id: string | number; };
    query: never;
    body: { text: string; epoch?: number; };
    answer: Plan;
  };
  'GET /tasks/{id}/plan': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: Plan;
  };
  'POST /tasks/{id}/approve': {
    path: { id: string | number; };
    query: never;
    body: {  };
    answer: Task;
  };
  'POST /tasks/{id}/retry': {
    path: { id: string | number; };
    query: never;
    body: {  };
    answer: Task;
  };
  'POST /tasks/{id}/kill': {
    path: { id: string | number; };
    query: never;
    body: {  };
    answer: undefined;
  };
  'GET /search': {
    path: never;
    query: { q: string; board?: string; limit?: number; cursor?: string; };
    body: undefined;
    answer: { items: ({ task: Task; snippet?: string; })[]; next?: string; truncated?: boolean; };
  };
  'GET /tasks/{id}/why': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: DispatchBlockers;
  };
  'GET /why': {
    path: never;
    query: { tasks: string | number; };
    body: undefined;
    answer: { items: DispatchBlockers[]; };
  };
  'GET /dependencies': {
    path: never;
    query: { id?: string; board?: string; format?: 'tree' | 'dot' | 'mermaid'; };
    body: undefined;
    answer: { nodes: ({ id: number; key?: string; title: string; status: string; stage: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; blocked?: boolean; })[]; edges: ({ task: number; depends_on: number; })[]; truncated?: boolean; text?: string; };
  };
  'GET /tasks/{id}/attachments': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: { items: Attachment[]; };
  };
  'GET /tasks/{id}/attachments/{name}': {
    path: { id: string | number; name: string; };
    query: never;
    body: undefined;
    answer: undefined;
  };
  'PUT /tasks/{id}/attachments/{name}': {
    path: { id: string | number; name: string; };
    query: { epoch?: number; sha256?: string; };
    body: Blob;
    answer: Task;
  };
  'DELETE /tasks/{id}/attachments/{name}': {
    path: { id: string | number; name: string; };
    query: { epoch?: number; };
    body: undefined;
    answer: Task;
  };
  'GET /workers': {
    path: never;
    query: never;
    body: undefined;
    answer: { items: Worker[]; };
  };
  'POST /workers': {
    path: never;
    query: never;
    body: { name: string; role?: string; title?: string; agent?: string; agents?: string[]; model?: string; colour?: string; prompt?: string; prompt_file?: string; memory?: string[]; tools?: string[]; conversation?: 'fresh' | 'task' | 'worker'; capacity?: number; takes_unassigned?: boolean; boards?: string[]; permissions?: string; budget?: { run?: { tokens?: number; usd?: number; time?: string | number; }; task?: { tokens?: number; usd?: number; time?: string | number; }; day?: { tokens?: number; usd?: number; time?: string | number; }; tz?: string; }; limits?: { memory?: string | number; processes?: number; cpu_weight?: number; disk?: string | number; }; quiet?: { from: string; to: string; tz?: string; }; plan?: 'none' | 'required'; };
    answer: Worker;
  };
  'GET /workers/{name}': {
    path: { name: string; };
    query: never;
    body: undefined;
    answer: Worker;
  };
  'PATCH /workers/{name}': {
    path: { name: string; };
    query: never;
    body: { role?: string; title?: string; agent?: string; agents?: string[]; model?: string; colour?: string; prompt?: string; prompt_file?: string; memory?: string[]; tools?: string[]; conversation?: 'fresh' | 'task' | 'worker'; capacity?: number; takes_unassigned?: boolean; boards?: string[]; permissions?: string; budget?: { run?: { tokens?: number; usd?: number; time?: string | number; }; task?: { tokens?: number; usd?: number; time?: string | number; }; day?: { tokens?: number; usd?: number; time?: string | number; }; tz?: string; }; limits?: { memory?: string | number; processes?: number; cpu_weight?: number; disk?: string | number; }; quiet?: { from: string; to: string; tz?: string; }; plan?: 'none' | 'required'; };
    answer: Worker;
  };
  'DELETE /workers/{name}': {
    path: { name: string; };
    query: never;
    body: undefined;
    answer: { name: string; status: string; };
  };
  'POST /workers/{name}/pause': {
    path: { name: string; };
    query: never;
    body: { reason?: string; };
    answer: Worker;
  };
  'POST /workers/{name}/resume': {
    path: { name: string; };
    query: never;
    body: {  };
    answer: Worker;
  };
  'GET /dispatch': {
    path: never;
    query: never;
    body: undefined;
    answer: { paused: boolean; paused_boards?: string[]; paused_workers?: string[]; running: number; slots: number; ready: number; runner: boolean; frozen: { everything: boolean; boards: string[]; workers: string[]; by?: string; since?: string; }; budgets?: DaySpending[]; };
  };
  'PUT /dispatch': {
    path: never;
    query: never;
    body: { paused: boolean; board?: string; };
    answer: { paused: boolean; paused_boards?: string[]; paused_workers?: string[]; running: number; slots: number; ready: number; runner: boolean; frozen: { everything: boolean; boards: string[]; workers: string[]; by?: string; since?: string; }; budgets?: DaySpending[]; };
  };
  'PUT /dispatch/limit': {
    path: never;
    query: never;
    body: { slots: number; };
    answer: { slots: number; };
  };
  'GET /dispatch/frozen': {
    path: never;
    query: never;
    body: undefined;
    answer: { everything: boolean; boards: string[]; workers: string[]; by?: string; since?: string; };
  };
  'POST /dispatch/freeze': {
    path: never;
    query: never;
    body: { board?: string; worker?: string; };
    answer: { everything: boolean; boards: string[]; workers: string[]; by?: string; since?: string; };
  };
  'POST /dispatch/thaw': {
    path: never;
    query: never;
    body: { board?: string; worker?: string; };
    answer: { everything: boolean; boards: string[]; workers: string[]; by?: string; since?: string; };
  };
  'GET /accounts': {
    path: never;
    query: never;
    body: undefined;
    answer: { items: Account[]; };
  };
  'POST /accounts/{account}/pause': {
    path: { account: string; };
    query: never;
    body: { reason?: string; };
    answer: Account;
  };
  'POST /accounts/{account}/resume': {
    path: { account: string; };
    query: never;
    body: {  };
    answer: Account;
  };
  'GET /faults': {
    path: never;
    query: never;
    body: undefined;
    answer: { items: ({ scope: 'task' | 'account' | 'board' | 'machine'; name: string; cause: string; text: string; since: string; until?: string; times: number; task: number; })[]; };
  };
  'POST /faults/{scope}/{name}/retry': {
    path: { scope: 'task' | 'account' | 'board' | 'machine'; name: string; };
    query: never;
    body: {  };
    answer: { scope: 'task' | 'account' | 'board' | 'machine'; name: string; cause: string; text: string; since: string; until?: string; times: number; task: number; };
  };
  'POST /team': {
    path: never;
    query: never;
    body: { boards?: ({ title?: string; description?: string; prefix?: string; workflow?: 'open' | 'strict'; approval?: 'manual' | 'trusted'; trusted?: string[]; review_by?: string; max_concurrent?: number; auto_dispatch?: boolean; require_brief?: boolean; repo?: string; worktree?: boolean; branch?: string; branch_prefix?: string; folder?: string; filters?: string[]; land?: 'auto' | 'off'; require_evidence?: boolean; columns?: ({ name: string; title?: string; stage?: 'backlog' | 'ready' | 'claimed' | 'active' | 'review' | 'blocked' | 'failed' | 'done' | 'archived'; wip_limit?: number; require_claim?: boolean; holds_back?: string; count?: number; show_duration?: boolean; goes_to?: string; renamed?: boolean; })[]; priorities?: string[]; classes?: ({ name: string; wip_limit?: number; bypass_column_wip?: boolean; share?: number; quiet?: { from: string; to: string; tz?: string; }; })[]; default_status?: string; default_priority?: string; default_class?: string; checks?: Record<string, string[]>; sources?: Record<string, string[]>; chains?: ({ role?: string; next: { title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; }; })[]; claim_timeout?: string | number; stale_after?: string | number; silent_after?: string | number; check_timeout?: string | number; setup?: string[][]; setup_cache?: { key: string[]; keep: string[]; }; setup_timeout?: string | number; copy?: string[]; env?: string[]; ports?: number; teardown?: string[][]; preview?: string[]; commands?: { checks?: string[]; sources?: string[]; setup?: string[]; teardown?: string[]; preview?: string; test_list?: string; }; land_limits?: { deleted_files?: number; deleted_percent?: number; emptied_files?: number; moved_files?: number; reverted_files?: number; outside_touches?: number; test_lines?: number; lost_tests?: number; lost_assertions?: number; weak_tests?: number; generated_files?: number; lock_files?: number; secret_files?: number; secret_commits?: number; hidden_text?: number; odd_files?: number; lines?: number; bytes?: number; binary_files?: number; submodules?: number; check_files?: number; check_paths?: string[]; }; test_list?: string[]; test_reports?: string[]; budget?: { run?: { tokens?: number; usd?: number; time?: string | number; }; task?: { tokens?: number; usd?: number; time?: string | number; }; day?: { tokens?: number; usd?: number; time?: string | number; }; tz?: string; }; limits?: { memory?: string | number; processes?: number; cpu_weight?: number; disk?: string | number; }; tui?: { title_lines?: number; age_thresholds?: ({ after?: string | number; color: string; })[]; hide_empty_columns?: boolean; narrow_threshold?: number; }; name: string; template?: string; move_tasks?: Record<string, string>; })[]; workers?: ({ name: string; role?: string; title?: string; agent?: string; agents?: string[]; model?: string; colour?: string; prompt?: string; prompt_file?: string; memory?: string[]; tools?: string[]; conversation?: 'fresh' | 'task' | 'worker'; capacity?: number; takes_unassigned?: boolean; boards?: string[]; permissions?: string; budget?: { run?: { tokens?: number; usd?: number; time?: string | number; }; task?: { tokens?: number; usd?: number; time?: string | number; }; day?: { tokens?: number; usd?: number; time?: string | number; }; tz?: string; }; limits?: { memory?: string | number; processes?: number; cpu_weight?: number; disk?: string | number; }; quiet?: { from: string; to: string; tz?: string; }; plan?: 'none' | 'required'; })[]; automations?: ({ name: string; board?: string; kind?: 'cron' | 'queue_dry'; cron?: string; tz?: string; after?: string | number; template: { title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; }; enabled?: boolean; })[]; dry_run?: boolean; prune?: boolean; };
    answer: { changes: ({ what: string; name: string; action: 'create' | 'change' | 'remove' | 'keep'; reason?: string; fields?: ({ field: string; from?: unknown; to?: unknown; })[]; })[]; };
  };
  'GET /team': {
    path: never;
    query: never;
    body: undefined;
    answer: { boards?: ({ title?: string; description?: string; prefix?: string; workflow?: 'open' | 'strict'; approval?: 'manual' | 'trusted'; trusted?: string[]; review_by?: string; max_concurrent?: number; auto_dispatch?: boolean; require_brief?: boolean; repo?: string; worktree?: boolean; branch?: string; branch_prefix?: string; folder?: string; filters?: string[]; land?: 'auto' | 'off'; require_evidence?: boolean; columns?: Column[]; priorities?: string[]; classes?: ClassOfService[]; default_status?: string; default_priority?: string; default_class?: string; checks?: Record<string, string[]>; sources?: Record<string, string[]>; chains?: ChainRule[]; claim_timeout?: string; stale_after?: string; silent_after?: string; check_timeout?: string; setup?: string[][]; setup_cache?: SetupCache; setup_timeout?: string; copy?: string[]; env?: string[]; ports?: number; teardown?: string[][]; preview?: string[]; commands?: { checks?: string[]; sources?: string[]; setup?: string[]; teardown?: string[]; preview?: string; test_list?: string; }; land_limits?: { deleted_files: number; deleted_percent: number; emptied_files: number; moved_files: number; reverted_files: number; outside_touches: number; test_lines: number; lost_tests: number; lost_assertions: number; weak_tests: number; generated_files: number; lock_files: number; secret_files: number; secret_commits: number; hidden_text: number; odd_files: number; lines: number; bytes: number; binary_files: number; submodules: number; check_files: number; check_paths?: string[]; }; test_list?: string[]; test_reports?: string[]; budget?: Budget; limits?: ResourceLimits; tui?: { title_lines: number; age_thresholds: ({ after: string; color: string; })[]; hide_empty_columns?: boolean; narrow_threshold?: number; }; name: string; template?: string; move_tasks?: Record<string, string>; })[]; workers?: ({ name: string; role?: string; title?: string; agent?: string; agents?: string[]; model?: string; colour?: string; prompt?: string; prompt_file?: string; memory?: string[]; tools?: string[]; conversation?: 'fresh' | 'task' | 'worker'; capacity?: number; takes_unassigned?: boolean; boards?: string[]; permissions?: string; budget?: Budget; limits?: ResourceLimits; quiet?: QuietHours; plan?: 'none' | 'required'; })[]; automations?: ({ name: string; board?: string; kind?: 'cron' | 'queue_dry'; cron?: string; tz?: string; after?: string; template: TaskTemplate; enabled?: boolean; })[]; };
  };
  'GET /tokens': {
    path: never;
    query: { limit?: number; cursor?: string; };
    body: undefined;
    answer: { items: Token[]; next?: string; };
  };
  'POST /tokens': {
    path: never;
    query: never;
    body: { name: string; hash: string; label?: string; admin?: boolean; lasts?: string | number; };
    answer: Token;
  };
  'POST /session/codes': {
    path: never;
    query: never;
    body: { hash: string; };
    answer: { expires: string; };
  };
  'DELETE /tokens/{id}': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: Token;
  };
  'GET /automations': {
    path: never;
    query: { board?: string; };
    body: undefined;
    answer: { items: Automation[]; };
  };
  'POST /automations': {
    path: never;
    query: never;
    body: { name: string; board?: string; kind?: 'cron' | 'queue_dry'; cron?: string; tz?: string; after?: string | number; template: { title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; }; enabled?: boolean; };
    answer: Automation;
  };
  'GET /automations/{id}': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: Automation;
  };
  'PATCH /automations/{id}': {
    path: { id: string | number; };
    query: never;
    body: { name?: string; kind?: 'cron' | 'queue_dry'; cron?: string; tz?: string; after?: string | number; template?: { title: string; body?: string; role?: string; assignee?: string; priority?: string; class?: string; tags?: string[]; status?: string; review?: string; next_tasks?: TaskTemplate[]; }; enabled?: boolean; };
    answer: Automation;
  };
  'DELETE /automations/{id}': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: { id: number; name: string; status: string; };
  };
  'POST /automations/{id}/run': {
    path: { id: string | number; };
    query: never;
    body: {  };
    answer: Task;
  };
  'GET /runs': {
    path: never;
    query: { id?: string; live?: boolean; };
    body: undefined;
    answer: { items: Run[]; spent?: TaskSpending; };
  };
  'POST /runs': {
    path: never;
    query: never;
    body: { worker?: string; workers?: string[]; wait?: string | number; };
    answer: Run;
  };
  'GET /tasks/{id}/runs': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: { items: Run[]; spent?: TaskSpending; };
  };
  'GET /runs/{id}': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: Run;
  };
  'POST /runs/{id}/finish': {
    path: { id: string | number; };
    query: never;
    body: { stopped_because?: 'killed' | 'timed_out' | 'stale' | 'over_budget' | 'rate_limited' | 'fatal' | 'unfit' | 'workspace' | 'withdrawn' | 'lost' | 'reported' | 'over_limit' | 'short_of_memory' | 'overloaded' | 'fault'; has_result?: boolean; result_is_error?: boolean; result?: string; exit?: { code?: number; signal?: number; }; session?: string; branch?: string; commits?: string[]; files_changed?: number; usage?: { input?: number; output?: number; cache_read?: number; cache_write?: number; reasoning?: number; cost_usd?: number | null; }; resets_at?: string; checks?: ({ name: string; passed?: boolean; output?: string; exit?: { code?: number; signal?: number; }; seconds?: number; flaky?: boolean; })[]; base?: string; head?: string; diff_size?: { files?: number; added?: number; removed?: number; }; left_out?: ({ path?: string; reason?: string; })[]; left_out_count?: number; remarks?: string[]; peak_memory?: number; cpu_time?: string | number; excess?: string; windows?: ({ name?: string; ends?: string; used?: number; reached?: boolean; })[]; unfinished?: string; fault?: { scope?: 'task' | 'account' | 'board' | 'machine'; cause?: string; text?: string; }; };
    answer: Run;
  };
  'POST /runs/{id}/usage': {
    path: { id: string | number; };
    query: never;
    body: { usage?: { input?: number; output?: number; cache_read?: number; cache_write?: number; reasoning?: number; cost_usd?: number | null; }; };
    answer: Run;
  };
  'POST /runs/{id}/begin': {
    path: { id: string | number; };
    query: never;
    body: { token_hash?: string; };
    answer: { run: Run; task: Task; worker: Worker; board: Board; context?: Task[]; beside?: Task[]; feedback?: string[]; checks?: string[]; earlier?: { run: number; session?: string; used: { input: number; output: number; cache_read: number; cache_write: number; reasoning: number; cost_usd: number | null; }; agent?: string; cwd?: string; }; unfinished?: string; allowance: Allowance; place?: { directory?: string; git_directory?: string; common_directory?: string; directory_id?: string; git_directory_id?: string; common_directory_id?: string; }; branch?: string; plan?: { text: string; state: 'none' | 'proposed' | 'accepted' | 'returned'; sha256?: string; by?: string; at: string; comment?: string; judged_by?: string; run?: number; }; };
  };
  'POST /runs/{id}/adopt': {
    path: { id: string | number; };
    query: never;
    body: { pid?: number; process?: string; guard?: { seal?: string; cgroups?: string; input?: string; place?: { directory?: string; git_directory?: string; common_directory?: string; directory_id?: string; git_directory_id?: string; common_directory_id?: string; }; agent?: string; cwd?: string; host?: string; }; };
    answer: Run;
  };
  'GET /runs/{id}/guard': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: { seal?: string; cgroups?: string; input?: string; place?: { directory?: string; git_directory?: string; common_directory?: string; directory_id?: string; git_directory_id?: string; common_directory_id?: string; }; agent?: string; cwd?: string; host?: string; };
  };
  'PUT /machine': {
    path: never;
    query: never;
    body: { memory?: number; is_busy?: boolean; reason?: string; frozen?: ({ run: number; since?: string; })[]; neighbours?: { runs?: number; memory?: number; }; };
    answer: { runs: number; memory: number; };
  };
  'GET /leases': {
    path: never;
    query: never;
    body: undefined;
    answer: { items?: ({ run: number; expires: string; })[]; };
  };
  'POST /runs/{id}/place': {
    path: { id: string | number; };
    query: never;
    body: { place?: { directory?: string; git_directory?: string; common_directory?: string; directory_id?: string; git_directory_id?: string; common_directory_id?: string; }; };
    answer: Run;
  };
  'GET /runners': {
    path: never;
    query: never;
    body: undefined;
    answer: { items: Runner[]; };
  };
  'POST /runners': {
    path: never;
    query: never;
    body: { name: string; hash: string; };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'POST /runners/register': {
    path: never;
    query: never;
    body: { name?: string; protocol: number; version?: string; host: string; place: string; slots: number; workers?: string[]; roles?: string[]; features?: string[]; processors?: number; memory?: number; last_run?: number; };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'POST /runners/report': {
    path: never;
    query: never;
    body: { name?: string; load?: number; memory_free?: number; agents?: ({ id?: string; version?: string; problem?: string; })[]; unusable?: ({ board?: string; problem?: string; })[]; };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'POST /runners/{name}/pause': {
    path: { name: string; };
    query: never;
    body: {  };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'POST /runners/{name}/resume': {
    path: { name: string; };
    query: never;
    body: {  };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'POST /runners/{name}/drain': {
    path: { name: string; };
    query: never;
    body: {  };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'POST /runners/{name}/revoke': {
    path: { name: string; };
    query: never;
    body: {  };
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'DELETE /runners/{name}': {
    path: { name: string; };
    query: never;
    body: undefined;
    answer: { name: string; state: 'active' | 'paused' | 'draining' | 'revoked'; incarnation?: number; host?: string; place?: string; version?: string; slots?: number; workers?: string[]; roles?: string[]; agents?: ({ id: string; version?: string; problem?: string; })[]; unusable?: ({ board: string; problem: string; })[]; features?: string[]; processors?: number; memory?: number; registered?: string; };
  };
  'GET /runs/{id}/documents': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: { role?: string; memory: ({ name: string; text: string; is_noted?: boolean; })[]; };
  };
  'GET /runs/{id}/diff': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: RunDiff;
  };
  'GET /tasks/{id}/diff': {
    path: { id: string | number; };
    query: { run?: number; };
    body: undefined;
    answer: RunDiff;
  };
  'GET /work': {
    path: never;
    query: { board?: string; };
    body: undefined;
    answer: WorkList;
  };
  'PUT /work': {
    path: never;
    query: never;
    body: { limit: string; };
    answer: { limit: string; };
  };
  'POST /work/clean': {
    path: never;
    query: never;
    body: { board?: string; tasks?: number[]; force?: boolean; };
    answer: WorkCleaned;
  };
  'GET /tasks/{id}/work': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: OpenedWork;
  };
  'POST /tasks/{id}/work': {
    path: { id: string | number; };
    query: never;
    body: {  };
    answer: OpenedWork;
  };
  'POST /tasks/{id}/preview': {
    path: { id: string | number; };
    query: never;
    body: { stop?: boolean; };
    answer: OpenedWork;
  };
  'POST /tasks/{id}/landing': {
    path: { id: string | number; };
    query: never;
    body: { verdict: 'land' | 'reject'; reason?: string; squash?: boolean; };
    answer: Run;
  };
  'GET /tasks/{id}/prompt': {
    path: { id: string | number; };
    query: { worker?: string; };
    body: undefined;
    answer: { task: number; worker: string; agent?: string; session?: string; role?: string; prompt: string; bytes: number; };
  };
  'GET /memory': {
    path: never;
    query: never;
    body: undefined;
    answer: { items: ({ topic: string; given_to: string; bytes: number; changed: string; })[]; };
  };
  'POST /memory': {
    path: never;
    query: never;
    body: { text: string; topic?: string; worker?: string; };
    answer: { topic: string; bytes: number; dropped?: number; };
  };
  'GET /memory/{topic}': {
    path: { topic: string; };
    query: never;
    body: undefined;
    answer: { topic: string; text: string; };
  };
  'GET /repositories': {
    path: never;
    query: { path?: string; };
    body: undefined;
    answer: Repositories;
  };
  'GET /repositories/examination': {
    path: never;
    query: { repo: string; branch?: string; folder?: string; branch_prefix?: string; };
    body: undefined;
    answer: ExaminedRepository;
  };
  'POST /agents/{id}/test': {
    path: { id: string; };
    query: never;
    body: {  };
    answer: AgentTest;
  };
  'GET /events': {
    path: never;
    query: { since?: string; boards?: string | number; board?: string; task?: string; kind?: 'task.created' | 'task.edited' | 'task.moved' | 'task.claimed' | 'task.renewed' | 'task.released' | 'task.started' | 'task.blocked' | 'task.unblocked' | 'task.noted' | 'task.approved' | 'task.submitted' | 'task.accepted' | 'task.rejected' | 'task.completed' | 'task.failed' | 'task.retried' | 'task.killed' | 'task.archived' | 'task.deleted' | 'run.started' | 'run.adopted' | 'run.ended' | 'worker.changed' | 'board.changed' | 'dispatch.changed' | 'automation.fired' | 'limit.reached' | 'limit.lifted' | 'task.answered' | 'task.asked'; after?: string; limit?: number; newest?: boolean; };
    body: undefined;
    answer: { items: HistoryEvent[]; next?: string; reset?: 'trimmed' | 'epoch' | 'future'; };
  };
  'GET /store/retention': {
    path: never;
    query: never;
    body: undefined;
    answer: Retention;
  };
  'PATCH /store/retention': {
    path: never;
    query: never;
    body: { feed?: string | number; feed_events?: number; history?: string | number; run_files?: string | number; };
    answer: Retention;
  };
  'POST /store/trim': {
    path: never;
    query: never;
    body: { dry_run?: boolean; show?: boolean; until?: number; };
    answer: { events: number; runs: number; credentials: number; answers: number; until: number; feed_begin: number; more: boolean; items?: HistoryEvent[]; };
  };
  'GET /runs/{id}/output': {
    path: { id: string | number; };
    query: { since?: string; };
    body: undefined;
    answer: OutputPage;
  };
  'POST /runs/{id}/output': {
    path: { id: string | number; };
    query: never;
    body: { items: ({ at?: string; stream?: string; text?: string; })[]; since: string; next: string; };
    answer: { next: string; };
  };
  'GET /runs/{id}/log': {
    path: { id: string | number; };
    query: never;
    body: undefined;
    answer: undefined;
  };
  'GET /agents': {
    path: never;
    query: never;
    body: undefined;
    answer: { items: AgentProfile[]; };
  };
  'GET /telegram': {
    path: never;
    query: never;
    body: undefined;
    answer: ChatStatus;
  };
  'GET /servers': {
    path: never;
    query: never;
    body: undefined;
    answer: Readiness;
  };
  'POST /proof': {
    path: never;
    query: never;
    body: { token: string; nonce: string; };
    answer: { proof: string; };
  };
  'POST /session': {
    path: never;
    query: never;
    body: { code: string; };
    answer: { secret: string; expires_at: string; };
  };
  'DELETE /session': {
    path: never;
    query: never;
    body: undefined;
    answer: undefined;
  };
  'POST /session/phone': {
    path: never;
    query: never;
    body: undefined;
    answer: PhoneLink;
  };
  'GET /confirmations/{code}': {
    path: { code: string; };
    query: never;
    body: undefined;
    answer: { code: string; state: 'waiting' | 'confirmed'; request: string; board: string; asked_by: string; asked_from: string; commands: string[]; expires_at: string; };
  };
  'POST /confirmations/{code}': {
    path: { code: string; };
    query: never;
    body: { browser?: boolean; };
    answer: { code: string; state: 'waiting' | 'confirmed'; request: string; board: string; asked_by: string; asked_from: string; commands: string[]; expires_at: string; };
  };
}
