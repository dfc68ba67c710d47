const kMarkup: readonly [RegExp, string][] = [
  [/!?\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/^\s*(?:#{1,6}|>|[-*+](?:\s\[[ xX]\])?|\d+[.)])\s+/gm, ''],
  [/\s[-*+]\s\[[ xX]\]\s/g, ' '],
  [/(\*\*|__|~~|`+)(.*?)\1/g, '$2'],
  [/`+/g, ''],
];

// The words of an excerpt, without the marks of Markdown that a card does not draw.
export function withoutMarkup(text: string): string {
  return kMarkup.reduce((rest, [marks, words]) => rest.replace(marks, words), text).trim();
}
