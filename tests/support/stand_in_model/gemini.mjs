// Gemini: generateContent and streamGenerateContent.
import { pieces, sse, tokens } from './scenarios.mjs';

const kUsage = {
  promptTokenCount: tokens.input, cachedContentTokenCount: tokens.cacheRead, candidatesTokenCount: tokens.output,
  thoughtsTokenCount: tokens.reasoning, totalTokenCount: tokens.input + tokens.output + tokens.reasoning,
};

function conversation({ contents = [], tools = [] }) {
  return {
    steps: contents.flatMap(({ parts = [] }) => parts).filter(({ functionResponse }) => functionResponse).length,
    tools: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name, parameters, parametersJsonSchema }) => ({ name, schema: parameters ?? parametersJsonSchema }))),
  };
}

const answer = (parts, last) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(last ? { finishReason: 'STOP' } : {}) }],
  modelVersion: 'stand-in',
  ...(last ? { usageMetadata: kUsage } : {}),
});

const parts = (turn) => (turn.call ? [[{ functionCall: { name: turn.call.name, args: turn.call.input } }]] : pieces(turn.text).map((text) => [{ text }]));

function events(turn) {
  const all = parts(turn);
  return all.map((part, index) => sse(answer(part, index === all.length - 1 && !turn.hangs)));
}

export const gemini = {
  name: 'gemini',
  path: /\/models\/[^/]+:(streamGenerateContent|generateContent|countTokens)$/,
  countsTokens: /:countTokens$/,
  conversation,
  streams: (path) => path.endsWith(':streamGenerateContent'),
  events,
  whole: (turn) => answer(parts(turn).flat(), true),
  refusal: ({ status, message }) => ({ error: { code: status, message, status: 'FAILED' } }),
};
