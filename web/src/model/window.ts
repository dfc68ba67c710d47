import { kCardGap } from './card_layout.ts';

// offsets[i] is the top of item i; offsets[n] is the height of all of them with their gaps.
export function offsetsOf(heights: readonly number[], gap = kCardGap): number[] {
  const offsets = new Array<number>(heights.length + 1);
  let top = 0;
  for (let index = 0; index < heights.length; index += 1) {
    offsets[index] = top;
    top += heights[index]! + gap;
  }
  offsets[heights.length] = top;
  return offsets;
}

export interface Range {
  start: number;
  end: number;
}

// Items that touch [top, bottom), and `margin` px beyond it.
export function visibleRange(offsets: readonly number[], top: number, bottom: number, margin: number): Range {
  const count = offsets.length - 1;
  if (count <= 0) return { start: 0, end: 0 };
  const start = Math.max(0, itemAt(offsets, top - margin));
  const end = Math.min(count, itemAt(offsets, bottom + margin) + 1);
  return { start, end: Math.max(start, end) };
}

// The last item whose top is not below `y`.
export function itemAt(offsets: readonly number[], y: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= y) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

// Between which items a drop at `y` falls: an item counts as passed once its middle is.
export function slotAt(offsets: readonly number[], y: number, gap = kCardGap): number {
  for (let low = 0, high = offsets.length - 1; ; ) {
    if (low >= high) return low;
    const index = (low + high) >> 1;
    const middle = (offsets[index]! + offsets[index + 1]! - gap) / 2;
    if (middle < y) low = index + 1;
    else high = index;
  }
}

interface Laid {
  ids: readonly number[];
  offsets: readonly number[];
}

export interface Missing {
  id: number;
  index: number;
}

// The items of `past` that `now` no longer has, with their place in `past`.
export function missingIn(past: Laid, now: Laid): Missing[] {
  if (past.ids === now.ids) return [];
  const here = new Set(now.ids);
  return past.ids.flatMap((id, index) => (here.has(id) ? [] : { id, index }));
}

// So many items may vanish together before nothing is left to hold on to.
const kAnchors = 20;

// How far the first item at or below `top` that is in both has been pushed; 0 when none of the next few is.
export function shiftOf(past: Laid, now: Laid, top: number): number {
  const first = itemAt(past.offsets, top);
  const last = Math.min(first + kAnchors, past.ids.length);
  for (let index = first; index < last; index += 1) {
    const place = now.ids.indexOf(past.ids[index]!);
    if (place >= 0) return now.offsets[place]! - past.offsets[index]!;
  }
  return 0;
}
