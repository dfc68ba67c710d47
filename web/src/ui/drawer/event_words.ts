import { actorName } from '../../format/words.ts';
import type { BoardEvent } from '../../model/wire.ts';

const kWords: Record<string, string> = {
  'task.created': 'created it',
  'task.edited': 'changed it',
  'task.moved': 'moved it',
  'task.claimed': 'took it',
  'task.released': 'let it go',
  'task.renewed': 'keeps it',
  'task.started': 'started it',
  'task.blocked': 'blocked it',
  'task.unblocked': 'unblocked it',
  'task.noted': 'noted',
  'task.asked': 'asked',
  'task.answered': 'answered',
  'task.approved': 'approved it',
  'task.submitted': 'submitted it for review',
  'task.accepted': 'accepted it',
  'task.rejected': 'sent it back',
  'task.completed': 'completed it',
  'task.failed': 'gave it up',
  'task.retried': 'queued it again',
  'task.killed': 'stopped the run',
  'task.archived': 'archived it',
  'task.deleted': 'deleted it',
  'run.started': 'began to work',
  'run.adopted': 'took the run over after a restart',
  'run.ended': 'stopped working',
};

// A change whose effect waits until the agent has ended.
const kOrders: Record<string, string> = {
  kill: 'asked to stop the run',
  claim: 'asked to take it over',
  release: 'asked to let it go',
};

const kReports: Record<string, string> = {
  done: 'reported that it is done',
  fail: 'reported that it failed',
  block: 'reported that it cannot go on',
  handoff: 'reported that others are to go on',
};

const fact = (event: BoardEvent, name: string): string | undefined => {
  const value = event.data?.[name];
  return typeof value === 'string' && value ? value : undefined;
};

type Names = (name: string) => string;

// Whose doing it was. A runner starts agents and has no say of its own: what it tells is about their worker.
export function who(event: BoardEvent, nameOf: Names): string {
  const name = actorName(event.actor);
  if (event.actor.startsWith('runner:')) {
    const worker = fact(event, 'by') ?? fact(event, 'worker');
    return worker ? nameOf(worker) : 'Andon';
  }
  if (event.actor === 'system') return 'Andon';
  if (event.actor.startsWith('automation:')) return `The automation “${name}”`;
  if (event.actor.startsWith('telegram:')) return `${name} (Telegram)`;
  return event.actor.startsWith('worker:') ? nameOf(name) : name;
}

// The events that a person wants to read, in their order: no book-keeping, and of a count only the newest.
export function worthTelling(events: readonly BoardEvent[]): BoardEvent[] {
  const newestCount = events.findLast(isCount);
  return events.filter((event) => !fact(event, 'open_deps') && (!isCount(event) || event === newestCount));
}

const isCount = (event: BoardEvent) => event.kind === 'task.edited' && fact(event, 'children') !== undefined;

export function eventWords(event: BoardEvent, columns: ReadonlyMap<string, string>): string {
  const title = (name: string) => columns.get(name) ?? name;
  const reason = fact(event, 'reason') ? `: ${fact(event, 'reason')}` : '';
  const outcome = event.kind === 'run.ended' && fact(event, 'outcome') ? ` (${fact(event, 'outcome')!.replace(/_/g, ' ')})` : '';
  if (event.kind === 'task.edited') return editWords(event);
  const words = kWords[event.kind] ?? event.kind.replace(/^.*\./, '').replace(/_/g, ' ');
  if (event.kind === 'task.created' || !event.to || event.from === event.to) return words + outcome + reason;
  return `${words}${outcome}${event.from ? `, ${title(event.from)}` : ''} → ${title(event.to)}${reason}`;
}

function editWords(event: BoardEvent): string {
  const order = fact(event, 'stopping');
  if (order) return kOrders[order] ?? 'asked the agent to stop';
  const report = fact(event, 'reported');
  if (report) return kReports[report] ?? 'reported';
  const attached = fact(event, 'attached');
  if (attached) return `attached ${attached}`;
  const detached = fact(event, 'detached');
  if (detached) return `removed the file ${detached}`;
  if (isCount(event)) return `counted ${fact(event, 'children_done')} of ${fact(event, 'children')} sub-tasks done`;
  const fields = event.data?.fields;
  return `changed it${Array.isArray(fields) && fields.length ? ` (${fields.join(', ').replace(/_/g, ' ')})` : ''}`;
}
