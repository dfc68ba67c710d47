import { drafts } from '../../app/drafts.ts';
import { isEmpty, keyOf, kNoNotes, readNotes, withComment, withoutComment, type LineComment, type ReviewNotes } from '../../diff/review_notes.ts';

// The comments on a run that this browser keeps until they are sent.
export class KeptNotes {
  notes: ReviewNotes = $state.raw(kNoNotes);
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
    this.notes = readNotes(drafts.of(key));
  }

  get comments(): readonly LineComment[] {
    return this.notes.comments;
  }

  say(general: string): void {
    this.#set({ ...this.notes, general });
  }

  comment(comment: LineComment): void {
    this.#set(withComment(this.notes, comment));
  }

  remove(comment: LineComment): void {
    this.#set(withoutComment(this.notes, keyOf(comment)));
  }

  clear(): void {
    this.#set(kNoNotes);
  }

  #set(notes: ReviewNotes): void {
    this.notes = notes;
    drafts.keep(this.#key, isEmpty(notes) && !notes.comments.length ? '' : JSON.stringify(notes));
  }
}
