// Lets a card fly from where it was to where it now lies. It flies as a copy above everything,
// because columns clip what they hold.
export function glide(item: HTMLElement, from: DOMRect): void {
  const card = item.firstElementChild;
  if (!card) return;
  const to = item.getBoundingClientRect();
  const copy = card.cloneNode(true) as HTMLElement;
  copy.inert = true;
  copy.setAttribute('aria-hidden', 'true');
  Object.assign(copy.style, {
    position: 'fixed', zIndex: '40', left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, height: `${to.height}px`, pointerEvents: 'none',
  });
  document.body.append(copy);
  item.style.opacity = '0';
  const flight = copy.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: 'none' }], {
    duration: 180,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
  });
  const land = () => {
    copy.remove();
    item.style.opacity = '';
  };
  flight.onfinish = land;
  flight.oncancel = land;
}
