// What a reviewer has written about a run and not sent yet.
export interface LineComment {
  path: string;
  side: 'before' | 'after';
  line: number;
  quote: string;
  text: string;
}

export interface ReviewNotes {
  general: string;
  comments: readonly LineComment[];
}

export const kNoNotes: ReviewNotes = { general: '', comments: [] };
// A longer line is quoted by its beginning.
const kLongestQuote = 200;

export const keyOf = ({ path, side, line }: Pick<LineComment, 'path' | 'side' | 'line'>) => `${side}:${line}:${path}`;

// An empty text stands for nothing: its comment has only been begun.
export function isEmpty({ general, comments }: ReviewNotes): boolean {
  return !general.trim() && !comments.some(({ text }) => text.trim());
}

// The note of the next attempt, in Markdown: the general text, then each comment under its place and its line.
export function noteOf({ general, comments }: ReviewNotes): string {
  const written = comments.filter(({ text }) => text.trim());
  return [general.trim(), ...written.map(asMarkdown)].filter(Boolean).join('\n\n');
}

function asMarkdown({ path, side, line, quote, text }: LineComment): string {
  const place = `\`${path}:${line}\`${side === 'before' ? ' (removed line)' : ''}`;
  return `${place}\n\n    ${quote.slice(0, kLongestQuote).trimEnd()}\n\n${text.trim()}`;
}

export function readNotes(kept: string | undefined): ReviewNotes {
  try {
    const notes = JSON.parse(kept ?? '') as Partial<ReviewNotes> | null;
    return Array.isArray(notes?.comments) && typeof notes.general === 'string' ? { general: notes.general, comments: notes.comments } : kNoNotes;
  } catch {
    return kNoNotes;
  }
}

export function withComment(notes: ReviewNotes, comment: LineComment): ReviewNotes {
  const key = keyOf(comment);
  const at = notes.comments.findIndex((one) => keyOf(one) === key);
  const comments = at < 0 ? [...notes.comments, comment] : notes.comments.with(at, comment);
  return { ...notes, comments };
}

export function withoutComment(notes: ReviewNotes, key: string): ReviewNotes {
  return { ...notes, comments: notes.comments.filter((one) => keyOf(one) !== key) };
}
