// Opens a dialog over the page. When it goes, however it was closed, focus returns to where it was.
export function modal(node: HTMLDialogElement): () => void {
  const before = document.activeElement;
  node.showModal();
  return () =>
    queueMicrotask(() => {
      const isLost = !document.activeElement || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    });
}
