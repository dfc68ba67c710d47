import { createServer } from 'node:net';

// The system gives no ports below 32768 by itself, so nobody takes one of these while a server is away.
const [kFirst, kLast] = [20_000, 32_000];

// An address of this machine that a server can be started at again and again.
export async function lastingAddress() {
  for (;;) {
    const port = kFirst + Math.floor(Math.random() * (kLast - kFirst));
    if (await isFree(port)) return `127.0.0.1:${port}`;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
