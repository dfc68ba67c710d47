import { kRestMs, type DragEvent, type DragState, type Target } from './machine.ts';

export interface PointerHost {
  state(): DragState;
  send(event: DragEvent): void;
  home(id: number): Target | undefined;
  // The pointer carries the card to here; `card` is the card's box when it was lifted.
  carry(x: number, y: number): void;
  lift(card: HTMLElement, x: number, y: number): void;
}

// Translates pointers on `root` into drag events. Cards carry data-card, and what must stay clickable on them is a button.
export function pointerDrag(root: HTMLElement, host: PointerHost): () => void {
  const control = new AbortController();
  const { signal } = control;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let pressed: HTMLElement | undefined;
  let frame = 0;
  let at = { x: 0, y: 0 };

  const isCarrying = () => {
    const state = host.state();
    return state.kind === 'lifted' && state.by === 'pointer';
  };
  const homeOfPressed = () => {
    const state = host.state();
    return state.kind === 'pressed' ? host.home(state.id) : undefined;
  };
  const carryOn = () => {
    if (!isCarrying()) return;
    host.carry(at.x, at.y);
    frame = requestAnimationFrame(carryOn);
  };
  const liftIfLifted = () => {
    if (!isCarrying() || !pressed || frame) return;
    getSelection()?.removeAllRanges();
    host.lift(pressed, at.x, at.y);
    frame = requestAnimationFrame(carryOn);
  };
  const end = (event: DragEvent) => {
    clearTimeout(rest);
    cancelAnimationFrame(frame);
    frame = 0;
    pressed = undefined;
    if (host.state().kind !== 'idle') host.send(event);
  };

  root.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary || host.state().kind !== 'idle') return;
    const target = event.target as HTMLElement;
    const card = target.closest<HTMLElement>('[data-card]');
    if (!card || target.closest('button')) return;
    pressed = card;
    at = { x: event.clientX, y: event.clientY };
    const touch = event.pointerType === 'touch';
    host.send({ kind: 'press', id: Number(card.dataset.card), touch, ...at });
    if (touch) rest = setTimeout(() => {
      const home = homeOfPressed();
      if (!home) return;
      host.send({ kind: 'rest', home });
      navigator.vibrate?.(8);
      liftIfLifted();
    }, kRestMs);
  }, { signal });

  addEventListener('pointermove', (event) => {
    if (!event.isPrimary || host.state().kind === 'idle') return;
    at = { x: event.clientX, y: event.clientY };
    const home = homeOfPressed();
    if (!home) return;
    host.send({ kind: 'travel', ...at, home });
    if (host.state().kind === 'idle') clearTimeout(rest);
    liftIfLifted();
  }, { signal });

  addEventListener('pointerup', (event) => {
    if (!event.isPrimary || !pressed) return;
    if (isCarrying()) {
      host.carry(event.clientX, event.clientY);
      swallowClick();
    }
    end({ kind: 'drop' });
  }, { signal });
  addEventListener('pointercancel', (event) => event.isPrimary && pressed && end({ kind: 'cancel' }), { signal });
  addEventListener('blur', () => pressed && end({ kind: 'cancel' }), { signal });
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isCarrying()) return;
    event.preventDefault();
    event.stopPropagation();
    end({ kind: 'cancel' });
  }, { signal, capture: true });

  // Once a finger carries a card, the page must not scroll under it; links and images must not start a drag of the browser.
  root.addEventListener('touchmove', (event) => isCarrying() && event.cancelable && event.preventDefault(), { signal, passive: false });
  root.addEventListener('contextmenu', (event) => host.state().kind !== 'idle' && event.preventDefault(), { signal });
  root.addEventListener('dragstart', (event) => event.preventDefault(), { signal });

  return () => {
    clearTimeout(rest);
    cancelAnimationFrame(frame);
    control.abort();
  };
}

// The click that follows a drop belongs to the drag.
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0);
}
