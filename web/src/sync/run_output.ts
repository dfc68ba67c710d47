import { BackOff } from './back_off.ts';

// One line of a run; `stream` says where it comes from: text, tool, notice, stdout, stderr, raw or andon.
export interface OutputItem {
  at: string;
  stream: string;
  text: string;
}

export interface OutputPage {
  items: OutputItem[];
  // Where the next page begins.
  next?: string;
  // The directory of the log on the server; only on the first page.
  directory?: string;
}

export interface OutputSource {
  page(since: string | undefined): Promise<OutputPage>;
  // No line comes after those that are there.
  isOver(): boolean;
  // The server refuses to show this run.
  isRefusal(problem: unknown): boolean;
}

export interface OutputReader {
  items(items: OutputItem[]): void;
  // With the refusal, when the server refuses to show the run.
  end(refusal?: unknown): void;
}

// Tells whether the page is hidden. A hidden page asks for nothing.
export interface PageSight {
  isHidden(): boolean;
  onChange(action: () => void): () => void;
}

const kSight: PageSight = {
  isHidden: () => document.hidden,
  onChange(action) {
    document.addEventListener('visibilitychange', action);
    return () => document.removeEventListener('visibilitychange', action);
  },
};

// ms between two looks at a run that goes on.
const kPace = 400;
// A page with fewer lines was the last one there is.
const kFull = 100;

// Reads the output of a run from its beginning and follows it until the run is over, page by page. It holds no
// connection between two pages: a browser allows six to one server, and many windows may show a run.
export function followOutput(source: OutputSource, reader: OutputReader, sight = kSight): () => void {
  const backOff = new BackOff(Math.random);
  let cursor: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isStopped = false;
  const forget = sight.onChange(look);

  function look(): void {
    clearTimeout(timer);
    if (!isStopped && !isReading && !sight.isHidden()) void read();
  }

  async function read(): Promise<void> {
    isReading = true;
    const wasOver = source.isOver();
    let wait = kPace;
    try {
      const { items, next } = await source.page(cursor);
      if (isStopped) return;
      backOff.reset();
      cursor = next ?? cursor;
      if (items.length) reader.items(items);
      else if (wasOver) return finish();
      if (items.length >= kFull) wait = 0;
    } catch (problem) {
      if (isStopped) return;
      if (source.isRefusal(problem)) return finish(problem);
      wait = backOff.wait();
    } finally {
      isReading = false;
    }
    timer = setTimeout(look, wait);
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    forget();
  }

  function finish(refusal?: unknown): void {
    stop();
    reader.end(refusal);
  }

  look();
  return stop;
}
