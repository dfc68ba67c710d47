export function initials(name: string): string {
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const [first = '?', second] = words;
  const letters = second ? first[0]! + second[0]! : first.slice(0, 2);
  return letters.toUpperCase();
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

export function taskKey(task: { id: number; key?: string | null }): string {
  return task.key ?? `#${task.id}`;
}

// "worker:developer" reads as "developer" in a sentence.
export function actorName(actor: string): string {
  return actor.slice(actor.indexOf(':') + 1);
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const kSpelled: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th' };

// The title in the letters that a name may have; empty when it has none of them.
export function slug(text: string): string {
  const plain = text.toLowerCase().replace(/[äöüßæøåœłđðþ]/g, (letter) => kSpelled[letter]!).normalize('NFKD').replace(/\p{M}/gu, '');
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
}

// A name has at most 64 characters; this leaves room for a number.
const kLongestName = 58;

// A name for something of this title that no other has; `otherwise` where the title has no letters for one.
export function freeName(title: string, taken: ReadonlySet<string>, otherwise = 'board'): string {
  const wanted = slug(title).slice(0, kLongestName).replace(/-+$/, '') || otherwise;
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number += 1) if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
}
