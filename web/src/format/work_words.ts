import type { CardWork, Check, DiffSize, LandFinding, Landing, Revert } from '../model/wire.ts';
import { kLandLimits } from '../settings/land_limits.ts';
import { visibleText } from './visible_text.ts';
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

// Findings whose words are longer than the label of a setting, for one and for more.
const kFindingWords: Readonly<Record<string, readonly [string, string]>> = {
  moved_files: ['File that leaves a top folder of which nothing stays', 'Files that leave a top folder of which nothing stays'],
  lost_tests: ['Test that is no longer collected or run', 'Tests that are no longer collected or run'],
  lost_assertions: ['Assertion that test files lose', 'Assertions that test files lose'],
  weak_tests: ['Line that skips a test or asserts what is always true', 'Lines that skip a test or assert what is always true'],
  secret_commits: ['Place in the history of the work that looks like a secret', 'Places in the history of the work that look like secrets'],
  hidden_text: ['Line with text that a reader does not see', 'Lines with text that a reader does not see'],
  odd_files: ['Link out of the repository, file turned to a link, or program', 'Links out of the repository, files turned to links, and programs'],
  old_checks: ['Check that passes only with the changed check files', 'Checks that pass only with the changed check files'],
  unknown_tests: ['Comparison of tests that could not be made', 'Comparisons of tests that could not be made'],
  known_secrets: ['Place in the history of the work with a secret of this machine', 'Places in the history of the work with secrets of this machine'],
  left_out: ['Path of the work left out', 'Paths of the work left out'],
};

// One line for a limit that a change exceeds.
export function findingText({ limit, count: found, most }: LandFinding): string {
  const words = kFindingWords[limit]?.[found === 1 ? 0 : 1];
  const label = words ?? kLandLimits.find((one) => one.name === limit)?.label ?? limit.replaceAll('_', ' ');
  return `${label}: ${found}${most > 0 ? `, the limit is ${most}` : ''}`;
}

// True where a part of the findings is in the history of the work, which one commit does not have.
export function isOfHistory(findings: readonly LandFinding[]): boolean {
  return findings.some(({ limit }) => limit === 'secret_commits' || limit === 'known_secrets');
}

export interface ShownLines {
  text: string;
  more: number;
}

const kShownLines = 8;

// The first lines of a finding, every character of them visible, and how many more there are.
export function shownLines({ lines }: LandFinding): ShownLines {
  const all = (lines ?? []).flatMap((line) => visibleText(line).split('\n'));
  return { text: all.slice(0, kShownLines).join('\n'), more: Math.max(0, all.length - kShownLines) };
}

export function revertWords({ state, reason, commit }: Revert): LandingWords {
  if (state === 'reverted') return { text: `Taken back${commit ? ` as ${commit.slice(0, 7)}` : ''}`, tone: 'plain' };
  if (state === 'refused') return { text: 'Could not be taken back', tone: 'danger', more: reason };
  return { text: reason ? `Waits to be taken back: ${reason}` : 'Waits to be taken back', tone: 'plain' };
}

// The state of the landing of accepted work, in words.
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
