import type { Cell, CellMaker } from '../model/cell.ts';

// Narrow, or a phone that is held across. The one place that says what a phone is: CSS asks for [data-phone].
const kPhone = '(max-width: 720px), (max-height: 480px) and (pointer: coarse)';
// Width in px of the probe (page.css) at the usual size of text.
const kProbe = 1600;

// What the browser leaves to the page: whether it lies in a hand, and how large its person reads.
export class Viewport {
  readonly isPhone: Cell<boolean>;
  // The size of text that the person chose, as a multiple of the usual one.
  readonly textScale: Cell<number>;

  constructor(make: CellMaker) {
    const query = matchMedia(kPhone);
    this.isPhone = make(query.matches);
    this.textScale = make(1);
    this.#mark(query.matches);
    query.addEventListener('change', () => this.#mark(query.matches));
    this.#watchText();
    this.#watchKeyboard();
  }

  #mark(isPhone: boolean): void {
    document.documentElement.toggleAttribute('data-phone', isPhone);
    this.isPhone.set(isPhone);
  }

  // Some browsers draw the keyboard over the page; sheets stand above it.
  #watchKeyboard(): void {
    const seen = visualViewport;
    if (!seen) return;
    const measure = () => {
      const isZoomed = Math.abs(seen.scale - 1) > 0.01;
      const covered = isZoomed ? 0 : Math.max(0, innerHeight - seen.height - seen.offsetTop);
      document.documentElement.style.setProperty('--keyboard', `${covered}px`);
    };
    seen.addEventListener('resize', measure);
    seen.addEventListener('scroll', measure);
  }

  #watchText(): void {
    const probe = document.createElement('i');
    probe.setAttribute('aria-hidden', 'true');
    probe.className = 'text-probe';
    document.body.append(probe);
    new ResizeObserver(() => this.textScale.set(probe.offsetWidth / kProbe || 1)).observe(probe);
  }
}
