// `randomUUID` exists in secure contexts only, and a board on a LAN address is none.
export function newMutationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
