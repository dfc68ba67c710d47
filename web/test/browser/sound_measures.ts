// Measures of one rendered sound.
export class Sound {
  readonly samples: readonly number[];
  readonly rate: number;

  constructor(samples: readonly number[], rate: number) {
    this.samples = samples;
    this.rate = rate;
  }

  // In dBFS.
  get peak(): number {
    return decibels(this.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
  }

  // Root of the mean square over the loudest 100 ms, in dBFS.
  get loudness(): number {
    const step = this.rate / 10;
    let most = 0;
    for (let from = 0; from + step <= this.samples.length; from += step / 2) most = Math.max(most, mean(this.samples.slice(from, from + step).map((one) => one * one)));
    return decibels(Math.sqrt(most));
  }

  // Until it stays 40 dB below its peak, in seconds.
  get length(): number {
    const floor = 10 ** ((this.peak - 40) / 20);
    return (this.samples.findLastIndex((sample) => Math.abs(sample) > floor) + 1) / this.rate;
  }

  // Strength of one frequency between two times, by the Goertzel algorithm under a Hann window.
  strength(hz: number, from: number, to: number): number {
    const begin = Math.round(from * this.rate);
    const count = Math.round((to - from) * this.rate);
    const turn = 2 * Math.cos((2 * Math.PI * hz) / this.rate);
    let before = 0;
    let last = 0;
    for (let at = 0; at < count; at += 1) {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / count);
      [before, last] = [last, (this.samples[begin + at] ?? 0) * window + turn * last - before];
    }
    return Math.sqrt(Math.max(0, before * before + last * last - turn * before * last)) / count;
  }

  // The strongest frequency between two times, to half a percent.
  pitch(from: number, to: number): number {
    let best = 0;
    let most = 0;
    for (let hz = 90; hz < 1500; hz *= 1.005) {
      const strength = this.strength(hz, from, to);
      if (strength > most) [best, most] = [hz, strength];
    }
    return best;
  }

  // When a frequency first has half of its greatest strength, in seconds.
  onset(hz: number): number {
    const times = Array.from({ length: 200 }, (_, at) => at * 0.003);
    const strengths = times.map((at) => this.strength(hz, at, at + 0.03));
    const most = Math.max(...strengths);
    return times[strengths.findIndex((one) => one > most / 2)]!;
  }

  // Strengths in bands of three semitones and steps of 25 ms.
  get picture(): number[] {
    const values: number[] = [];
    for (let at = 0; at < 1; at += 0.025) for (let band = 0; band < 20; band += 1) values.push(this.strength(100 * 2 ** (band / 4), at, at + 0.05));
    return values;
  }
}

// The cosine between two pictures: 1 for equal sounds, 0 for sounds that share no time and pitch.
export function similarity(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, at) => sum + value * y[at]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const decibels = (value: number) => 20 * Math.log10(value);
