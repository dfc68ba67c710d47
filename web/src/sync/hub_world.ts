import { openEventStream } from './event_stream.ts';
import type { HubWorld } from './stream_hub.ts';

export function browserWorld(base: string): HubWorld {
  return {
    open(boards, since, secret, handlers) {
      const query = new URLSearchParams({ boards: boards.join(','), since });
      return openEventStream(base, `/events?${query}`, secret, handlers);
    },
    now: () => Date.now(),
    chance: () => Math.random(),
    after(ms, action) {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
  };
}
