// A unified diff as git writes it: files, their hunks, and lines that begin with ' ', '+' or '-'.
export type LineKind = 'context' | 'added' | 'removed' | 'note';

export interface DiffLine {
  kind: LineKind;
  text: string;
  // The line that it replaces or that replaces it.
  partner?: DiffLine;
  // Numbers of the line before and after, from 1.
  before?: number;
  after?: number;
}

export interface DiffHunk {
  title: string;
  // Number of its first line before the change.
  before: number;
  lines: DiffLine[];
}

// What happened to a file as a whole.
export type FileChange = 'changed' | 'added' | 'deleted' | 'renamed';

export interface DiffFile {
  path: string;
  change: FileChange;
  // Its mode before and after, when that changed, such as "100644 → 100755".
  mode?: string;
  // Where it lay before, when it was renamed.
  from?: string;
  added: number;
  removed: number;
  isBinary: boolean;
  hunks: DiffHunk[];
}

const kHunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const kKinds: Record<string, LineKind> = { ' ': 'context', '+': 'added', '-': 'removed', '\\': 'note' };

export function readDiff(text: string): DiffFile[] {
  const reader = new Reader();
  for (const line of text.split('\n')) reader.take(line);
  return reader.files;
}

class Reader {
  readonly files: DiffFile[] = [];
  #hunk: DiffHunk | undefined;
  #before = 0;
  #after = 0;

  take(line: string): void {
    if (line.startsWith('diff --git ')) return this.#begin(line);
    const file = this.files.at(-1);
    if (!file) return;
    const hunk = kHunk.exec(line);
    if (hunk) return this.#beginHunk(file, hunk);
    if (this.#hunk) return this.#takeLine(file, this.#hunk, line);
    this.#takeHead(file, line);
  }

  #begin(line: string): void {
    this.#hunk = undefined;
    // "a/PATH b/PATH": both halves are alike unless the lines below say otherwise.
    const both = line.slice('diff --git '.length);
    const path = both.slice((both.length + 1) / 2).replace(/^"?b\//, '').replace(/"$/, '');
    this.files.push({ path, change: 'changed', added: 0, removed: 0, isBinary: false, hunks: [] });
  }

  #takeHead(file: DiffFile, line: string): void {
    if (line.startsWith('new file mode ')) file.change = 'added';
    if (line.startsWith('deleted file mode ')) file.change = 'deleted';
    if (line.startsWith('rename from ')) Object.assign(file, { from: line.slice('rename from '.length), change: 'renamed' });
    if (line.startsWith('old mode ')) file.mode = line.slice('old mode '.length);
    if (line.startsWith('new mode ')) file.mode = `${file.mode} → ${line.slice('new mode '.length)}`;
    if (line.startsWith('rename to ')) file.path = line.slice('rename to '.length);
    if (line.startsWith('Binary files ') || line === 'GIT binary patch') file.isBinary = true;
    const after = /^\+\+\+ "?b\/(.*?)"?\t?$/.exec(line);
    if (after) file.path = after[1]!;
  }

  #beginHunk(file: DiffFile, [, before, after, title]: RegExpExecArray): void {
    this.#before = Number(before);
    this.#after = Number(after);
    this.#hunk = { title: title ?? '', before: Number(before), lines: [] };
    file.hunks.push(this.#hunk);
  }

  #takeLine(file: DiffFile, hunk: DiffHunk, line: string): void {
    const kind = kKinds[line[0] ?? ''];
    if (!kind) return;
    const one: DiffLine = { kind, text: line.slice(1) };
    if (kind === 'context' || kind === 'removed') one.before = this.#before++;
    if (kind === 'context' || kind === 'added') one.after = this.#after++;
    if (kind === 'added') file.added += 1;
    if (kind === 'removed') file.removed += 1;
    hunk.lines.push(one);
  }
}
