// Anthropic Messages: the stream of events and the whole message.
import { pieces, sse, tokens } from './scenarios.mjs';

const kUsage = { input_tokens: tokens.input, cache_read_input_tokens: tokens.cacheRead, cache_creation_input_tokens: 0 };

function conversation({ messages = [], tools = [] }) {
  const said = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return {
    steps: said.filter(({ type }) => type === 'tool_result').length,
    tools: tools.map(({ name, input_schema: schema }) => ({ name, schema })),
  };
}

function content(turn) {
  return turn.call ? { type: 'tool_use', id: `toolu_${turn.call.id}`, name: turn.call.name, input: turn.call.input } : { type: 'text', text: turn.text };
}

const stopReason = (turn) => (turn.call ? 'tool_use' : 'end_turn');

function message(turn, { model }) {
  return {
    id: 'msg_stand_in', type: 'message', role: 'assistant', model, content: [content(turn)], stop_reason: stopReason(turn),
    stop_sequence: null, usage: { ...kUsage, output_tokens: tokens.output },
  };
}

function deltas(turn) {
  if (turn.call) return [{ type: 'input_json_delta', partial_json: JSON.stringify(turn.call.input) }];
  return pieces(turn.text).map((piece) => ({ type: 'text_delta', text: piece }));
}

function events(turn, body) {
  const begun = { ...message(turn, body), content: [], stop_reason: null, usage: { ...kUsage, output_tokens: 1 } };
  const block = turn.call ? { ...content(turn), input: {} } : { type: 'text', text: '' };
  const all = [
    { type: 'message_start', message: begun },
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas(turn).map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
  ];
  if (!turn.hangs)
    all.push(
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stopReason(turn), stop_sequence: null }, usage: { output_tokens: tokens.output } },
      { type: 'message_stop' },
    );
  return all.map((event) => sse(event, event.type));
}

export const anthropic = {
  name: 'anthropic',
  path: /\/v1\/messages(\/count_tokens)?$/,
  countsTokens: /count_tokens$/,
  conversation,
  streams: (path, body) => body.stream === true,
  events,
  whole: message,
  refusal: ({ type, message }) => ({ type: 'error', error: { type, message } }),
};
