import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll, processesNaming } from './processes.mjs';

// A directory of one test. When the test ends, what it started is stopped, last first, and the directory removed.
export function openPlace(t) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'andon-e2e-')));
  // Servers of other tests on this machine are no neighbours.
  const runtime = join(root, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const endings = [];
  t.after(async () => {
    for (const end of endings.reverse()) await end();
    killAll(processesNaming(root));
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  });
  return {
    root,
    runtime,
    path: (...parts) => join(root, ...parts),
    atEnd: (end) => endings.push(end),
    // Before the test ends, for one that uses many.
    clear: () => rmSync(root, { recursive: true, force: true }),
  };
}
