// The secret of this browser's session. It lies in the storage of the page's origin, which includes the port, and goes to
// the server in a header only: a browser sends cookies to every port of a host, and addresses are written down.
// boot.js reads it under this name, too.
const kKey = 'andon.secret';

// A browser that stores nothing, or has no room, keeps the secret as long as the page.
let unstored: string | undefined;

export function pageSecret(): string | undefined {
  try {
    return unstored ?? localStorage.getItem(kKey) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepPageSecret(secret: string): void {
  unstored = secret;
  try {
    localStorage.setItem(kKey, secret);
    unstored = undefined;
  } catch {
    return;
  }
}

export function forgetPageSecret(): void {
  unstored = undefined;
  try {
    localStorage.removeItem(kKey);
  } catch {
    return;
  }
}

// Calls `changed` when another page of this browser has signed in or out.
export function followPageSecret(changed: () => void): void {
  addEventListener('storage', ({ key }) => (key === kKey || key === null) && changed());
}

export const credentialOf = (secret: string | undefined): Record<string, string> => (secret ? { Authorization: `Bearer ${secret}` } : {});
