import { actorName } from '../../format/words.ts';
import type { BoardEvent } from '../../model/wire.ts';

const kWords: Record<string, string> = {
  'task.created': 'created it',
  'task.edited': 'changed it',
  'task.moved': 'moved it',
  'task.claimed': 'claimed it',
  'task.released': 'released it',
  'task.renewed': 'renewed the claim',
  'task.blocked': 'blocked it',
  'task.unblocked': 'unblocked it',
  'task.noted': 'noted',
  'task.answered': 'answered',
  'task.approved': 'approved it',
  'task.submitted': 'submitted it for review',
  'task.accepted': 'accepted it',
  'task.rejected': 'rejected it',
  'task.completed': 'completed it',
  'task.failed': 'gave it up',
  'task.retried': 'queued it again',
  'task.killed': 'stopped the run',
  'task.archived': 'archived it',
  'task.deleted': 'deleted it',
  'run.started': 'started a run',
  'run.adopted': 'took the run over after a restart',
  'run.ended': 'ended the run',
};

export function who(event: BoardEvent, nameOf: (name: string) => string): string {
  const name = actorName(event.actor);
  return event.actor === 'system' ? 'Andon' : event.actor.startsWith('worker:') ? nameOf(name) : name;
}

export function eventWords(event: BoardEvent, columns: ReadonlyMap<string, string>): string {
  const words = kWords[event.kind] ?? event.kind.replace(/^.*\./, '').replace(/_/g, ' ');
  const title = (name: string) => columns.get(name) ?? name;
  const reason = typeof event.data?.reason === 'string' ? `: ${event.data.reason}` : '';
  const outcome = event.kind === 'run.ended' && typeof event.data?.outcome === 'string' ? ` (${event.data.outcome.replace(/_/g, ' ')})` : '';
  if (event.kind === 'task.edited') return `${words}${fieldsOf(event)}`;
  if (event.kind === 'task.created' || !event.to || event.from === event.to) return words + outcome + reason;
  return `${words}${outcome}${event.from ? `, ${title(event.from)}` : ''} → ${title(event.to)}${reason}`;
}

function fieldsOf(event: BoardEvent): string {
  const fields = event.data?.fields;
  return Array.isArray(fields) && fields.length ? ` (${fields.join(', ').replace(/_/g, ' ')})` : '';
}
