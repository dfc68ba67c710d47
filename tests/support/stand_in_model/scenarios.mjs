// What the model answers: one row a scenario. A conversation is what the request holds so far.

const text = (words) => ({ text: words });
const call = (name, input, id, namespace) => ({ call: { name, input, id, namespace } });
const refusal = (status, type, message, more = {}) => ({ status, type, message, ...more });

// As the services tell when a usage limit ends: in headers, in the error, in words.
export const kLimitResets = Math.floor(Date.now() / 1000) + 7200; // seconds
const kLimitHeaders = {
  'anthropic-ratelimit-unified-status': 'rejected', 'anthropic-ratelimit-unified-reset': String(kLimitResets),
  'anthropic-ratelimit-unified-representative-claim': 'five_hour', 'retry-after': '3600', 'x-should-retry': 'false',
};

// The first tool the caller offers whose name looks like a shell's; its own name for the command differs.
function shellCall({ tools, steps }, command) {
  const tool = tools.find(({ name }) => /^(bash|shell|run_shell_command|exec_command|local_shell)$/i.test(name));
  if (!tool) return text('There is no shell here.');
  const key = ['command', 'cmd'].find((name) => tool.schema?.properties?.[name]) ?? 'command';
  const takesList = tool.schema?.properties?.[key]?.type === 'array';
  return call(tool.name, { [key]: takesList ? ['/bin/sh', '-c', command] : command, description: 'Say hello' }, `stand_in_${steps}`);
}

// One call of the shell after the other, then the last words.
const shell = (...commands) => (conversation) =>
  conversation.steps < commands.length ? shellCall(conversation, commands[conversation.steps]) : text('All done.');

// One call of a tool of the board's MCP server after the other; each client gives these names a beginning of its own.
const boardTools = (...calls) => (conversation) => {
  if (conversation.steps >= calls.length) return text('All done.');
  const [name, input] = calls[conversation.steps];
  const tool = conversation.tools.find((one) => one.name.endsWith(name));
  return tool ? call(tool.name, input, `stand_in_${conversation.steps}`, tool.namespace) : text(`There is no tool ${name}.`);
};

// Everything that an agent may tell the board on the way to a question.
const kReports = [
  'andon note "half way"',
  'andon memory add "the shop is red"',
  `andon create "Paint the door" --brief - <<'BRIEF'\n## Why\nIt is "blue" & old.\nBRIEF`,
  'andon block "which colour?"',
];
const kCommits = ['echo red > door.txt && git add . && git commit -m "painted it red"', 'andon done --result "painted the door"'];
const kPull = ['while [ "$(git rev-parse main)" = "$(git rev-parse HEAD)" ]; do sleep 0.1; done; git pull . main', 'andon done --result "pulled it"'];
const kManyWords = Array.from({ length: 20 }, (_, n) => `word${n}`).join(' ');

const kScenarios = {
  plain: () => text('All done.'),
  tool: shell('echo hello from the tool'),
  report: shell('andon done --result "said hello"'),
  change: shell('echo hello > hello.txt && andon done --result "wrote hello.txt"'),
  lie: shell('andon done --result "wrote hello.txt"'),
  ask: shell('andon block "which colour?"'),
  fail: shell('andon fail --reason "there is no shop"'),
  reports: shell(...kReports),
  commits: shell(...kCommits),
  // It goes on talking for 20 s after its report.
  closing: (conversation) =>
    conversation.steps === 0 ? shellCall(conversation, 'andon done --result "said hello"') : { ...text(kManyWords), pause: 1_000 },
  waits: (conversation) => ({ ...shell('andon done --result "said hello"')(conversation), delay: 12_000 }),
  slow: () => ({ ...text('One word after the other.'), pause: 20 }),
  hang: () => ({ ...text('And then'), hangs: true }),
  works: shell('echo $$ > shell; while [ ! -e go ]; do sleep 0.1; done', 'andon done --result "said hello"'),
  leaves: shell('setsid sh -c "echo \$\$ > daemon; while :; do sleep 1; done" >/dev/null 2>&1 </dev/null & echo left', 'andon done --result "said hello"'),
  pulls: shell(...kPull),
  claims: shell('andon pick --claim calm-otter --status todo --move in-progress && andon show 1 --json > picked.json', 'echo working'),
  permits: shell('perl -e "open F, q(>), q(published); print F 1" && echo it is out', 'andon done --result "said hello"'),
  cut: () => ({ ...text('One word after the other.'), cut: true }),
  resets: () => refusal(429, 'rate_limit_error', 'usage limit reached, says the stand-in', { headers: kLimitHeaders, resetsAt: kLimitResets }),
  toolsDone: boardTools(
    ['get_task', {}], ['add_note', { text: 'half way' }],
    ['create_task', { title: 'Paint the door', body: 'It is `blue` & old.' }], ['complete_task', { result: 'said hello' }]),
  toolsPick: boardTools(['pick_task', {}], ['complete_task', { id: '1', result: 'mended' }]),
  toolsAsk: boardTools(['block_task', { reason: 'which colour?' }]),
  toolsFail: boardTools(['fail_task', { reason: 'there is no shop' }]),
  e400: () => refusal(400, 'invalid_request_error', 'bad request, says the stand-in'),
  e401: () => refusal(401, 'authentication_error', 'invalid key, says the stand-in'),
  e429: () => refusal(429, 'rate_limit_error', 'slow down, says the stand-in'),
  e529: () => refusal(529, 'overloaded_error', 'overloaded, says the stand-in'),
};

export const scenarioNames = Object.keys(kScenarios);

export function turnFor(scenario, conversation) {
  const make = kScenarios[scenario];
  return make ? make(conversation) : refusal(404, 'not_found_error', `there is no scenario ${scenario}`);
}

// Tokens of every answer; the programs under test report them in their own words.
export const tokens = { input: 100, cacheRead: 50, output: 9, reasoning: 3 };

// A text as the pieces a stream brings it in.
export const pieces = (words) => words.match(/\S+\s*/g) ?? [];

export const sse = (data, event) => `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
