// The proof that the program at the origin of the page is still the server: another one may take the port while the server
// is away. It is asked before the secret goes out again after the line broke, as every other client asks it for each
// connection (docs/decisions/0045). A browser can compute it in a secure context only: with HTTPS, where no proof is
// needed, and on 127.0.0.1 and localhost, where other programs share the ports.
const kPurpose = 'andon-proof-1\n';

// `wrong` is the answer of another program, and of a server that does not know the secret any more: nobody can tell them
// apart. `missing` is no answer to the question.
export type ServerProof = 'right' | 'wrong' | 'missing';

let isDoubted = false;
let asking: Promise<ServerProof> | undefined;

// Called when the line to the server broke.
export function doubtServer(): void {
  isDoubted = true;
}

export const isServerDoubted = () => isDoubted;

// The secret may be sent after a right one. Without a doubt nothing is asked.
export function proofOfServer(base: string, secret: string): Promise<ServerProof> {
  if (!isDoubted || !globalThis.crypto?.subtle) return Promise.resolve('right');
  asking ??= prove(base, secret)
    .catch((): ServerProof => 'missing')
    .finally(() => (asking = undefined));
  return asking;
}

async function prove(base: string, secret: string): Promise<ServerProof> {
  const key = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  const nonce = hex(crypto.getRandomValues(new Uint8Array(32)));
  const response = await fetch(`${base}/proof`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: hex(new Uint8Array(key)).slice(0, 16), nonce }),
    credentials: 'omit',
    cache: 'no-store',
  });
  if (!response.ok) return 'missing';
  const { proof } = (await response.json()) as { proof?: unknown };
  if (typeof proof !== 'string' || !/^[0-9a-f]{64}$/.test(proof)) return 'wrong';
  const mac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const isRight = await crypto.subtle.verify('HMAC', mac, bytes(proof), new TextEncoder().encode(kPurpose + nonce));
  if (isRight) isDoubted = false;
  return isRight ? 'right' : 'wrong';
}

const hex = (data: Uint8Array) => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytes = (text: string) => Uint8Array.from(text.match(/../g)!, (pair) => parseInt(pair, 16));
