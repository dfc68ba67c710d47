// A secret that this page makes; the server is told its hash alone.
export interface Secret {
  text: string;
  hash: string;
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

// Browsers offer their digest to pages of this machine and of HTTPS only.
export const canMakeSecret = (): boolean => isSecureContext && !!crypto.subtle;

export async function newSecret(prefix: string): Promise<Secret> {
  const text = prefix + hex(crypto.getRandomValues(new Uint8Array(32)));
  return { text, hash: hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))) };
}
