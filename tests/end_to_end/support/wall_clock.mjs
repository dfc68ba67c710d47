import { openSync, writeSync } from 'node:fs';
import { shim } from './shims.mjs';

const kShim = shim('clock_shim');
const kUsual = 1_000_000n;
const kSettingBytes = 24;

// The wall clock of the programs that are started with its `env`; see tests/support/clock_shim.
export class WallClock {
  #file;
  #which = 0;
  #setting;

  constructor(place) {
    const path = place.path('clock');
    this.#file = openSync(path, 'w+');
    this.env = { LD_PRELOAD: kShim, ANDON_CLOCK_FILE: path };
    const now = this.#real();
    this.#set({ since: now, shown: now, rate: kUsual });
  }

  // What it shows, in milliseconds since 1970.
  get now() {
    const { since, shown, rate } = this.#setting;
    return Number((shown + ((this.#real() - since) * rate) / kUsual) / 1_000_000n);
  }
  stepBy(seconds) {
    this.#set({ since: this.#real(), shown: BigInt(Math.round(this.now + seconds * 1000)) * 1_000_000n, rate: this.#setting.rate });
  }
  // 1 as usual, 0 stands still.
  goAt(rate) {
    this.#set({ since: this.#real(), shown: BigInt(this.now) * 1_000_000n, rate: BigInt(Math.round(rate * 1e6)) });
  }

  #real() {
    return BigInt(Date.now()) * 1_000_000n;
  }
  #set(setting) {
    this.#setting = setting;
    this.#which = 1 - this.#which;
    const bytes = Buffer.alloc(kSettingBytes);
    [setting.since, setting.shown, setting.rate].forEach((n, i) => bytes.writeBigInt64LE(n, i * 8));
    writeSync(this.#file, bytes, 0, kSettingBytes, 8 + this.#which * kSettingBytes);
    const which = Buffer.alloc(8);
    which.writeBigInt64LE(BigInt(this.#which));
    writeSync(this.#file, which, 0, 8, 0);
  }
}
