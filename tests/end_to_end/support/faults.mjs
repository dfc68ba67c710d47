import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { shim } from './shims.mjs';

const kShim = shim('faults', process.env.ANDON_FAULTS_SHIM);
const kNumbers = 5;
const { ENOSPC, EIO } = constants.errno;

// What can become of a call that changes files; tests/support/faults/faults.c carries it out.
export const kFaults = [
  { name: 'ENOSPC', fault: ENOSPC },
  { name: 'a disk that stays full', fault: ENOSPC, lasts: true },
  { name: 'a short write', fault: -2 },
  { name: 'EIO', fault: EIO },
  { name: 'kill -9', fault: -1 },
];

// The faults of the processes of one place. They count only what happens to files beneath `root`.
export class Faults {
  constructor(place, root = place.root) {
    this.file = place.path('faults');
    writeFileSync(this.file, new Uint8Array(kNumbers * 8));
    this.env = { LD_PRELOAD: kShim, ANDON_FAULTS: this.file, ANDON_FAULTS_BELOW: root };
    this.rest();
  }

  // The call after `left` others gets the fault.
  arm(left, { fault, lasts = false }) {
    this.write([left, fault, lasts ? 1 : 0, 0, 0]);
  }
  rest() {
    this.write([-1, 0, 0, 0, 0]);
  }
  get counted() {
    return Number(this.numbers()[3]);
  }
  get happened() {
    return this.numbers()[4] === 1n;
  }

  // In place and never shorter: processes have the file in memory.
  write(numbers) {
    const file = openSync(this.file, 'r+');
    writeSync(file, new Uint8Array(BigInt64Array.from(numbers.map(BigInt)).buffer), 0, kNumbers * 8, 0);
    closeSync(file);
  }
  numbers() {
    const bytes = readFileSync(this.file);
    return new BigInt64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + kNumbers * 8));
  }
}
