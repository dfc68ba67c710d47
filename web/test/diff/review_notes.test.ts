import { describe, expect, test } from 'vitest';
import { isEmpty, kNoNotes, keyOf, noteOf, readNotes, withComment, withoutComment, type LineComment } from '../../src/diff/review_notes.ts';

const kComment: LineComment = { path: 'src/cart.ts', side: 'after', line: 12, quote: '  renew(cart);\r', text: 'Not twice, please.' };

describe('The note of a review', () => {
  test('holds the text and each comment under its place and its line', () => {
    const notes = { general: ' Nearly there. ', comments: [kComment, { ...kComment, side: 'before' as const, line: 3, text: 'Keep this.' }, { ...kComment, line: 4, text: ' ' }] };
    expect(noteOf(notes)).toBe(
      'Nearly there.\n\n`src/cart.ts:12`\n\n      renew(cart);\n\nNot twice, please.\n\n`src/cart.ts:3` (removed line)\n\n      renew(cart);\n\nKeep this.',
    );
  });

  test('is empty while nothing is written', () => {
    expect(isEmpty(withComment(kNoNotes, { ...kComment, text: '' }))).toBe(true);
    expect(isEmpty(withComment(kNoNotes, kComment))).toBe(false);
  });

  test('has one comment for each line of each side', () => {
    const twice = withComment(withComment(kNoNotes, kComment), { ...kComment, text: 'Again' });
    expect(twice.comments.map(({ text }) => text)).toEqual(['Again']);
    expect(withoutComment(twice, keyOf(kComment)).comments).toEqual([]);
  });

  test('outlives what is no note', () => {
    for (const kept of [undefined, '', '[', '{}', 'null']) expect(readNotes(kept)).toEqual(kNoNotes);
    expect(readNotes(JSON.stringify({ general: 'a', comments: [kComment] }))).toEqual({ general: 'a', comments: [kComment] });
  });
});
