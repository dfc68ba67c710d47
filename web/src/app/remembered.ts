// Small choices of this browser. Storage may be switched off, and the page works without it.
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`andon.${name}`);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`andon.${name}`, value);
  } catch {
    return;
  }
}
