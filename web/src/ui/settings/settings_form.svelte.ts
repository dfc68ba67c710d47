import { drafts } from '../../app/drafts.ts';
import { sentence } from '../../app/refusal_text.ts';
import { changed } from '../../settings/changes.ts';
import { Refusal } from '../../sync/api.ts';

// `command` is what a person types on the machine of the server, so that the change is made.
interface Problem {
  text: string;
  field?: string;
  command?: string;
}

// The fields of something on the server while a person changes them. What was typed outlives the page as a draft.
export class SettingsForm<T extends object> {
  readonly #key: string;
  truth: T = $state.raw()!;
  values: T = $state()!;
  busy = $state(false);
  problem: Problem | undefined = $state.raw();
  // Rises when the fields have to show other values than those that were typed.
  version = $state(0);
  readonly changes: Partial<T> = $derived.by(() => changed(this.truth, $state.snapshot(this.values) as T));
  readonly isDirty: boolean = $derived(Object.keys(this.changes).length > 0);

  // `key` names the draft.
  constructor(truth: T, key: string) {
    this.#key = key;
    this.truth = truth;
    this.values = { ...structuredClone(truth), ...this.#kept() };
  }

  // Called when a field was changed.
  keep(): void {
    drafts.keep(this.#key, this.isDirty ? JSON.stringify(this.changes) : '');
  }

  discard(): void {
    this.#show(this.truth, {});
    this.problem = undefined;
    drafts.keep(this.#key, '');
  }

  // The server has other values now; fields that were changed here keep what was typed.
  follow(truth: T): void {
    this.#show(truth, this.changes);
    // The change of this form was confirmed on the machine.
    if (this.problem?.command && !this.isDirty) this.discard();
  }

  // Sends what was changed. `again` reads what is there, after somebody else has changed it.
  async save(send: (changes: Partial<T>) => Promise<T>, again?: () => Promise<T>): Promise<T | undefined> {
    this.busy = true;
    this.problem = undefined;
    try {
      const saved = await send($state.snapshot(this.changes) as Partial<T>);
      this.truth = saved;
      this.discard();
      return saved;
    } catch (problem) {
      await this.#explain(problem, again);
    } finally {
      this.busy = false;
    }
    return undefined;
  }

  // What the server says against a field, or what is in it.
  fault(field: string): string | undefined {
    const about = this.problem?.field;
    return about === field || about?.startsWith(`${field}/`) ? this.problem?.text : undefined;
  }

  async #explain(problem: unknown, again: (() => Promise<T>) | undefined): Promise<void> {
    if (!(problem instanceof Refusal) || problem.code !== 'REV_MISMATCH' || !again) {
      this.problem = problemOf(problem as Error);
      return;
    }
    this.follow(await again());
    this.problem = { text: 'Somebody changed this meanwhile. You see what is there now, with what you typed. Save again to set yours.' };
  }

  #show(truth: T, kept: Partial<T>): void {
    this.truth = truth;
    this.values = { ...structuredClone(truth), ...($state.snapshot(kept) as Partial<T>) };
    this.version += 1;
  }

  #kept(): Partial<T> {
    try {
      return JSON.parse(drafts.of(this.#key) ?? '{}') as Partial<T>;
    } catch {
      return {};
    }
  }
}

function problemOf(reason: Error): Problem {
  if (!(reason instanceof Refusal)) return { text: sentence(reason.message) };
  const code = reason.code === 'UNCONFIRMED_COMMAND' && reason.details.confirm;
  if (!code) return { text: sentence(reason.message), field: reason.field };
  return {
    text: 'This form would run something on the machine of the server. Confirm it in a terminal there; the form is saved then.',
    field: reason.field,
    command: `andon confirm ${String(code)}`,
  };
}
