import { remember, remembered } from './remembered.ts';

// Drafts older than the newest of this number are forgotten.
const kMost = 50;

type Kept = [key: string, text: string][];

function all(): Kept {
  try {
    const kept: unknown = JSON.parse(remembered('drafts') ?? '[]');
    return Array.isArray(kept) ? (kept as Kept) : [];
  } catch {
    return [];
  }
}

// Unsent texts of this browser, each under a key that names its store, task and field. They outlive the page.
export const drafts = {
  of(key: string): string | undefined {
    return all().find(([known]) => known === key)?.[1];
  },

  // An empty text forgets the draft.
  keep(key: string, text: string): void {
    const others = all().filter(([known]) => known !== key);
    if (text) others.push([key, text]);
    remember('drafts', JSON.stringify(others.slice(-kMost)));
  },
};
