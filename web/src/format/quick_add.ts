import type { Worker } from '../model/wire.ts';

export interface Wish {
  title: string;
  assignee?: string;
  tags?: string[];
  priority?: string;
}

// "Fix the cart @developer #api !high": words that name nothing known stay in the title.
export function parseQuickAdd(text: string, priorities: readonly string[], workers: readonly Pick<Worker, 'name'>[]): Wish {
  const wish: Wish = { title: '' };
  const words: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const name = word.slice(1);
    const worker = workers.find((one) => one.name.toLowerCase() === name.toLowerCase());
    const priority = priorities.find((one) => one.toLowerCase() === name.toLowerCase());
    if (word.startsWith('@') && worker) wish.assignee = worker.name;
    else if (word.startsWith('!') && priority) wish.priority = priority;
    else if (/^#[\p{L}][\p{L}\p{N}_-]*$/u.test(word)) wish.tags = [...(wish.tags ?? []), name];
    else words.push(word);
  }
  wish.title = words.join(' ');
  return wish;
}
