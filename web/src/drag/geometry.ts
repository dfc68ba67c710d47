// The elements of one column: what takes drops, what the cards lie in, what scrolls them.
export interface Place {
  area: HTMLElement;
  list: HTMLElement;
  scroller: HTMLElement;
}

export class Geometry {
  readonly places = new Map<string, Place>();

  // The column under a point, or the nearest one: a drop a little beside a column is meant for it.
  columnAt(x: number, y: number): string | undefined {
    let nearest: string | undefined;
    let shortest = Infinity;
    for (const [name, place] of this.places) {
      const box = place.area.getBoundingClientRect();
      const distance = Math.hypot(outside(x, box.left, box.right), outside(y, box.top, box.bottom));
      if (distance < shortest) [nearest, shortest] = [name, distance];
    }
    return nearest;
  }

  // The same height within the list of a column.
  heightIn(column: string, y: number): number {
    const list = this.places.get(column)?.list;
    return list ? y - list.getBoundingClientRect().top : 0;
  }
}

function outside(value: number, from: number, to: number): number {
  return value < from ? from - value : value > to ? value - to : 0;
}

const kEdge = 56;
const kFastest = 18;

// Scrolls what the pointer holds a card against; px per frame grow towards the edge.
export function autoScroll(element: HTMLElement, x: number, y: number): void {
  const box = element.getBoundingClientRect();
  const down = push(y, box.top, box.bottom);
  const right = push(x, box.left, box.right);
  if (down) element.scrollTop += down;
  if (right) element.scrollLeft += right;
}

function push(value: number, from: number, to: number): number {
  if (to - from < 3 * kEdge) return 0;
  const low = from + kEdge - value;
  const high = value - (to - kEdge);
  if (low > 0) return -Math.min(1, low / kEdge) * kFastest;
  if (high > 0) return Math.min(1, high / kEdge) * kFastest;
  return 0;
}
