// No letter of the fonts measured here is wider or narrower than this, in px; texts beyond need not be measured.
const kWidest = 15;
const kNarrowest = 2.5;

// Letters measured one by one are off by less than this share of a line; only what is nearer to it is measured whole.
const kDoubt = 0.06;
const kPlain = /^[\x20-\x7e]*$/;

type Measure = (text: string) => number;

let canvas: CanvasRenderingContext2D | null | undefined;
let fontOfCanvas = '';

function measureIn(font: string): Measure | undefined {
  if (canvas === undefined) canvas = document.createElement('canvas').getContext('2d');
  const context = canvas;
  if (!context) return undefined;
  return (text) => {
    if (fontOfCanvas !== font) context.font = fontOfCanvas = font;
    return context.measureText(text).width;
  };
}

// The sum of the widths of letters, each measured once.
function roughly(measure: Measure): Measure {
  const letters = new Map<string, number>();
  return (text) => {
    let sum = 0;
    for (const letter of text) {
      let width = letters.get(letter);
      if (width === undefined) letters.set(letter, (width = measure(letter)));
      sum += width;
    }
    return sum;
  };
}

// Tells whether a title fits one line of `width` px, asking the font once per title, and only where letters leave a doubt.
export function oneLineTest(width: number, font: string): (title: string) => boolean {
  const measure = measureIn(font);
  const rough = measure && roughly(measure);
  const known = new Map<string, boolean>();
  const ask = (title: string) => {
    if (!measure || !rough) return title.length < 32;
    const share = kPlain.test(title) ? rough(title) / width : 1;
    return Math.abs(share - 1) > kDoubt ? share < 1 : measure(title) <= width;
  };
  return (title) => {
    if (title.length * kWidest <= width) return true;
    if (title.length * kNarrowest > width) return false;
    let fits = known.get(title);
    if (fits === undefined) known.set(title, (fits = ask(title)));
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
