import type { ChangedFile, Landing, RunDiff } from '../../src/model/wire.ts';
import { createTask } from './rules.ts';
import { addBoard } from './seed.ts';
import type { Store } from './store.ts';

const kLines = 290;

// A board of three tasks in review: one of many files, two of the small diff below.
export function seedReviews(store: Store, files: number): void {
  const board = addBoard(store, 'bureau', 'Bureau');
  const stored = store.boards.find((one) => one.name === board.name)!;
  stored.columns.splice(3, 0, { name: 'review', title: 'Review', stage: 'review', count: 0 });
  const diffs = [manyFiles(files), smallDiff(), smallDiff()];
  ['Move the cart into a module of its own', 'Rename the session store', 'Say what a cart costs'].forEach((title, at) => {
    const task = createTask(store, { board: 'bureau', title, status: 'review', assignee: 'developer' }, 'user:ann');
    const id = store.nextRun++;
    const diff = { ...diffs[at]!, run: id };
    const ended = Date.now() - (3 - at) * 60_000;
    task.entered = new Date(ended).toISOString();
    task.run = id;
    task.attempt = 1;
    task.result = 'The cart is a module now, and all checks pass.';
    store.diffs.set(id, diff);
    store.runs.set(id, {
      id, task: task.id, worker: 'developer', attempt: 1, state: 'ended', outcome: 'succeeded', started: new Date(ended - 252_000).toISOString(), ended: task.entered,
      branch: `andon/${task.id}`, head: 'c0ffee', files_changed: diff.files.length,
      diff_size: { files: diff.files.length, added: sum(diff.files, 'added'), removed: sum(diff.files, 'removed') },
      checks: [{ name: 'unit', passed: true, seconds: 41, output: '96 passed' }, { name: 'lint', passed: true, seconds: 3 }],
      usage: { input: 120_000, output: 9_000, cost_usd: 1.32 },
    });
  });
}

// As the server does when it lands work, or gives it back.
export function land(store: Store, id: number, landing: Landing): void {
  const task = store.task(id);
  store.runs.get(task.run!)!.landing = landing;
  store.changed(task, 'task.edited', 'system', { kind: 'user', by: 'andon' });
}

const sum = (files: readonly ChangedFile[], which: 'added' | 'removed') => files.reduce((total, file) => total + file[which], 0);

// Every file has one hunk: changed pairs between context.
export function manyFiles(count: number): RunDiff {
  const files: ChangedFile[] = [];
  const parts: string[] = [];
  for (let file = 1; file <= count; file += 1) {
    const path = `src/part_${Math.ceil(file / 20)}/file_${file}.ts`;
    const lines: string[] = [];
    for (let line = 0; line < kLines; line += 1) lines.push(textOf(file, line));
    const removed = lines.filter((line) => line.startsWith('-')).length;
    files.push({ path, added: removed, removed });
    parts.push(`diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,${kLines - removed} +1,${kLines - removed} @@\n${lines.join('\n')}\n`);
  }
  return { run: 0, branch: 'andon/1', files, diff: parts.join(''), truncated: false };
}

function textOf(file: number, line: number): string {
  if (line % 10 === 4) return `-  const total_${line} = sum(cart.items, ${file});`;
  if (line % 10 === 5) return `+  const total_${line - 1} = sumOf(cart.items, ${file});`;
  return ` // line ${line} of file ${file}`;
}

const kSmall = `diff --git a/src/cart.ts b/src/cart.ts
index 1..2 100644
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -3,4 +3,5 @@ export function renew()
   const now = clock();
-  renew(session);
+  renew(cart);
+  keep(cart);
   return now;
 }
@@ -40,2 +41,1 @@ export function forget()
 }
-forget(all);
diff --git a/src/session.ts b/src/store.ts
similarity index 95%
rename from src/session.ts
rename to src/store.ts
index 3..4 100644
--- a/src/session.ts
+++ b/src/store.ts
@@ -1,2 +1,2 @@
-export class Session {}
+export class Store {}
 // the end
diff --git a/docs/cart.md b/docs/cart.md
new file mode 100644
index 0..5
--- /dev/null
+++ b/docs/cart.md
@@ -0,0 +1,2 @@
+# Cart
+It outlives its session.
diff --git a/logo.png b/logo.png
index 6..7 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;

export function smallDiff(): RunDiff {
  const files: ChangedFile[] = [
    { path: 'src/cart.ts', added: 2, removed: 2 },
    { path: 'src/store.ts', from: 'src/session.ts', added: 1, removed: 1 },
    { path: 'docs/cart.md', added: 2, removed: 0 },
    { path: 'logo.png', added: 0, removed: 0, binary: true },
    { path: 'run.sh', added: 0, removed: 0 },
  ];
  return { run: 0, branch: 'andon/2', files, diff: kSmall, truncated: false };
}
