// Texts of fields and the lists they stand for.

export const asWords = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

// A command as a person types it: words with blanks between them; quotes keep blanks. There is no shell.
export function asArgv(line: string): string[] {
  const words: string[] = [];
  for (const match of line.matchAll(/(?:[^\s"']+|"(?:[^"\\]|\\.)*"|'[^']*'|["'])+/g)) {
    words.push(match[0].replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_all, double: string | undefined, single: string | undefined) => double?.replace(/\\(.)/g, '$1') ?? single ?? ''));
  }
  return words;
}

const isPlain = (word: string) => /^[^\s"'\\]+$/.test(word);

export function argvText(argv: readonly string[]): string {
  return argv.map((word) => (isPlain(word) ? word : word.includes("'") ? `"${word.replace(/["\\]/g, '\\$&')}"` : `'${word}'`)).join(' ');
}

const kUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytesText(bytes: number): string {
  let unit = 0;
  let size = bytes;
  for (; size >= 1024 && unit < kUnits.length - 1; unit += 1) size /= 1024;
  return `${size < 10 && unit ? size.toFixed(1) : Math.round(size)} ${kUnits[unit]}`;
}

// The last name in a path.
export const baseName = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? '';
