import type { Card, DispatchBlocker } from '../model/wire.ts';
import type { BoardView } from './board_view.svelte.ts';

export interface Remedy {
  label: string;
  run(view: BoardView, card: Card, blocker: DispatchBlocker, button: HTMLElement): void;
}

type Maker = (blocker: DispatchBlocker, view: BoardView) => Remedy;

// What the page can do about the reasons that the server names; other remedies are not the page's.
const kRemedies: Record<string, Maker> = {
  approve: () => ({ label: 'Approve', run: (view, card) => view.start(card) }),
  answer: () => ({ label: 'Answer', run: (view, card) => view.app.openTask(card.id) }),
  verdict: () => ({ label: 'Look', run: (view, card) => view.app.openTask(card.id) }),
  retry: () => ({ label: 'Try now', run: (view, card) => view.tryAgain(card) }),
  assign: () => ({ label: 'Assign…', run: (view, card, _blocker, button) => (view.assigning = { id: card.id, from: button.getBoundingClientRect() }) }),
  resume_worker: (blocker, view) => ({
    label: `Resume ${view.look(blocker.about)?.title ?? blocker.about}`,
    run: ({ app }) => void app.attempt('Not resumed', () => app.api.setWorkerPaused(blocker.about!, false)),
  }),
  resume_dispatch: () => ({
    label: 'Resume',
    run: ({ app }, _card, { about }) => void app.attempt('Not resumed', () => app.api.setDispatchPaused(false, about)),
  }),
  resume_account: () => ({
    label: 'Use it now',
    run: ({ app }, _card, { about }) => void app.attempt('Not resumed', () => app.api.resumeAccount(about!)),
  }),
  retry_fault: () => ({
    label: 'Try again',
    run: ({ app }, _card, { about }) => {
      const [scope, name] = about!.split(' ') as ['board' | 'machine', string];
      void app.attempt('Not tried again', () => app.api.retryFault(scope, name));
    },
  }),
  thaw: () => ({ label: 'Let it go on', run: ({ app }) => void app.attempt('Still stopped', () => app.api.thaw()) }),
};

export function remedyOf(blocker: DispatchBlocker, view: BoardView): Remedy | undefined {
  const make = blocker.remedy ? kRemedies[blocker.remedy] : undefined;
  if (make) return make(blocker, view);
  const { task } = blocker;
  return task ? { label: `Open #${task}`, run: ({ app }) => app.openTask(task) } : undefined;
}
