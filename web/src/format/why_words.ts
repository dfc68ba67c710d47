import type { DispatchBlocker, DispatchBlockers } from '../model/wire.ts';

export interface WhyWords {
  text: string;
  // What would help, and for whom.
  blocker?: DispatchBlocker;
}

type Names = (name: string) => string;

// The first reason why a task waits, in a few words. The worker whose task it is stands on its card already.
export function whyWords(why: DispatchBlockers, assignee: string | null | undefined, nameOf: Names, asMoment: (at: string) => string): WhyWords {
  const [first] = why.hindrances;
  const forWhom = (name: string | undefined) => (name && name !== assignee ? ` for ${nameOf(name)}` : '');
  if (!first) return { text: `Next in line${forWhom(why.worker)}` };
  if (first.code === 'turn' && first.ahead) return { text: `${place(first.ahead + 1)} in line${forWhom(first.about)}`, blocker: first };
  if (first.code === 'worker' && first.task && first.about === assignee) return { text: `After #${first.task}`, blocker: first };
  return { text: wordsOf(first, nameOf, asMoment), blocker: first };
}

function wordsOf(blocker: DispatchBlocker, nameOf: Names, asMoment: (at: string) => string): string {
  const about = blocker.about ? nameOf(blocker.about) : '';
  if (blocker.code === 'worker' && blocker.task) return `${about} is busy with #${blocker.task}`;
  if (blocker.remedy === 'assign') return 'Nobody takes it';
  if (blocker.remedy === 'resume_worker') return `${about} is paused`;
  if (blocker.code === 'frozen') return about ? `${about} is frozen` : 'The line is stopped';
  const text = blocker.text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, asMoment).replace(/^it (is |waits)/, (_all, verb: string) => (verb === 'is ' ? '' : 'waits'));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function place(number: number): string {
  const rest = number % 100;
  const ending = rest > 10 && rest < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}
