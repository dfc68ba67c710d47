import type { Happening } from '../model/board_model.ts';
import { callOf, isReview } from '../model/attention.ts';
import { triesAgain } from '../model/card_layout.ts';
import type { Card, Stage } from '../model/wire.ts';
import type { CueKind, CueRequest } from './cues.ts';

// What each stage sounds like when a task enters it. The stage decides, not the name of the column.
const kOfStage: Partial<Record<Stage, CueKind>> = {
  backlog: 'backlog', ready: 'todo', claimed: 'in_progress', active: 'in_progress', done: 'done',
};

export const cueOfStage = (stage: Stage): CueKind | undefined =>
  stage === 'blocked' || stage === 'failed' ? stage : stage === 'review' ? 'question' : kOfStage[stage];

export const keyOf = (task: number, change: string | number): string => `${task}:${change}`;

export function requestsOf(happenings: readonly Happening[]): CueRequest[] {
  return happenings.flatMap((happening) => {
    const kind = happening.to === undefined ? undefined : kindOf(happening);
    return kind ? [requestOf(happening, kind)] : [];
  });
}

function requestOf({ card, own, why, late }: Happening, kind: CueKind): CueRequest {
  const needsPerson = !own && (kind === 'question' || kind === 'stopped' || kind === 'blocked' || (kind === 'failed' && !triesAgain(card)));
  return { kind, key: keyOf(card.id, why.m ?? card.rev), own, needsPerson, late };
}

// The first row that holds decides.
const kRows: [CueKind, (happening: Happening) => boolean][] = [
  ['question', ({ card, before }) => isAsked(card, before) || waitsForReview(card, before)],
  ['stopped', ({ why }) => why.kind === 'killed'],
  ['failed', (happening) => hasFailed(happening) || isStale(happening)],
  ['blocked', ({ card, before }) => isBlocked(card) && !(before && isBlocked(before))],
];

function kindOf(happening: Happening): CueKind | undefined {
  const row = kRows.find(([, holds]) => holds(happening));
  return row ? row[0] : movedTo(happening);
}

function isAsked({ question }: Card, before: Card | undefined): boolean {
  return !!question && (question.asked_at !== before?.question?.asked_at || question.text !== before?.question?.text);
}

const waitsForReview = (card: Card, before: Card | undefined): boolean =>
  isReview(callOf(card)) && !!before && !isReview(callOf(before));

function hasFailed({ card, before, why }: Happening): boolean {
  if (card.stage === 'failed') return !!before && before.stage !== 'failed';
  if (!card.failure || !before) return false;
  return card.failure !== before.failure || (why.kind === 'failed' && isInWork(before) && !isInWork(card));
}

// A run that did not go on keeps its attempt; one that never began gets it back. A worker may give its task back itself.
function isStale({ card, before, why }: Happening): boolean {
  if (why.kind !== 'stale' || !before || !isInWork(before) || isInWork(card)) return false;
  return card.attempt >= before.attempt && why.by !== before.claimed_by;
}

const isInWork = ({ stage }: Card): boolean => stage === 'active' || stage === 'claimed';

const isBlocked = (card: Card): boolean => !!card.blocked || card.stage === 'blocked';

function movedTo({ card, before }: Happening): CueKind | undefined {
  const kind = kOfStage[card.stage];
  if (!before) return isNew(card) ? kind : undefined;
  return kind === kOfStage[before.stage] ? undefined : kind;
}

// Cards of a long column that the page has not loaded look new, too, but entered their column before.
function isNew({ created, updated }: Card): boolean {
  return Date.parse(updated) - Date.parse(created) < 1000;
}
