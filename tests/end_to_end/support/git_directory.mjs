import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

// All files of a directory, by path: kind, mode and content, but no times.
export function contentOf(root) {
  const out = new Map();
  const visit = (directory) => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      const stat = lstatSync(path);
      const content = stat.isFile() ? hash(readFileSync(path)) : stat.isSymbolicLink() ? readlinkSync(path) : '';
      if (!stat.isSocket()) out.set(relative(root, path), `${stat.mode.toString(8)} ${content}`);
      if (stat.isDirectory()) visit(path);
    }
  };
  visit(root);
  return out;
}

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

// What a landing on the checked-out branch `main` may change.
const kLandedFiles = ['refs/heads/main', 'logs/refs/heads/main', 'logs/HEAD', 'index', 'ORIG_HEAD'];

// Fails unless a git directory is what it was, but for new objects and the traces of a landing on `main` where one is expected.
export function assertKept(before, after, { landed = false } = {}) {
  const changed = [...before].filter(([path, was]) => after.get(path) !== was).map(([path]) => path);
  const added = [...after.keys()].filter((path) => !before.has(path));
  const isExpected = (path) => landed && (kLandedFiles.includes(path) || (path.startsWith('objects/') && !before.has(path)));
  const surprises = [...changed, ...added].filter((path) => !isExpected(path));
  assert.deepEqual(surprises.map((path) => `${path}: ${before.get(path)} -> ${after.get(path)}`), []);
}
