// Lets the keyboard reach a box whose content is wider than it is, and no other box.
export function scrollable(node: HTMLElement): () => void {
  const look = () => {
    if (node.scrollWidth > node.clientWidth) node.tabIndex = 0;
    else node.removeAttribute('tabindex');
  };
  const watcher = new ResizeObserver(look);
  watcher.observe(node);
  return () => watcher.disconnect();
}
