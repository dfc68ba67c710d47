import type { CardWork, Check, DiffSize, LandFinding, Landing, Revert } from '../model/wire.ts';
import { kLandLimits } from '../settings/land_limits.ts';
import { count } from './words.ts';

export function diffText({ files, added, removed }: DiffSize): string {
  return `${count(files, 'file')} +${added} −${removed}`;
}

function checksText(ran: number, passed: number): string {
  return passed === ran ? `${count(ran, 'check')} ✓` : `${passed} of ${count(ran, 'check')} ✓`;
}

// "4 files +96 −12 · 2 checks ✓", of what is known.
export function workText({ diff, checks, checks_passed }: CardWork): string {
  const parts = [diff && diffText(diff), checks && checksText(checks, checks_passed ?? 0)];
  return parts.filter(Boolean).join(' · ');
}

export function allChecks(checks: readonly Check[]): string {
  return checksText(checks.length, checks.filter(({ passed }) => passed).length);
}

export interface LandingWords {
  text: string;
  tone: 'plain' | 'ok' | 'danger';
  // The server's own sentence, where the text leaves something out.
  more?: string;
}

// What became of accepted work.
// One line for a limit that a change exceeds.
export function findingText({ limit, count: found, most }: LandFinding): string {
  const label = kLandLimits.find((one) => one.name === limit)?.label ?? limit.replaceAll('_', ' ');
  return `${label}: ${found}${most > 0 ? `, the limit is ${most}` : ''}`;
}

export function revertWords({ state, reason, commit }: Revert): LandingWords {
  if (state === 'reverted') return { text: `Taken back${commit ? ` as ${commit.slice(0, 7)}` : ''}`, tone: 'plain' };
  if (state === 'refused') return { text: 'Could not be taken back', tone: 'danger', more: reason };
  return { text: reason ? `Waits to be taken back: ${reason}` : 'Waits to be taken back', tone: 'plain' };
}

export function landingWords({ state, reason, commit, branch, files }: Landing): LandingWords {
  switch (state) {
    case 'waiting':
      return { text: reason ? `Waits to be landed: ${reason}` : 'Waits to be landed', tone: 'plain' };
    case 'landed':
      return { text: `Landed${commit ? ` as ${commit.slice(0, 7)}` : ''}${branch ? ` on ${branch}` : ''}`, tone: 'ok' };
    case 'returned':
      if (files?.length) return { text: `Conflict in ${count(files.length, 'file')}: ${files.join(', ')}`, tone: 'danger', more: reason };
      return { text: `Could not be landed${reason ? `: ${reason}` : ''}`, tone: 'danger' };
    case 'asked':
      return { text: 'Waits for you: it exceeds the limits of the board', tone: 'danger' };
    default:
      return { text: 'Not landed: the task was taken up again', tone: 'plain' };
  }
}
