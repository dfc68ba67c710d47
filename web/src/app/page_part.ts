import { BackOff } from '../sync/back_off.ts';

// The browser and the server, as far as the loading of a part needs them.
export interface PartWorld {
  // Loads the style sheets again that could not be loaded.
  restyle(): Promise<void>;
  // True when the server has another page than this one, so that the parts of this one are gone.
  isReplaced(): Promise<boolean>;
  after(ms: number, action: () => void): void;
}

// Loads a part of the page, again until it comes: a network may change or a server restart meanwhile. Undefined when
// the server has another page by now, or when nobody wants the part any more.
export async function loadPart<T>(load: () => Promise<T>, world: PartWorld, signal: AbortSignal): Promise<T | undefined> {
  const backOff = new BackOff(Math.random);
  for (let isAgain = false; !signal.aborted; isAgain = true) {
    try {
      if (isAgain) await world.restyle();
      return await load();
    } catch {
      if (await world.isReplaced().catch(() => false)) return undefined;
      await new Promise<void>((ready) => world.after(backOff.wait(), ready));
    }
  }
  return undefined;
}
