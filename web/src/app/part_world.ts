import type { PartWorld } from './page_part.ts';

// Links of style sheets whose files did not come. A browser never asks for such a file again by itself.
const failed = new Set<HTMLLinkElement>();
const restored = new Map<string, Promise<void>>();

// The event does not bubble.
document.addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.rel === 'stylesheet' && failed.add(target), true);

export const kPartWorld: PartWorld = {
  restyle: () => Promise.all([...failed].map(restore)).then(() => undefined),
  async isReplaced() {
    const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src');
    const answer = await fetch('/', { cache: 'no-store' });
    return answer.ok && !!entry && !(await answer.text()).includes(entry);
  },
  after: (ms, action) => void setTimeout(action, ms),
};

// Two parts may wait for one style sheet.
function restore(link: HTMLLinkElement): Promise<void> {
  const before = restored.get(link.href);
  if (before) return before;
  const fresh = link.cloneNode() as HTMLLinkElement;
  const loading = new Promise<void>((ready, fail) => {
    fresh.onload = () => ready();
    fresh.onerror = () => fail(new Error(`The style sheet ${fresh.href} did not come.`));
  }).finally(() => restored.delete(fresh.href));
  restored.set(fresh.href, loading);
  failed.delete(link);
  link.replaceWith(fresh);
  return loading;
}
