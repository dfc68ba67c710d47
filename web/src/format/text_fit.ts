// No letter of the fonts measured here is wider or narrower than this, in px; texts beyond need not be measured.
const kWidest = 15;
const kNarrowest = 2.5;

type Measure = (text: string) => number;

function measureIn(font: string): Measure | undefined {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return undefined;
  context.font = font;
  return (text) => context.measureText(text).width;
}

// Tells whether a title fits one line of `width` px, asking the font once per title.
export function oneLineTest(width: number, font: string): (title: string) => boolean {
  const measure = measureIn(font);
  const known = new Map<string, boolean>();
  return (title) => {
    if (title.length * kWidest <= width) return true;
    if (title.length * kNarrowest > width) return false;
    let fits = known.get(title);
    if (fits === undefined) known.set(title, (fits = measure ? measure(title) <= width : title.length < 32));
    return fits;
  };
}

// Tells how many lines of `width` px a text takes, at most so many, when it is broken between words.
export function lineCounter(width: number, font: string): (text: string, most: number) => number {
  const measure = measureIn(font);
  const counted = new Map<string, number>();
  return (text, most) => {
    if (text.length * kWidest <= width) return 1;
    if (text.length * kNarrowest > width * most || !measure) return most;
    const known = counted.get(text);
    if (known !== undefined) return Math.min(most, known);
    const lines = broken(text, width, most, measure);
    counted.set(text, lines);
    return lines;
  };
}

function broken(text: string, width: number, most: number, measure: Measure): number {
  let lines = 1;
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    // A word wider than a line is broken anywhere.
    const wide = measure(word);
    lines += (line ? 1 : 0) + Math.floor(wide / width);
    line = wide > width ? '' : word;
    if (lines >= most) return most;
  }
  return lines;
}

// Tells how many rows of `width` px items take that stand beside each other, each as wide as its text and `around` px more.
export function rowCounter(width: number, font: string, around: number, gap: number): (items: readonly string[]) => number {
  const measure = measureIn(font);
  return (items) => {
    let rows = items.length ? 1 : 0;
    let used = 0;
    for (const item of items) {
      const wide = Math.min(width, Math.ceil(measure?.(item) ?? item.length * kWidest) + around);
      const fits = used === 0 || used + gap + wide <= width;
      if (!fits) rows += 1;
      used = fits && used > 0 ? used + gap + wide : wide;
    }
    return rows;
  };
}
