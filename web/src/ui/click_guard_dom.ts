import { ClickGuard, type Place } from '../app/click_guard.ts';

// What can come or move under the pointer by itself: cards, rows of lists, and the buttons of an opened task.
const kRows = '[data-card], [data-item], [data-row], .actions .button, .verdict .button';

// Guards the clicks of the whole document. `beforeDraw` is called right before the page draws a change.
export function guardClicks(): { beforeDraw: () => void } {
  const guard = new ClickGuard();
  let pointer: Place | undefined;
  const scrolled = () => guard.scrolled(performance.now());
  addEventListener('wheel', scrolled, { passive: true, capture: true });
  addEventListener('touchmove', scrolled, { passive: true, capture: true });
  addEventListener('pointermove', (event) => (pointer = { left: event.clientX, top: event.clientY }), { passive: true, capture: true });
  addEventListener('click', (event) => {
    const target = event.target as Element;
    const row = target.closest?.(kRows);
    // Keys and screen readers name what they mean.
    if (!row || event.detail === 0) return;
    const mouse = (event as PointerEvent).pointerType === 'touch' ? undefined : { left: event.clientX, top: event.clientY };
    if (guard.allows(performance.now(), row, placeOf(row), mouse)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });
  return { beforeDraw: () => guard.beforeDraw(performance.now(), new Map([...document.querySelectorAll(kRows)].map((row) => [row, placeOf(row)])), pointer) };
}

function placeOf(row: Element): Place {
  const { left, top } = row.getBoundingClientRect();
  return { left, top };
}
