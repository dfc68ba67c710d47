// The dark modules of a QR code as the path of an SVG, a unit for each module; neighbours in a row are one rectangle.
export function qrPath(rows: readonly string[]): string {
  const parts: string[] = [];
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) parts.push(`M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`);
  });
  return parts.join('');
}
