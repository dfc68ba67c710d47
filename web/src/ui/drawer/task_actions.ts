import type { Task } from '../../model/wire.ts';
import { capitalised } from '../../format/words.ts';
import type { TaskVerb } from '../../sync/api.ts';

export interface Action {
  verb: TaskVerb;
  label: string;
  failed: string;
  // What the person is asked for first.
  ask?: string;
  primary?: boolean;
  danger?: boolean;
  quiet?: boolean;
}

// The verbs a person has a button for, the nearest first.
const kActions: readonly Action[] = [
  { verb: 'accept', label: 'Accept', failed: 'Not accepted', primary: true },
  { verb: 'reject', label: 'Send back…', failed: 'Not sent back', ask: 'What is to be done again?' },
  { verb: 'approve', label: 'Start', failed: 'Not started', primary: true },
  { verb: 'kill', label: 'Stop the run', failed: 'Not stopped', danger: true },
  { verb: 'unblock', label: 'Unblock', failed: 'Still blocked', quiet: true },
  { verb: 'retry', label: 'Try again', failed: 'Not queued again' },
  { verb: 'release', label: 'Take it from its holder', failed: 'Not released', quiet: true },
  { verb: 'complete', label: 'Mark as done', failed: 'Not completed', quiet: true },
  { verb: 'block', label: 'Block…', failed: 'Not blocked', ask: 'What stops this task?', quiet: true },
  { verb: 'revert', label: 'Take the work back…', failed: 'Not taken back', ask: 'Why? The task opens again with this reason.', quiet: true },
  { verb: 'archive', label: 'Archive', failed: 'Not archived', quiet: true },
];

// An agent or an automation made the task, and no person has looked at it yet.
const waitsForApproval = (task: Task) => !task.approved && !!task.created_by && !task.created_by.startsWith('user:');

function named(action: Action, task: Task): Action {
  if (action.verb === 'block' && task.blocked) return { ...action, label: 'Change the reason…' };
  return action.verb === 'approve' && waitsForApproval(task) ? { ...action, label: 'Approve', failed: 'Not approved' } : action;
}

export function actionsOf(task: Task): Action[] {
  const can = new Set(task.can);
  // To stop an agent is to take the task from it.
  if (can.has('kill')) can.delete('release');
  return kActions.filter(({ verb }) => can.has(verb)).map((action) => named(action, task));
}

// What the server refuses now, with its reasons.
export function refusedOf(task: Task): { action: Action; why: string }[] {
  return kActions.flatMap((action) => {
    const why = task.cannot?.[action.verb];
    return why ? [{ action: named(action, task), why: capitalised(why.replace(/; possible now: .*$/, '')) }] : [];
  });
}
