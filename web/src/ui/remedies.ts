import type { Card, Hindrance } from '../model/wire.ts';
import type { BoardView } from './board_view.svelte.ts';

export interface Remedy {
  label: string;
  run(view: BoardView, card: Card, hindrance: Hindrance, button: HTMLElement): void;
}

type Maker = (hindrance: Hindrance, view: BoardView) => Remedy;

// What the page can do about the reasons that the server names; other remedies are not the page's.
const kRemedies: Record<string, Maker> = {
  approve: () => ({ label: 'Approve', run: (view, card) => view.start(card) }),
  answer: () => ({ label: 'Answer', run: (view, card) => view.app.openTask(card.id) }),
  verdict: () => ({ label: 'Look', run: (view, card) => view.app.openTask(card.id) }),
  retry: () => ({ label: 'Try now', run: (view, card) => view.tryAgain(card) }),
  assign: () => ({ label: 'Assign…', run: (view, card, _hindrance, button) => (view.assigning = { id: card.id, from: button.getBoundingClientRect() }) }),
  resume_worker: (hindrance, view) => ({
    label: `Resume ${view.look(hindrance.about)?.title ?? hindrance.about}`,
    run: ({ app }) => void app.attempt('Not resumed', () => app.api.setWorkerPaused(hindrance.about!, false)),
  }),
  resume_dispatch: () => ({
    label: 'Resume',
    run: ({ app }, _card, { about }) => void app.attempt('Not resumed', () => app.api.setDispatchPaused(false, about)),
  }),
  resume_account: () => ({
    label: 'Use it now',
    run: ({ app }, _card, { about }) => void app.attempt('Not resumed', () => app.api.resumeAccount(about!)),
  }),
  thaw: () => ({ label: 'Let it go on', run: ({ app }) => void app.attempt('Still stopped', () => app.api.thaw()) }),
};

export function remedyOf(hindrance: Hindrance, view: BoardView): Remedy | undefined {
  const make = hindrance.remedy ? kRemedies[hindrance.remedy] : undefined;
  if (make) return make(hindrance, view);
  const { task } = hindrance;
  return task ? { label: `Open #${task}`, run: ({ app }) => app.openTask(task) } : undefined;
}
