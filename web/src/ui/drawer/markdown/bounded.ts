// Of a longer text only the beginning is read as Markdown.
export const kMostDrawn = 20_000;
// Deeper quotations and lists are shown as they are typed.
const kDeepest = 12;
// So are longer paragraphs: the time to read the marks inside a paragraph grows with the square of its length.
const kLongestParagraph = 4_000;

const kMark = String.raw`(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))`;
const kManyMarks = new RegExp(`^(?:[ \\t]*${kMark}){${kDeepest}}`, 'm');
const kFarIn = new RegExp(`^[ ]{${kDeepest * 2},}${kMark}`, 'm');
const kNewBlock = new RegExp(`^\\s*(?:$|#|${kMark})`);
const kFence = /^\s*(?:```|~~~)/;

// Whether reading the text as Markdown takes more time, or nests deeper, than a page can afford.
export function isTooHard(text: string): boolean {
  return kManyMarks.test(text) || kFarIn.test(text) || longestParagraph(text) > kLongestParagraph;
}

function longestParagraph(text: string): number {
  let longest = 0;
  let length = 0;
  let isCode = false;
  for (const line of text.split('\n')) {
    if (kFence.test(line)) isCode = !isCode;
    length = isCode ? 0 : (kNewBlock.test(line) ? 0 : length) + line.length;
    longest = Math.max(longest, length);
  }
  return longest;
}
