// The control sequences of terminals. The rule stands in src/core/text/terminal_text.cpp; tests/fixtures/terminal_text.json
// holds both to it.

// A control sequence, a string with BEL or ESC \ at its end, another sequence with its final byte, an escape character
// that begins nothing.
export const kEscapeSequence = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]+[0-~]?|[0-~])?`;

const kEscapes = new RegExp(kEscapeSequence, 'g');

// The text without them, for places that are no terminal.
export function withoutEscapes(text: string): string {
  return text.includes('\x1b') ? text.replace(kEscapes, '') : text;
}
