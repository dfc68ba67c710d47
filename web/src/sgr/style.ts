// How terminal text looks, in terms of sixteen colours that each theme defines itself.
export interface Style {
  fg?: number;
  bg?: number;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  inverse?: boolean;
}

// Carries out one "select graphic rendition" sequence (ECMA-48, 8.3.117, with the colour extensions of ITU T.416).
export function styled(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let style: Style = { ...before };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at]!;
    if (code === 38 || code === 48) {
      const [colour, used] = extendedColour(codes.slice(at + 1));
      style[code === 38 ? 'fg' : 'bg'] = colour;
      at += used;
    } else {
      style = withCode(style, code);
    }
  }
  return style;
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 82 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 92 };
  return { ...style, ...kSwitches[code] };
}

const kSwitches: Record<number, Style> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { fg: undefined },
  49: { bg: undefined },
};

// The colour behind 38 or 48, and how many numbers told it.
function extendedColour(rest: number[]): [colour: number | undefined, used: number] {
  const [kind, a = 0, b = 0, c = 0] = rest;
  if (kind === 5) return [fromTable(a), 2];
  if (kind === 2) return [nearest(a, b, c), 4];
  return [undefined, 1];
}

function fromTable(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return nearest(...grey(8 + (index - 232) * 10));
  const cube = index - 16;
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

// The readable one of the sixteen that comes closest in hue.
function nearest(red: number, green: number, blue: number): number {
  const brightest = Math.max(red, green, blue);
  if (brightest - Math.min(red, green, blue) < 40) return brightest < 140 ? 8 : brightest < 210 ? 7 : 15;
  const on = (value: number) => (value > brightest * 0.6 ? 1 : 0);
  return on(red) + on(green) * 2 + on(blue) * 4 + (brightest > 210 ? 8 : 0);
}

function grey(value: number): [number, number, number] {
  return [value, value, value];
}

export function classesOf(style: Style): string {
  const { fg, bg } = style.inverse ? { fg: style.bg ?? 0, bg: style.fg ?? 7 } : style;
  return [
    fg === undefined ? '' : `fg-${fg}`,
    bg === undefined ? '' : `bg-${bg}`,
    style.bold ? 'bold' : '',
    style.dim ? 'dim' : '',
    style.italic ? 'italic' : '',
    style.underline ? 'underline' : '',
  ].filter(Boolean).join(' ');
}
