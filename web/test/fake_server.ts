import { createHash, createHmac } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Op } from '../src/model/wire.ts';
import { kRoutes, type Request } from './fake/routes.ts';
import { seed } from './fake/seed.ts';
import { seedReviews } from './fake/reviews.ts';
import { Simulation } from './fake/simulation.ts';
import { Store, WireProblem } from './fake/store.ts';

export interface FakeOptions {
  // Runs take a step this often; 0 leaves them where they are.
  stepMs?: number;
  // Asks for a sign-in with this code.
  code?: string;
  dist?: string;
  // Where it listens; a free port when left out.
  port?: number;
  extraTasks?: number;
  // Adds a board with tasks in review; the first one changed so many files.
  reviewFiles?: number;
  // Has no boards and no workers yet.
  isNew?: boolean;
}

export interface FakeServer {
  url: string;
  store: Store;
  simulation: Simulation;
  // Cuts requests for these paths, as a server that goes away does.
  cuts: RegExp | undefined;
  // Answers requests for these paths as a server with too much to do does.
  busy: RegExp | undefined;
  // Of the session; requests with another one are refused.
  secret: string;
  // How often a page ended its session.
  signedOut: number;
  // Ends all streams, as a restart of the server does.
  cutStreams(): void;
  close(): Promise<void>;
}

const kLinesOfPage = 3000;
const kPolicy = "default-src 'self'; img-src 'self' blob:; base-uri 'none'; object-src 'none'; frame-ancestors 'none'";
const kTypes: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.webmanifest': 'application/manifest+json' };

