import { sentence } from '../../app/refusal_text.ts';
import { LogSearch } from '../../log/log_search.ts';
import { RunLines } from '../../log/run_lines.ts';
import { Refusal, type Api } from '../../sync/api.ts';
import { followOutput } from '../../sync/run_output.ts';

// ms that a search may take before the page draws again.
const kSlice = 5;

// The log of one run on the page: its lines, and what is searched in it.
export class RunLog {
  readonly lines = new RunLines();
  readonly search = new LogSearch(this.lines);
  // Rises with every change of what the lines or the search hold.
  version = $state(0);
  ended = $state(false);
  // Why the server does not show the run.
  refusal = $state<string>();
  directory = $state<string>();
  following = $state(true);
  #isDrawing = false;
  #searching: ReturnType<typeof setTimeout> | undefined;

  // Reads from the lines or the search, in a way that Svelte notices when they change.
  read<T>(from: () => T): T {
    void this.version;
    return from();
  }

  // Reads the run until it is over; returns how to stop.
  follow(api: Api, run: number, isOver: () => boolean): () => void {
    const stop = followOutput({
      page: async (since) => {
        const page = await api.output(run, since);
        this.directory ??= page.directory;
        return page;
      },
      isOver,
      // The output of a run that goes on may come to this server later, with its runner.
      isRefusal: (problem) => problem instanceof Refusal && problem.isFinal && (problem.status !== 404 || isOver()),
    }, {
      items: (items) => {
        this.lines.add(items);
        this.#searchSoon();
        this.#drawSoon();
      },
      end: (refusal) => {
        this.ended = true;
        if (refusal instanceof Refusal) this.refusal = sentence(refusal.message);
      },
    });
    return () => {
      clearTimeout(this.#searching);
      stop();
    };
  }

  find(words: string): void {
    this.search.begin(words);
    this.#searchSoon();
    this.version += 1;
  }

  toggle(call: number): void {
    this.following = false;
    this.lines.toggle(call);
    this.version += 1;
  }

  unfoldAll(unfolds: boolean): void {
    this.lines.unfoldAll(unfolds);
    this.version += 1;
  }

  // Chooses a hit and opens what hides it.
  go(by: number, from: number): number | undefined {
    const hit = this.search.go(by, from);
    if (hit !== undefined) {
      this.following = false;
      this.lines.reveal(hit);
    }
    this.version += 1;
    return hit;
  }

  #searchSoon(): void {
    clearTimeout(this.#searching);
    if (!this.search.isDone) this.#searching = setTimeout(() => this.#searchOn());
  }

  #searchOn(): void {
    const end = performance.now() + kSlice;
    this.search.step(() => performance.now() > end);
    this.#drawSoon();
    this.#searchSoon();
  }

  #drawSoon(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.version += 1;
    });
  }
}
