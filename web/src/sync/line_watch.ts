import type { LinkState } from './stream_messages.ts';

// A page that somebody looks at asks again this often, so that it is back soon after its server is.
const kAskAgain = 2500;

export interface Surroundings {
  isHidden(): boolean;
  // Calls back when the network returns, or the page is shown or focused again.
  onReturn(action: () => void): void;
  every(ms: number, action: () => void): void;
}

// Watches for the moment at which a lost stream may work again, and has it tried then.
export class LineWatch {
  #state: LinkState = 'connecting';

  constructor(around: Surroundings, retry: () => void) {
    const tryNow = () => this.#state === 'waiting' && !around.isHidden() && retry();
    around.onReturn(tryNow);
    around.every(kAskAgain, tryNow);
  }

  heard(state: LinkState): void {
    this.#state = state;
  }
}

export function browserSurroundings(): Surroundings {
  return {
    isHidden: () => document.hidden,
    onReturn(action) {
      addEventListener('online', action);
      addEventListener('focus', action);
      document.addEventListener('visibilitychange', action);
    },
    every: (ms, action) => void setInterval(action, ms),
  };
}
