// Shorter titles fit every column, longer ones none.
const kAlwaysFits = 24;
const kNeverFits = 60;

// Tells whether a title fits one line of `width` px, asking the font once per title.
export function oneLineTest(width: number, font: string): (title: string) => boolean {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return (title) => title.length < 32;
  context.font = font;
  const widths = new Map<string, boolean>();
  return (title) => {
    if (title.length < kAlwaysFits && width > 190) return true;
    if (title.length > kNeverFits && width < 320) return false;
    const known = widths.get(title);
    if (known !== undefined) return known;
    const fits = context.measureText(title).width <= width;
    widths.set(title, fits);
    return fits;
  };
}
