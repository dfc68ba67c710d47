import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kProgram } from './program.mjs';

// The library beside the program that is loaded before the C library. The loader passes over one that is not there, and then a test
// would try nothing.
export function shim(name, given) {
  const path = given ?? join(dirname(kProgram), 'tests', `${name}.so`);
  if (!existsSync(path)) throw new Error(`there is no ${path}; build the target ${name}`);
  return path;
}
