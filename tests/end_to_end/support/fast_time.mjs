import { setTimeout as pause } from 'node:timers/promises';
import { shim } from './shims.mjs';

// The time of the programs that are started with its `env`: it passes `rate` times as fast as that of the test, in all they
// read and wait for; see tests/support/clock_shim. Their agents keep the real time.
export class FastTime {
  #since = Date.now();

  constructor(rate) {
    this.rate = rate;
    this.env = { LD_PRELOAD: shim('fast_time'), ANDON_TIME_RATE: String(rate), ANDON_TIME_SINCE: `${this.#since}000000` };
  }
  // The time of their clocks, in milliseconds since 1970, at a moment of the real clock.
  at(real) {
    return this.#since + (real - this.#since) * this.rate;
  }
  get now() {
    return this.at(Date.now());
  }
  pause(milliseconds) {
    return pause(milliseconds / this.rate);
  }
}
