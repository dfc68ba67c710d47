// Names and links of files of a task. A brief means one by `attachment:NAME`.

const kScheme = 'attachment:';
// Characters that the server takes in no file name.
const kUnsafe = /[\u0000-\u001f\u007f/\\]/g;
const kLongest = 120;
const kKnownEndings: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' };

export const kMostBytes = 25 * 1024 * 1024;

// The name that a file may have beside the others: as it is where it can be, else with a number before its ending.
export function freeName(wanted: string, taken: readonly string[]): string {
  const name = plainName(wanted);
  const known = new Set(taken.map((one) => one.toLowerCase()));
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!known.has(candidate.toLowerCase())) return candidate;
  }
}

function plainName(wanted: string): string {
  const bare = wanted.replace(kUnsafe, '-').replace(/^[.\-\s]+|[.\s]+$/g, '');
  const dot = bare.lastIndexOf('.');
  const ending = dot > 0 && bare.length - dot <= 10 ? bare.slice(dot) : '';
  return `${bare.slice(0, bare.length - ending.length).slice(0, kLongest)}${ending}` || 'file';
}

// Browsers call every pasted picture `image.png`; the time tells one from the next.
export function pastedName(file: { name: string; type: string }, now: Date): string {
  const ending = kKnownEndings[file.type];
  if (!ending || (file.name && !/^image\.\w+$/.test(file.name))) return file.name || 'file';
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `pasted-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.${ending}`;
}

export const isImage = (type: string) => type in kKnownEndings;

// The Markdown that means a file in a brief.
export function attachmentLink(name: string, type: string): string {
  const address = /[\s()<>]/.test(name) ? `<${kScheme}${name.replace(/[<>]/g, encodeURIComponent)}>` : kScheme + name;
  return `${isImage(type) ? '!' : ''}[${name.replace(/[[\]\\]/g, '\\$&')}](${address})`;
}

// The name in such a link; undefined for any other link.
export function nameInLink(address: string): string | undefined {
  if (!address.startsWith(kScheme)) return undefined;
  try {
    return decodeURIComponent(address.slice(kScheme.length));
  } catch {
    return address.slice(kScheme.length);
  }
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const amount = bytes / 1024 ** power;
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[power - 1]}`;
}
