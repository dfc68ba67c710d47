import { countWords, entryName, entryTitle, kCallWords } from '../format/attention_words.ts';
import type { Call } from '../model/attention.ts';
import { entryKey, type AttentionEntry } from '../model/attention_list.ts';

export interface Notice {
  title: string;
  body: string;
  // The browser shows one notification for a tag.
  tag: string;
  // A click opens this entry; the list of all entries when there is none.
  entry?: AttentionEntry;
}

export interface NoticeWorld {
  now(): number;
  after(ms: number, run: () => void): void;
  show(notice: Notice): void;
}

const kPause = 10_000;
const kMostNamed = 5;
// An entry that appears this soon after an act of the person is not announced.
const kOwnFor = 5000;
const kMostKnown = 5000;

// Decides which entries are new, and announces each kind at most once in ten seconds; entries that come meanwhile are announced together.
export class Notices {
  readonly #world: NoticeWorld;
  // All that was seen. An entry may be missing for a while when the page turns to another board.
  #known: Set<string> | undefined;
  readonly #own = new Map<number, number>();
  readonly #waiting = new Map<Call, AttentionEntry[]>();
  readonly #toldAt = new Map<Call, number>();

  constructor(world: NoticeWorld) {
    this.#world = world;
  }

  // The person did something to the task.
  did(task: number): void {
    this.#own.set(task, this.#world.now());
  }

  // All that waits now; what was there when it was called first is no news.
  see(entries: readonly AttentionEntry[], isTold: boolean): void {
    const known = this.#known;
    const fresh = entries.filter((entry) => !known?.has(noticeKey(entry)));
    if (known && isTold) for (const entry of fresh) if (!this.#isOwn(entry)) this.#add(entry);
    this.#remember(entries.map(noticeKey));
  }

  #remember(keys: readonly string[]): void {
    const present = new Set(keys);
    // Without a time an entry that comes again looks alike.
    const kept = [...(this.#known ?? [])].filter((key) => !present.has(key) && !key.endsWith(' '));
    this.#known = new Set([...kept.slice(-kMostKnown), ...keys]);
  }

  #isOwn({ id }: AttentionEntry): boolean {
    const at = id === undefined ? undefined : this.#own.get(id);
    if (at === undefined) return false;
    if (this.#world.now() - at < kOwnFor) return true;
    this.#own.delete(id!);
    return false;
  }

  #add(entry: AttentionEntry): void {
    const waiting = this.#waiting.get(entry.kind);
    if (waiting) return void waiting.push(entry);
    this.#waiting.set(entry.kind, [entry]);
    const wait = (this.#toldAt.get(entry.kind) ?? -Infinity) + kPause - this.#world.now();
    // All of one answer of the server are one notification.
    this.#world.after(Math.max(0, wait), () => this.#tell(entry.kind));
  }

  #tell(kind: Call): void {
    const all = this.#waiting.get(kind) ?? [];
    this.#waiting.delete(kind);
    this.#toldAt.set(kind, this.#world.now());
    const [first] = all;
    if (first) this.#world.show(all.length === 1 ? single(first) : merged(kind, all));
  }
}

// Names an entry. A task that asks again gets another name, so that it is announced again.
const noticeKey = (entry: AttentionEntry) => `${entryKey(entry)} ${entry.kind === 'silent' ? '' : (entry.since ?? '')}`;

function single(entry: AttentionEntry): Notice {
  const title = entry.id === undefined ? entryTitle(entry) : `${entryName(entry)} ${entry.title}`;
  const body = [capital(kCallWords[entry.kind].one), entry.text].filter(Boolean).join(': ');
  return { title, body, tag: `andon ${entryKey(entry)}`, entry };
}

function merged(kind: Call, entries: readonly AttentionEntry[]): Notice {
  const named = entries.slice(0, kMostNamed).map((entry) => `${entryName(entry)} ${entry.title ?? ''}`.trim());
  if (entries.length > kMostNamed) named.push(`and ${entries.length - kMostNamed} more`);
  return { title: countWords(kind, entries.length), body: named.join('\n'), tag: `andon ${kind}` };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
