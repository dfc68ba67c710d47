// No letter of the title's font is wider or narrower than this, in px; titles beyond need not be measured.
const kWidest = 15;
const kNarrowest = 2.5;

// Tells whether a title fits one line of `width` px, asking the font once per title.
export function oneLineTest(width: number, font: string): (title: string) => boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return (title) => title.length < 32;
  context.font = font;
  const widths = new Map<string, boolean>();
  return (title) => {
    if (title.length * kWidest <= width) return true;
    if (title.length * kNarrowest > width) return false;
    const known = widths.get(title);
    if (known !== undefined) return known;
    const fits = context.measureText(title).width <= width;
    widths.set(title, fits);
    return fits;
  };
}
