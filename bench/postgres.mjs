// The workers of bench/postgres. Each mode prints one line of key=value pairs.
//   postgres.mjs reads PORT TOKENFILE WORKERS SECONDS   lists of 20 waiting tasks
//   postgres.mjs work PORT TOKENFILE WORKERS LEDGER     claims and completes under keys until SIGINT; each answer is a line
//                                                       "MILLISECONDS KIND TASK" of the ledger
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const kBetweenAttempts = 20; // ms
const kLongestAttempt = 15_000; // ms

const [mode, port, tokenFile, workers, last] = process.argv.slice(2);
const token = readFileSync(tokenFile, 'utf8').trim();
const agent = new Agent({ keepAlive: true });
const counts = { n: 0, busy: 0, unknown: 0, cut: 0, refused: 0 };
let stopped = false;

// {status, body} of one request.
function ask(method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = request({
      agent, host: '127.0.0.1', port, method, path: `/api/v1${path}`, timeout: kLongestAttempt,
      headers: { Authorization: `Bearer ${token}`, ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }), ...headers },
    }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (piece) => (answer += piece)).on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, body: answer ? JSON.parse(answer) : undefined }));
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer')));
    sent.end(text);
  });
}

// True when the same request may be sent again under its key.
function isToRetry({ status, body }) {
  if (status === 503) return Boolean(++counts.busy);
  return status === 500 && JSON.stringify(body).includes('"unknown"') && Boolean(++counts.unknown);
}

// The answer of one attempt, nothing when the connection was lost.
async function attempt(path, body, key) {
  try {
    return await ask('POST', path, body, { 'Idempotency-Key': key });
  } catch {
    ++counts.cut;
  }
}

// The answer of a write that is sent again until it has one; nothing for a refusal, which none of these writes deserves.
async function insist(path, body) {
  const key = randomUUID();
  for (const attempts = []; ; await pause(kBetweenAttempts)) {
    const answer = await attempt(path, body, key);
    if (answer?.status < 300) return answer.body;
    if (answer && !isToRetry(answer)) {
      ++counts.refused;
      console.error(`${path} after [${attempts.join(', ')}]: ${answer.status} ${JSON.stringify(answer.body)}`);
      return undefined;
    }
    attempts.push(answer ? `${answer.status} ${answer.body.error}` : 'connection lost');
  }
}

async function work(name, ledger) {
  const told = (kind, task) => writeSync(ledger, `${Date.now()} ${kind} ${task}\n`);
  while (!stopped) {
    const picked = await insist('/pick', { by: name });
    if (!picked) continue;
    told('task.claimed', picked.id);
    if (!(await insist(`/tasks/${picked.id}/complete`, { epoch: picked.epoch }))) continue;
    told('task.completed', picked.id);
    ++counts.n;
  }
}

async function read(end) {
  while (Date.now() < end) {
    const { status } = await ask('GET', '/tasks?board=load&status=todo&limit=20');
    if (status !== 200) throw new Error(`a read: ${status}`);
    ++counts.n;
  }
}

const all = (act) => Promise.all(Array.from({ length: Number(workers) }, (_, n) => act(n)));

if (mode === 'work') {
  process.on('SIGINT', () => (stopped = true));
  const ledger = openSync(last, 'a');
  await all((n) => work(`w${n + 1}`, ledger));
  closeSync(ledger);
  console.log(`tasks=${counts.n} busy=${counts.busy} unknown=${counts.unknown} cut=${counts.cut} refused=${counts.refused}`);
} else {
  const begun = Date.now();
  await all(() => read(begun + 1000 * Number(last)));
  console.log(`reads n=${counts.n} per_s=${Math.round(counts.n * 1000 / (Date.now() - begun))}`);
}
agent.destroy();
