import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const kProgram = process.env.ANDON_PROGRAM ?? fileURLToPath(new URL('../../../build/release/andon', import.meta.url));
if (!existsSync(kProgram)) throw new Error(`There is no ${kProgram} to test; ANDON_PROGRAM names another`);

// What a person has who never used Andon: a home of their own and nothing of the caller's settings.
export function cleanEnvironment(place, extra = {}) {
  return { PATH: process.env.PATH, HOME: place.root, LANG: 'C.UTF-8', XDG_RUNTIME_DIR: place.runtime, ...extra };
}

// Runs `andon` to its end: {code, signal, out, err}.
export function andon(place, args, { env = {}, input = '', program = kProgram, uid } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: place.root, env: cleanEnvironment(place, env), uid });
    const result = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (result.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (result.err += text));
    child.stdin.on('error', () => {}).end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ ...result, code, signal }));
  });
}

// The same for a command that has to succeed: what it printed, with --json as a value.
export async function told(place, args, options) {
  const { code, out, err } = await andon(place, args, options);
  if (code !== 0) throw new Error(`andon ${args.join(' ')} ended with ${code}\n${out}${err}`);
  return args.includes('--json') ? JSON.parse(out) : out;
}
