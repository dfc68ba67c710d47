// No letter of the fonts measured here is wider or narrower than this, in px; texts beyond need not be measured.
const kWidest = 15;
const kNarrowest = 2.5;

type Measure = (text: string) => number;

function measureIn(font: string): Measure | undefined {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.font = font;
  const widths = new Map<string, number>();
  return (text) => {
    let width = widths.get(text);
    if (width === undefined) widths.set(text, (width = context.measureText(text).width));
    return width;
  };
}

// Tells whether a title fits one line of `width` px, asking the font once per title.
export function oneLineTest(width: number, font: string): (title: string) => boolean {
  const measure = measureIn(font);
  return (title) => {
    if (title.length * kWidest <= width) return true;
    if (title.length * kNarrowest > width) return false;
    return measure ? measure(title) <= width : title.length < 32;
  };
}

// Tells how many lines of `width` px a text takes, at most so many, when it is broken between words.
export function lineCounter(width: number, font: string): (text: string, most: number) => number {
  const measure = measureIn(font);
  const blank = measure?.(' ') ?? 0;
  return (text, most) => {
    if (text.length * kWidest <= width) return 1;
    if (text.length * kNarrowest > width * most || !measure) return most;
    let lines = 1;
    let used = 0;
    for (const word of text.split(/\s+/)) {
      const wide = measure(word);
      if (used > 0 && used + blank + wide > width) {
        lines += 1;
        used = 0;
      }
      // A word wider than a line is broken anywhere.
      lines += Math.floor(wide / width);
      used += (used > 0 ? blank : 0) + (wide % width);
      if (lines >= most) return most;
    }
    return lines;
  };
}