// Behaves like Andon's server as far as the page can tell: its rules, its refusals, its stream.
export async function startFakeServer(options: FakeOptions = {}): Promise<FakeServer> {
  const store = new Store();
  const simulation = new Simulation(store);
  if (!options.isNew) seed(store, simulation, options.extraTasks ?? 0);
  if (options.reviewFiles) seedReviews(store, options.reviewFiles);
  if (options.stepMs) simulation.start(options.stepMs);
  const streams = new Set<ServerResponse>();
  const cutStreams = () => streams.forEach((response) => response.destroy());
  const fake: FakeServer = { url: '', store, simulation, cuts: undefined, busy: undefined, secret: 'andon_p_fake', signedOut: 0, cutStreams, close: () => closed(server, simulation, cutStreams) };
  const server = createServer((request, response) => {
    serve(request, response).catch((problem: unknown) => fail(response, problem));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    if (fake.cuts?.test(url.pathname)) return void request.socket.destroy();
    if (fake.busy?.test(url.pathname)) throw new WireProblem(503, 'BUSY', 'too many requests wait for the server; try again');
    if (url.pathname === '/openapi.json') return describe(response);
    if (!url.pathname.startsWith('/api/v1/')) return page(url.pathname, response, options.dist);
    const path = url.pathname.slice('/api/v1'.length);
    const body = await bodyOf(request);
    if (path === '/session' && request.method === 'POST') return signIn(body, response);
    if (path === '/proof') return prove(body, response);
    if (options.code && request.headers.authorization !== `Bearer ${fake.secret}`) throw new WireProblem(401, 'UNAUTHENTICATED', 'Sign in first');
    if (path === '/session' && request.method === 'DELETE') return signOut(response);
    const wantsStream = request.headers.accept?.includes('text/event-stream');
    if (path === '/events' && wantsStream) return stream(url, response);
    const output = /^\/runs\/(\d+)\/output$/.exec(path);
    if (output) return tellOutput(Number(output[1]), Number(url.searchParams.get('since') ?? 0), response);
    const log = /^\/runs\/(\d+)\/log$/.exec(path);
    if (log) return sendLog(Number(log[1]), response);
    answer({ method: request.method ?? 'GET', path, query: url.searchParams, body, m: request.headers['idempotency-key'] as string | undefined, match: request.headers['if-match'] }, response);
  }

  function answer(request: Request, response: ServerResponse): void {
    for (const [method, pattern, handle] of kRoutes) {
      const match = method === request.method && pattern.exec(request.path);
      if (!match) continue;
      const [status, result] = handle({ store, simulation }, request, match.slice(1).map(decodeURIComponent));
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(result === undefined ? '' : JSON.stringify(result));
      return;
    }
    throw new WireProblem(404, 'NOT_FOUND', 'There is no such route');
  }

  function signIn(body: Record<string, unknown>, response: ServerResponse): void {
    if (body.code !== options.code) throw new WireProblem(401, 'UNAUTHENTICATED', 'This code is used or too old');
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify({ secret: fake.secret, expires_at: '2099-01-01T00:00:00Z' }));
  }

  // Of the secret that this server gave; an unknown one gets a proof as well, which is wrong.
  function prove({ token, nonce }: Record<string, unknown>, response: ServerResponse): void {
    const key = createHash('sha256').update(fake.secret).digest();
    const isKnown = key.toString('hex').startsWith(String(token));
    const proof = createHmac('sha256', isKnown ? key : 'unknown').update(`andon-proof-1\n${String(nonce)}`).digest('hex');
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify({ proof }));
  }

  function signOut(response: ServerResponse): void {
    fake.signedOut += 1;
    response.writeHead(204);
    response.end();
  }

  function stream(url: URL, response: ServerResponse): void {
    const boards = (url.searchParams.get('boards') ?? '').split(',');
    const [epoch, since] = (url.searchParams.get('since') ?? '').split('.');
    let last = Number(since);
    open(response);
    write(response, 'hello', { epoch: store.epoch, seq: store.seq, resume: 'replay', heartbeat: 15, build: 'fake' });
    if (epoch !== store.epoch) return write(response, 'reset', { reason: 'epoch' });
    const send = (board: string, ops: Op[], seq: number | undefined) => {
      if (seq === undefined) {
        if (boards.includes(board)) write(response, 'ops', { board, ops });
        return;
      }
      const wanted = boards.includes(board) ? ops : [];
      write(response, 'ops', { board: boards.includes(board) ? board : boards[0], from: last + 1, to: seq, ops: wanted }, `${store.epoch}.${seq}`);
      last = Math.max(last, seq);
    };
    for (const frame of store.frames) if (frame.seq > Number(since)) send(frame.board, frame.ops, frame.seq);
    store.listeners.add(send);
    streams.add(response);
    response.on('close', () => {
      store.listeners.delete(send);
      streams.delete(response);
    });
  }

  function tellOutput(run: number, since: number, response: ServerResponse): void {
    const items = (store.output.get(run) ?? []).slice(since, since + kLinesOfPage);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(JSON.stringify({ items, next: String(since + items.length), ...(since ? {} : { directory: `/srv/andon/runs/${run}` }) }));
  }

  function sendLog(run: number, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Disposition': `attachment; filename="run-${run}.log"` });
    response.end((store.output.get(run) ?? []).map((item) => `${item.at}  ${item.stream}  ${item.text}\n`).join(''));
  }

  await new Promise<void>((ready) => server.listen(options.port ?? 0, '127.0.0.1', ready));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function open(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.write('retry: 1500\n\n');
}

function write(response: ServerResponse, event: string, data: object, id?: string): void {
  response.write(`${id ? `id: ${id}\n` : ''}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

function fail(response: ServerResponse, problem: unknown): void {
  const known = problem instanceof WireProblem ? problem : new WireProblem(500, 'DEFECT', String(problem));
  response.writeHead(known.status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: known.message, code: known.code, request_id: 'fake', ...known.more }));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text ? (JSON.parse(text) as Record<string, unknown>) : {};
}

// The reference that is written from the server's own table.
function describe(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  createReadStream(new URL('../../docs/reference/openapi.json', import.meta.url)).pipe(response);
}

// Every other path is the page, whatever its address says.
function page(path: string, response: ServerResponse, dist = 'dist'): void {
  const file = join(dist, normalize(path));
  const isFile = extname(path) !== '' && existsSync(file);
  const served = isFile ? file : join(dist, 'index.html');
  response.writeHead(200, { 'Content-Type': kTypes[extname(served)] ?? 'application/octet-stream', 'Content-Security-Policy': kPolicy });
  createReadStream(served).pipe(response);
}

function closed(server: Server, simulation: Simulation, cutStreams: () => void): Promise<void> {
  simulation.stop();
  cutStreams();
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}
