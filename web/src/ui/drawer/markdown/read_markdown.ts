import { Lexer, type Token } from 'marked';

// Of a longer text only the beginning is read as Markdown.
export const kMostRead = 20_000;
// The time to read the marks inside one run of text grows with the square of its length; longer runs are shown as
// they are typed.
const kLongestRun = 4_000;
// Texts whose quotations and lists nest deeper are shown as they are typed.
const kDeepest = 12;

const kMark = String.raw`(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))`;
const kManyMarks = new RegExp(`^(?:[ \\t]*${kMark}){${kDeepest}}`, 'm');
const kFarIn = new RegExp(`^[ ]{${kDeepest * 2},}${kMark}`, 'm');

function nestsTooDeep(text: string): boolean {
  const spaced = text.replaceAll('\t', '    ');
  return kManyMarks.test(spaced) || kFarIn.test(spaced);
}

// The tokens of the beginning of a text, in bounded time for any text. Undefined for a text that nests too deep.
export function readMarkdown(text: string): Token[] | undefined {
  const beginning = text.slice(0, kMostRead).replace(/\r\n?/g, '\n');
  if (nestsTooDeep(beginning)) return undefined;
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(beginning, lexer.tokens);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > kLongestRun) tokens.push({ type: 'text', raw: src, text: src });
    else lexer.inlineTokens(src, tokens);
  }
  return lexer.tokens;
}
