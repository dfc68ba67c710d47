import { BackOff } from './back_off.ts';
import { openEventStream } from './event_stream.ts';

// One line of a run; `stream` says where it comes from: text, tool, notice, stdout, stderr, raw or andon.
export interface OutputItem {
  at: string;
  stream: string;
  text: string;
}

export interface OutputReader {
  items(items: OutputItem[]): void;
  end(): void;
}

// Tells whether the page is hidden. A hidden page holds no connection: a browser allows six to one server.
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

// Reads the output of a run from its beginning and follows it until the run is over, across lost connections. A
// hidden page stops reading and goes on where it stopped.
export function followOutput(address: (since: string | undefined) => string, reader: OutputReader, sight = kSight): () => void {
  const backOff = new BackOff(Math.random);
  let cursor: string | undefined;
  let close = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const forget = sight.onChange(() => (sight.isHidden() ? stop() : restart()));

  function connect(): void {
    close = openEventStream(address(cursor), cursor ?? '', {
      onMessage: (message) => {
        if (message.event === 'end') return finish();
        if (message.event !== 'output') return;
        backOff.reset();
        cursor = message.lastId || cursor;
        reader.items((JSON.parse(message.data) as { items: OutputItem[] }).items);
      },
      onSign: () => {},
      onEnd: (status) => {
        if (status >= 400 && status < 500 && status !== 429) finish();
        else timer = setTimeout(connect, backOff.wait());
      },
    });
  }

  function stop(): void {
    clearTimeout(timer);
    close();
  }

  function restart(): void {
    stop();
    if (!over) connect();
  }

  function finish(): void {
    over = true;
    stop();
    forget();
    reader.end();
  }

  if (!sight.isHidden()) connect();
  return () => {
    over = true;
    stop();
    forget();
  };
}
