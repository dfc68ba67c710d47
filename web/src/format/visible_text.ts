// Text as its readers see it. The rule and its table stand in src/core/visible_text.cpp; tests/fixtures/hidden_text.json
// holds both to it.

import { withoutEscapes } from './terminal_text.ts';

const kControl = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;
const kIgnorable = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`;
const kMayBeHidden = new RegExp(`[${kControl}${kIgnorable}]`, 'u');
// A JSON document writes control characters as escapes.
const kDocumentMayHide = new RegExp(String.raw`\\u|[${kControl}${kIgnorable}]`, 'u');

const kAscii = /[\u0000-\u007f]/;
const kJoiner = /[\u200c\u200d]/;
// A sign and the selector that may follow it.
const kSelected = /^(?:[0-9#*\u00a9-\u{fe0d}\u{fe10}-\u{10ffff}][\ufe0e\ufe0f]|[\u1820-\u18aa][\u180b-\u180d\u180f])$/u;

function isHidden(character: string, before: string, after: string): boolean {
  if (!kMayBeHidden.test(character)) return false;
  if (character === '\r') return after !== '\n';
  if (kSelected.test(before + character)) return false;
  if (!kJoiner.test(character) || !before || kAscii.test(before) || kJoiner.test(before)) return true;
  return !after || kAscii.test(after) || kMayBeHidden.test(after);
}

function written(character: string): string {
  const point = character.codePointAt(0)!;
  const hex = point.toString(16);
  return point < 0x80 ? String.raw`\x${hex.padStart(2, '0')}` : `[U+${hex.toUpperCase().padStart(4, '0')}]`;
}

// Hidden characters are written as [U+202E], control characters of ASCII as \x1b; line ends and tabs stay.
export function visibleText(text: string): string {
  if (!kMayBeHidden.test(text)) return text;
  const characters = [...text];
  let before = '';
  let shown = '';
  for (const [index, character] of characters.entries()) {
    const hidden = isHidden(character, before, characters[index + 1] ?? '');
    shown += hidden ? written(character) : character;
    before = hidden ? '' : character;
  }
  return shown;
}

// Text of a program, such as the line of an agent or the reason of a failure: without the control sequences of
// terminals, and then as its readers see it.
export function plainText(text: string): string {
  return visibleText(withoutEscapes(text));
}

// How the texts of some members are read. The briefs of tasks stay as they are stored, for they are edited here, and who
// reviews a change sees every character of it.
const kReadings: Readonly<Record<string, (text: string) => string>> = { body: (text) => text, diff: visibleText, path: visibleText, from: visibleText };

// A document of the server, every text in it as its readers see it.
export function readDocument(document: string): unknown {
  if (!kDocumentMayHide.test(document)) return JSON.parse(document);
  return JSON.parse(document, (key, value: unknown) => (typeof value === 'string' ? (kReadings[key] ?? plainText)(value) : value));
}
