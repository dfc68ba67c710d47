import { browserWorld } from './hub_world.ts';
import { browserSurroundings, LineWatch } from './line_watch.ts';
import { leaseBetweenPages } from './player_lease.ts';
import { doubtServer } from './server_proof.ts';
import { StreamHub } from './stream_hub.ts';
import { connectWorker, type OpenWorker } from './worker_link.ts';
import type { FromHub, ToHub } from './stream_messages.ts';

export type TellHub = (message: ToHub) => void;

// Where no SharedWorker exists a hidden page without sound gives its connection back after this time.
const kHiddenFor = 60_000;

// Joins the stream of this browser, or opens one for this page alone.
export function connectStream(hear: (message: FromHub) => void): TellHub {
  const watched = (message: FromHub) => {
    if (message.type === 'link') line.heard(message.state);
    if (message.type === 'link' && message.state === 'waiting') doubtServer();
    hear(message);
  };
  const line = new LineWatch(browserSurroundings(), () => tell({ type: 'retry', gently: true }));
  const tell = typeof SharedWorker === 'undefined' ? ownStream(watched) : sharedStream(watched);
  return tell;
}

function sharedStream(hear: (message: FromHub) => void): TellHub {
  const open: OpenWorker = (heard, failed) => {
    const worker = new SharedWorker(new URL('./stream_worker.ts', import.meta.url), { type: 'module', name: 'andon' });
    worker.port.onmessage = (event: MessageEvent<FromHub>) => heard(event.data);
    worker.onerror = failed;
    return (message) => worker.port.postMessage(message);
  };
  const tell = connectWorker(open, browserWorld('/api/v1'), hear);
  addEventListener('pagehide', () => tell({ type: 'leave' }));
  // A page that comes back from the history has lost its place in the stream.
  addEventListener('pageshow', (event) => event.persisted && location.reload());
  return tell;
}

function ownStream(hear: (message: FromHub) => void): TellHub {
  const hub = new StreamHub(browserWorld('/api/v1'));
  const port = { send: hear };
  const pass = leaseBetweenPages((cues) => hub.hear(port, { type: 'cues', cues }));
  let resume: ToHub | undefined;
  let hasSound = false;
  let closing: ReturnType<typeof setTimeout> | undefined;
  let closed = false;
  hub.join(port);

  document.addEventListener('visibilitychange', () => {
    clearTimeout(closing);
    if (document.hidden) {
      closing = setTimeout(() => {
        if (hasSound) return;
        closed = true;
        hub.hear(port, { type: 'leave' });
      }, kHiddenFor);
    } else if (closed && resume) {
      closed = false;
      hub.join(port);
      hear({ type: 'reset', reason: 'hidden' });
    }
  });
  return (message) => {
    if (message.type === 'watch') resume = message;
    if (message.type === 'player') hasSound = message.ready;
    const passed = pass(message);
    if (passed) hub.hear(port, passed);
  };
}
