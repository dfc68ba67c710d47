import { credentialOf } from './page_secret.ts';
import { doubtServer, proofOfServer } from './server_proof.ts';
import { SseParser, type SseMessage } from './sse_parser.ts';

export interface StreamHandlers {
  onMessage(message: SseMessage): void;
  // Any byte, heartbeats included.
  onSign(): void;
  // The status of the answer when it was no stream, 0 when nothing was answered or the stream ended.
  onEnd(status: number): void;
}

// Reads server-sent events with fetch, not EventSource: heartbeats are comments, which EventSource hides,
// and a lost session must be told from a lost network.
export function openEventStream(base: string, path: string, secret: string | undefined, handlers: StreamHandlers): () => void {
  const control = new AbortController();
  const alive = () => !control.signal.aborted;
  const end = (status: number) => {
    if (!alive()) return;
    if (status === 0) doubtServer();
    handlers.onEnd(status);
  };
  read(base, path, secret, handlers, control.signal).then(end, () => end(0));
  return () => control.abort();
}

async function read(base: string, path: string, secret: string | undefined, handlers: StreamHandlers, signal: AbortSignal): Promise<number> {
  const proof = secret ? await proofOfServer(base, secret) : 'right';
  if (proof !== 'right') return proof === 'wrong' ? 401 : 0;
  const headers = { Accept: 'text/event-stream', ...credentialOf(secret) };
  const response = await fetch(base + path, { headers, signal, credentials: 'same-origin', cache: 'no-store' });
  if (!response.ok || !response.body) return response.status;
  const parser = new SseParser('');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) return 0;
    handlers.onSign();
    for (const message of parser.push(value)) if (!signal.aborted) handlers.onMessage(message);
  }
}
