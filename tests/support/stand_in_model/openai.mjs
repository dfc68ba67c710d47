// OpenAI Responses and Chat Completions: their streams and whole answers.
import { pieces, sse, tokens } from './scenarios.mjs';

const kTotal = tokens.input + tokens.output;
const refusal = ({ type, message, status, resetsAt }) =>
  resetsAt
    ? { error: { type: 'usage_limit_reached', message, plan_type: 'plus', resets_at: resetsAt } }
    : { error: { type, message, code: String(status) } };

// ---- Responses

// A tool, or those of a namespace: Codex offers the tools of each MCP server so.
const named = ({ name, type, parameters: schema, tools }) =>
  tools ? tools.map((one) => ({ name: one.name, schema: one.parameters, namespace: name })) : [{ name: name ?? type, schema }];

function output(turn) {
  if (turn.call)
    return { type: 'function_call', id: `fc_${turn.call.id}`, call_id: `call_${turn.call.id}`, name: turn.call.name, ...(turn.call.namespace && { namespace: turn.call.namespace }), arguments: JSON.stringify(turn.call.input), status: 'completed' };
  return { type: 'message', id: 'msg_stand_in', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: turn.text, annotations: [] }] };
}

function response(turn, { model }) {
  return {
    id: 'resp_stand_in', object: 'response', created_at: 1795000000, model, status: 'completed', output: [output(turn)],
    usage: {
      input_tokens: tokens.input, input_tokens_details: { cached_tokens: tokens.cacheRead }, output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning }, total_tokens: kTotal,
    },
  };
}

function responseEvents(turn, body) {
  const done = response(turn, body);
  const at = { output_index: 0, item_id: output(turn).id };
  const begun = { ...done, status: 'in_progress', output: [], usage: null };
  const all = [{ type: 'response.created', response: begun }, { type: 'response.output_item.added', output_index: 0, item: { ...output(turn), status: 'in_progress', ...(turn.call ? { arguments: '' } : { content: [] }) } }];
  if (turn.call) all.push({ type: 'response.function_call_arguments.done', ...at, arguments: JSON.stringify(turn.call.input) });
  else for (const delta of pieces(turn.text)) all.push({ type: 'response.output_text.delta', ...at, content_index: 0, delta });
  if (!turn.hangs) all.push({ type: 'response.output_item.done', output_index: 0, item: output(turn) }, { type: 'response.completed', response: done });
  return all.map((event, number) => sse({ ...event, sequence_number: number }, event.type));
}

export const responses = {
  name: 'responses',
  path: /\/responses$/,
  conversation: ({ input = [], tools = [] }) => ({
    steps: Array.isArray(input) ? input.filter(({ type }) => type === 'function_call_output').length : 0,
    tools: tools.flatMap(named),
  }),
  streams: (path, body) => body.stream === true,
  events: responseEvents,
  whole: response,
  refusal,
};

// ---- Chat Completions

const kUsage = {
  prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: kTotal,
  prompt_tokens_details: { cached_tokens: tokens.cacheRead }, completion_tokens_details: { reasoning_tokens: tokens.reasoning },
};

const finish = (turn) => (turn.call ? 'tool_calls' : 'stop');

function toolCalls(turn) {
  return [{ index: 0, id: `call_${turn.call.id}`, type: 'function', function: { name: turn.call.name, ...(turn.call.namespace && { namespace: turn.call.namespace }), arguments: JSON.stringify(turn.call.input) } }];
}

function completion(turn, { model }) {
  const message = { role: 'assistant', content: turn.text ?? null, ...(turn.call ? { tool_calls: toolCalls(turn) } : {}) };
  return { id: 'chatcmpl_stand_in', object: 'chat.completion', created: 1795000000, model, choices: [{ index: 0, message, finish_reason: finish(turn) }], usage: kUsage };
}

function chunks(turn, { model }) {
  const chunk = (delta, finish_reason = null, more = {}) =>
    sse({ id: 'chatcmpl_stand_in', object: 'chat.completion.chunk', created: 1795000000, model, choices: [{ index: 0, delta, finish_reason }], ...more });
  const all = [chunk({ role: 'assistant', content: '' })];
  if (turn.call) all.push(chunk({ tool_calls: toolCalls(turn) }));
  else all.push(...pieces(turn.text).map((content) => chunk({ content })));
  if (!turn.hangs) all.push(chunk({}, finish(turn), { usage: kUsage }), 'data: [DONE]\n\n');
  return all;
}

export const chat = {
  name: 'chat',
  path: /\/chat\/completions$/,
  conversation: ({ messages = [], tools = [] }) => ({
    steps: messages.filter(({ role }) => role === 'tool').length,
    tools: tools.map(({ function: { name, parameters: schema } }) => ({ name, schema })),
  }),
  streams: (path, body) => body.stream === true,
  events: chunks,
  whole: completion,
  refusal,
};
