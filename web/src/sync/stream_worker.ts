import { browserWorld } from './hub_world.ts';
import { StreamHub } from './stream_hub.ts';
import type { ToHub } from './stream_messages.ts';

// Runs once per browser, whatever the number of pages: six streams over HTTP/1.1 and the seventh page would not load.
const hub = new StreamHub(browserWorld('/api/v1'));

addEventListener('connect', (event) => {
  const channel = (event as MessageEvent).ports[0]!;
  const port = { send: (message: unknown) => channel.postMessage(message) };
  channel.onmessage = (heard: MessageEvent<ToHub>) => {
    hub.hear(port, heard.data);
    if (heard.data.type === 'leave') channel.close();
  };
  hub.join(port);
});
