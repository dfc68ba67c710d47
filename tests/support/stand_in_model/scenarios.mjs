// What the model answers: one row a scenario. A conversation is what the request holds so far.

const text = (words) => ({ text: words });
const call = (name, input) => ({ call: { name, input } });
const refusal = (status, type, message) => ({ status, type, message });

// The first tool the caller offers whose name looks like a shell's; its own name for the command differs.
function shellCall({ tools }, command) {
  const tool = tools.find(({ name }) => /^(bash|shell|run_shell_command|exec_command|local_shell)$/i.test(name));
  if (!tool) return text('There is no shell here.');
  const key = ['command', 'cmd'].find((name) => tool.schema?.properties?.[name]) ?? 'command';
  const takesList = tool.schema?.properties?.[key]?.type === 'array';
  return call(tool.name, { [key]: takesList ? ['/bin/sh', '-c', command] : command, description: 'Say hello' });
}

// A call of the shell, then the last words.
const shell = (command) => (conversation) => (conversation.hasToolResult ? text('All done.') : shellCall(conversation, command));

const kScenarios = {
  plain: () => text('All done.'),
  tool: shell('echo hello from the tool'),
  report: shell('andon done --result "said hello"'),
  change: shell('echo hello > hello.txt && andon done --result "wrote hello.txt"'),
  lie: shell('andon done --result "wrote hello.txt"'),
  ask: shell('andon block "which colour?"'),
  fail: shell('andon fail --reason "there is no shop"'),
  slow: () => ({ ...text('One word after the other.'), pause: 20 }),
  hang: () => ({ ...text('And then'), hangs: true }),
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
