import { lengthOf, type Cue, type Voice } from './cues.ts';

// voices → a low-pass for each → master gain → compressor → out. An OfflineAudioContext renders the same graph.

export interface SoundChain {
  context: BaseAudioContext;
  master: GainNode;
}

const kAttack = 0.006;
const kSilence = 0.0001;

export function makeChain(context: BaseAudioContext, volume: number): SoundChain {
  const master = context.createGain();
  master.gain.value = volume;
  const compressor = context.createDynamicsCompressor();
  compressor.threshold.value = -12;
  compressor.ratio.value = 4;
  master.connect(compressor).connect(context.destination);
  return { context, master };
}

// Starts a cue at a time of the context and returns when it ends. Its nodes are released as each voice ends.
export function startCue(chain: SoundChain, cue: Cue, at: number, level = 1): number {
  for (const voice of cue.voices) startVoice(chain, voice, cue.lowPass, at + voice.at, level);
  return at + lengthOf(cue);
}

function startVoice({ context, master }: SoundChain, voice: Voice, lowPass: number, at: number, level: number): void {
  const end = at + voice.length;
  const oscillator = new OscillatorNode(context, { type: voice.wave, frequency: voice.hz });
  oscillator.frequency.setValueAtTime(voice.hz, at);
  if (voice.glideTo) oscillator.frequency.exponentialRampToValueAtTime(voice.glideTo, end);

  const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: lowPass });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(kSilence, at);
  gain.gain.exponentialRampToValueAtTime(voice.peak * level, at + kAttack);
  gain.gain.exponentialRampToValueAtTime(kSilence, end);

  oscillator.connect(filter).connect(gain).connect(master);
  oscillator.onended = () => {
    oscillator.disconnect();
    filter.disconnect();
    gain.disconnect();
  };
  oscillator.start(at);
  oscillator.stop(end);
}
