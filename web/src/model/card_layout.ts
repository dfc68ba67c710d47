import type { Card } from './wire.ts';

// How loud a card is, loudest first: what waits for a person, what is wrong, what runs, what will run, what rests, what is over.
export type Weight = 'asks' | 'review' | 'failed' | 'running' | 'blocked' | 'queued' | 'resting' | 'done';

export type TitleStyle = 'strong' | 'plain' | 'done';

// How much of a text fits is the one fact that depends on fonts; everything else is arithmetic.
export interface CardLayout {
  // Lines that a title takes, 1 or 2.
  titleLines(title: string, style: TitleStyle, withCost: boolean): number;
  // Lines of small text, at most so many.
  textLines(text: string, most: number): number;
  // Rows that the choices of a question take.
  choiceRows(choices: readonly string[]): number;
  // The size of text that the person chose, as a multiple of the usual one.
  scale: number;
  // For a phone: no foot where it only tells what the opened task tells, and room for a finger where there is something to press.
  compact: boolean;
}

// px between two cards, whatever the size of text.
export const kCardGap = 8;

// Heights in px at the usual size of text, as CardFace.svelte draws them.
const kEdges = 18;
const kTop = 18;
const kTitleLine = 20;
const kTextLine = 18;
const kTextGap = 4;
const kDoneEdges = 8;
// What a person can press.
const kTools = {
  regular: { choice: 26, field: 40, foot: 30 },
  compact: { choice: 40, field: 48, foot: 46 },
};
const kAboveChoices = 8;
const kBetweenChoices = 6;

// More rows of choices are for the opened task.
export const kChoiceRows = 3;

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

// How much there is to review, told in one line.
export function hasWork(card: Card, weight: Weight): boolean {
  return weight === 'review' && !!card.work;
}

// Whether the card tells what its runs spent: it is at work, waits for a person, or is over.
export function tellsCost(weight: Weight): boolean {
  return weight !== 'blocked' && weight !== 'queued' && weight !== 'resting';
}

export function isLive(runState: string): boolean {
  return runState !== 'ended' && runState !== 'finished';
}

export function cardHeight(card: Card, layout: CardLayout): number {
  const weight = weightOf(card);
  const title = kTitleLine * layout.titleLines(card.title, titleStyle(weight), !!card.spent);
  const height = weight === 'done' ? kDoneEdges + title : kEdges + kTop + title + belowTitle(card, weight, layout);
  return height * layout.scale;
}

// Whether the card has a last row with its worker, facts and what can be done.
export function hasFoot(weight: Weight, compact: boolean): boolean {
  if (weight === 'asks' || weight === 'running' || weight === 'done') return false;
  return !compact || weight === 'review' || weight === 'failed';
}

function belowTitle(card: Card, weight: Weight, layout: CardLayout): number {
  const text = textOf(card, weight);
  const tools = layout.compact ? kTools.compact : kTools.regular;
  const lines = (most: number) => (text ? kTextGap + kTextLine * layout.textLines(text, most) : 0);
  const foot = hasFoot(weight, layout.compact) ? tools.foot : 0;
  switch (weight) {
    case 'asks':
      return lines(kQuestionLines) + choicesHeight(card.question?.choices ?? [], tools.choice, layout) + tools.field;
    case 'failed':
    case 'blocked':
      return lines(kReasonLines) + foot;
    case 'review':
      return lines(1) + (hasWork(card, weight) ? kTextGap + kTextLine : 0) + foot;
    case 'running':
    case 'queued':
      return kTextGap + kTextLine + foot;
    default:
      return foot;
  }
}

function choicesHeight(choices: readonly string[], choice: number, layout: CardLayout): number {
  const rows = choices.length ? Math.min(kChoiceRows, layout.choiceRows(choices)) : 0;
  return rows && kAboveChoices + rows * choice + (rows - 1) * kBetweenChoices;
}
