import { kCues } from '../../src/sound/cues.ts';
import { makeChain, startCue } from '../../src/sound/synthesis.ts';

// Runs in the browser: each cue as the page plays it at full volume.
export async function renderCues(rate: number, seconds: number): Promise<Record<string, number[]>> {
  const rendered: Record<string, number[]> = {};
  for (const cue of kCues) {
    const context = new OfflineAudioContext(1, rate * seconds, rate);
    startCue(makeChain(context, 1), cue, 0);
    rendered[cue.kind] = [...(await context.startRendering()).getChannelData(0)];
  }
  return rendered;
}
