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

// Reads the output of a run from its beginning and follows it until the run is over, across lost connections.
export function followOutput(address: (since: string | undefined) => string, reader: OutputReader): () => void {
  const backOff = new BackOff(Math.random);
  let cursor: string | undefined;
  let close = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;

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
        if (status >= 400 && status < 500) finish();
        else timer = setTimeout(connect, backOff.wait());
      },
    });
  }

  function finish(): void {
    close();
    reader.end();
  }

  connect();
  return () => {
    clearTimeout(timer);
    close();
  };
}
