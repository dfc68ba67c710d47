// ms after which the first view is there, whose loading this must not slow down.
const kLater = 2000;

// Keeps the page for times when the server is away. Browsers do so over HTTPS and on this machine only.
export function keepPageOffline(): void {
  if (!import.meta.env.PROD || !window.isSecureContext || !('serviceWorker' in navigator)) return;
  // A browser may forbid it, and the page works without.
  addEventListener('load', () => setTimeout(() => void navigator.serviceWorker.register('/service_worker.js').catch(() => undefined), kLater));
}
