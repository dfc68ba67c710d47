import type { Card } from './wire.ts';

// How loud a card is, loudest first: what waits for a person, what is wrong, what runs, what will run, what rests, what is over.
export type Weight = 'asks' | 'review' | 'failed' | 'running' | 'blocked' | 'queued' | 'resting' | 'done';

export type TitleStyle = 'strong' | 'plain' | 'done';

// How much of a text fits is the one fact that depends on fonts; everything else is arithmetic.
export interface CardLayout {
  // Lines that a title takes, 1 or 2.
  titleLines(title: string, style: TitleStyle): number;
  // Lines of small text, at most so many.
  textLines(text: string, most: number): number;
}

// Heights in px.
export const kCardGap = 8;
const kEdges = 18;
const kTop = 18;
const kTitleLine = 20;
const kTextLine = 18;
const kTextGap = 4;
const kChoices = 34;
const kField = 40;
const kFoot = 30;
const kDoneEdges = 8;

// Most lines of the text below the title.
export const kQuestionLines = 3;
export const kReasonLines = 2;

export function weightOf(card: Card): Weight {
  if (card.stage === 'done' || card.stage === 'archived') return 'done';
  if (asksInWork(card)) return 'asks';
  if (card.run && isLive(card.run.state)) return 'running';
  if (card.question && !card.question.run) return 'asks';
  if (card.stage === 'review' && !card.blocked) return 'review';
  if (card.stage === 'failed' || (card.blocked && card.attempt > 0) || triesAgain(card)) return 'failed';
  if (card.blocked || card.stage === 'blocked') return 'blocked';
  return card.stage === 'backlog' ? 'resting' : 'queued';
}

// The agent works on it and waits for an answer.
export function asksInWork(card: Card): boolean {
  return !!card.run && card.run.state === 'running' && card.question?.run === card.run.id;
}

// An attempt failed and another one follows by itself.
export function triesAgain(card: Card): boolean {
  return card.stage === 'ready' && !card.blocked && !!card.failure && !!card.not_before;
}

export function titleStyle(weight: Weight): TitleStyle {
  if (weight === 'done') return 'done';
  return weight === 'resting' || weight === 'blocked' ? 'plain' : 'strong';
}

// The text between title and foot, where it is the card's own.
export function textOf(card: Card, weight: Weight): string | undefined {
  switch (weight) {
    case 'asks':
      return card.question?.text;
    case 'failed':
      return (card.blocked ? card.block_reason : card.failure) ?? card.block_reason ?? undefined;
    case 'blocked':
      return card.block_reason ?? 'Blocked';
    case 'review':
      return card.flag ?? undefined;
    default:
      return undefined;
  }
}

export function isLive(runState: string): boolean {
  return runState !== 'ended' && runState !== 'finished';
}

export function cardHeight(card: Card, layout: CardLayout): number {
  const weight = weightOf(card);
  const title = kTitleLine * layout.titleLines(card.title, titleStyle(weight));
  if (weight === 'done') return kDoneEdges + title;
  return kEdges + kTop + title + belowTitle(card, weight, layout);
}

function belowTitle(card: Card, weight: Weight, layout: CardLayout): number {
  const text = textOf(card, weight);
  const lines = (most: number) => (text ? kTextGap + kTextLine * layout.textLines(text, most) : 0);
  switch (weight) {
    case 'asks':
      return lines(kQuestionLines) + (card.question?.choices?.length ? kChoices : 0) + kField;
    case 'failed':
    case 'blocked':
      return lines(kReasonLines) + kFoot;
    case 'review':
      return lines(1) + kFoot;
    case 'running':
      return kTextGap + kTextLine;
    case 'queued':
      return kTextGap + kTextLine + kFoot;
    default:
      return kFoot;
  }
}
