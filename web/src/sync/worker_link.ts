import { BackOff } from './back_off.ts';
import type { HubWorld } from './stream_hub.ts';
import type { FromHub, ToHub } from './stream_messages.ts';

// Starts the worker, or joins the one that runs; `failed` is called when its script cannot be loaded.
export type OpenWorker = (heard: (message: FromHub) => void, failed: () => void) => (message: ToHub) => void;

// Talks with the hub in the worker of this browser. The server may be away while the browser loads the script of the
// worker, so the worker is started again until it answers, and told then what this page wants.
export function connectWorker(open: OpenWorker, world: Pick<HubWorld, 'now' | 'chance' | 'after'>, hear: (message: FromHub) => void): (message: ToHub) => void {
  const backOff = new BackOff(world.chance);
  const wanted = new Map<ToHub['type'], ToHub>();
  let send: (message: ToHub) => void;
  let isJoined = false;
  let cancelRetry: (() => void) | undefined;

  function join(): void {
    cancelRetry?.();
    cancelRetry = undefined;
    send = open(heard, failed);
    for (const message of wanted.values()) send(message);
  }

  function heard(message: FromHub): void {
    isJoined = true;
    hear(message);
  }

  // A worker that runs has loaded; what fails in it is for its hub to mend.
  function failed(): void {
    if (isJoined || cancelRetry) return;
    const wait = backOff.wait();
    cancelRetry = world.after(wait, join);
    hear({ type: 'link', state: 'waiting', retryAt: world.now() + wait });
  }

  join();
  return (message) => {
    if (message.type === 'secret' || message.type === 'watch' || message.type === 'player') wanted.set(message.type, message);
    if (!cancelRetry) send(message);
    else if (message.type === 'retry') join();
    else if (message.type === 'leave') cancelRetry();
  };
}
