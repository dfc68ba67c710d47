import { remember, remembered } from './remembered.ts';

// Runs before the newest of this number are forgotten.
const kMost = 30;

type Kept = [run: string, paths: string[]][];

function all(): Kept {
  try {
    const kept: unknown = JSON.parse(remembered('viewed') ?? '[]');
    return Array.isArray(kept) ? (kept as Kept) : [];
  } catch {
    return [];
  }
}

// The files of a run that the person has ticked as viewed, in this browser.
export const viewedFiles = {
  of(run: string): ReadonlySet<string> {
    return new Set(all().find(([known]) => known === run)?.[1]);
  },

  keep(run: string, paths: ReadonlySet<string>): void {
    const others = all().filter(([known]) => known !== run);
    if (paths.size) others.push([run, [...paths]]);
    remember('viewed', JSON.stringify(others.slice(-kMost)));
  },
};
