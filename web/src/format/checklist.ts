// An item of a checklist: the mark of a list, a box and a blank.
const kItem = /^(\s*(?:>\s*)*(?:[-*+]|\d{1,9}[.)])\s+\[)([ xX])(\]\s)/;
const kFence = /^\s*(?:>\s*)*(`{3,}|~{3,})/;

// The numbers of the lines that hold an item. Boxes in code are text.
function linesOfItems(lines: readonly string[]): number[] {
  const found: number[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = kFence.exec(line)?.[1]?.[0];
    if (mark && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    else if (fence === undefined && kItem.test(line)) found.push(at);
  }
  return found;
}

// The text with the box of its nth item ticked or cleared. Undefined when the text has not as many items as are drawn:
// the wrong one could change.
export function toggled(text: string, nth: number, drawn: number): string | undefined {
  const lines = text.split('\n');
  const items = linesOfItems(lines);
  const at = items[nth];
  if (at === undefined || items.length !== drawn) return undefined;
  lines[at] = lines[at]!.replace(kItem, (_all, before: string, box: string, after: string) => before + (box === ' ' ? 'x' : ' ') + after);
  return lines.join('\n');
}
