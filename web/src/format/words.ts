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

export function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
}
