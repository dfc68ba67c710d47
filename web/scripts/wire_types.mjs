// Writes src/model/wire_generated.ts: the shapes of requests and answers as docs/reference/openapi.json describes them.
// With --check it only says whether the file is up to date. The names of shapes that the page speaks of stand in kNames;
// every other shape stands where it is used.
import { readFileSync, writeFileSync } from 'node:fs';

const at = (path) => new URL(path, import.meta.url);
const described = JSON.parse(readFileSync(at('../../docs/reference/openapi.json'), 'utf8'));
const target = at('../src/model/wire_generated.ts');
const kBase = '/api/v1';

// Name, route, and the way from its answer: "items[]" is what the list `items` holds.
const kNames = [
  ['Allowance', 'GET /workers/{name}', 'budget/day'],
  ['Budget', 'GET /workers/{name}', 'budget'],
  ['ResourceLimits', 'GET /workers/{name}', 'limits'],
  ['QuietHours', 'GET /workers/{name}', 'quiet'],
  ['Spending', 'GET /dispatch', 'budgets[]/spent'],
  ['DaySpending', 'GET /dispatch', 'budgets[]'],
  ['TaskSpending', 'GET /tasks/{id}/runs', 'spent'],
  ['WorkerUsage', 'GET /metrics/flow', 'workers[]'],
  ['TaskTemplate', 'GET /automations/{id}', 'template'],
  ['ChainRule', 'GET /boards/{board}', 'chains[]'],
  ['SetupCache', 'GET /boards/{board}', 'setup_cache'],
  ['ClassOfService', 'GET /boards/{board}', 'classes[]'],
  ['Column', 'GET /boards/{board}', 'columns[]'],
  ['Board', 'GET /boards/{board}', ''],
  ['ChangedBoard', 'POST /boards', ''],
  ['Worker', 'GET /workers/{name}', ''],
  ['Account', 'GET /accounts', 'items[]'],
  ['SuspectedCopy', 'GET /copies', 'items[]'],
  ['Automation', 'GET /automations/{id}', ''],
  ['Token', 'GET /tokens', 'items[]'],
  ['Attachment', 'GET /tasks/{id}/attachments', 'items[]'],
  ['Question', 'GET /tasks/{id}', 'question'],
  ['Progress', 'GET /tasks/{id}', 'children'],
  ['Task', 'GET /tasks/{id}', ''],
  ['Plan', 'GET /tasks/{id}/plan', ''],
  ['DiffSize', 'GET /runs/{id}', 'diff_size'],
  ['Check', 'GET /runs/{id}', 'checks[]'],
  ['LandFinding', 'GET /runs/{id}', 'landing/findings[]'],
  ['Landing', 'GET /runs/{id}', 'landing'],
  ['Revert', 'GET /runs/{id}', 'revert'],
  ['Run', 'GET /runs/{id}', ''],
  ['ChangedFile', 'GET /runs/{id}/diff', 'files[]'],
  ['RunDiff', 'GET /runs/{id}/diff', ''],
  ['CardWork', 'GET /boards/{board}/snapshot', 'tasks[]/work'],
  ['CardRun', 'GET /boards/{board}/snapshot', 'tasks[]/run'],
  ['Card', 'GET /boards/{board}/snapshot', 'tasks[]'],
  ['Dispatch', 'GET /boards/{board}/snapshot', 'dispatch'],
  ['Snapshot', 'GET /boards/{board}/snapshot', ''],
  ['HistoryEvent', 'GET /events', 'items[]'],
  ['DispatchBlocker', 'GET /why', 'items[]/hindrances[]'],
  ['DispatchBlockers', 'GET /why', 'items[]'],
  ['AgentProfile', 'GET /agents', 'items[]'],
  ['AgentTest', 'POST /agents/{id}/test', ''],
  ['ServerLine', 'GET /servers', 'servers[]'],
  ['Readiness', 'GET /servers', ''],
  ['Runner', 'GET /runners', 'items[]'],
  ['ChatStatus', 'GET /telegram', ''],
  ['PhoneLink', 'POST /session/phone', ''],
  ['Preview', 'GET /tasks/{id}/work', 'preview'],
  ['OpenedWork', 'GET /tasks/{id}/work', ''],
  ['Repositories', 'GET /repositories', ''],
  ['ExaminedRepository', 'GET /repositories/examination', ''],
  ['WorkTree', 'GET /work', 'trees[]'],
  ['WorkList', 'GET /work', ''],
  ['WorkCleaned', 'POST /work/clean', ''],
  ['Retention', 'GET /store/retention', ''],
  ['OutputItem', 'GET /runs/{id}/output', 'items[]'],
  ['OutputPage', 'GET /runs/{id}/output', ''],
];

const operation = (route) => {
  const [method, path] = route.split(' ');
  const found = described.paths[kBase + path]?.[method.toLowerCase()];
  if (!found) throw new Error(`openapi.json describes no ${route}`);
  return found;
};

const jsonOf = (part) => part?.content?.['application/json']?.schema;

function answerOf(found) {
  const good = Object.entries(found.responses).find(([status]) => /^20[01]$/.test(status));
  return jsonOf(good?.[1]);
}

// The first of several forms is that of one task; the page asks for lists of tasks as cards.
const firstForm = (schema) => (schema?.anyOf ? schema.anyOf[0] : schema);

function within(schema, way) {
  let here = firstForm(schema);
  for (const step of way.split('/').filter(Boolean)) {
    const name = step.replace('[]', '');
    here = here?.properties?.[name];
    if (!here) throw new Error(`there is no ${step} on the way ${way}`);
    if (step.endsWith('[]')) here = here.items;
  }
  return here;
}

// Shapes are equal whatever is said about them.
const formOf = (schema) => JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value));

const named = new Map();
let isRequest = false;

const quoted = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

function typeOf(schema, own) {
  if (!schema) return 'unknown';
  const known = named.get(formOf(schema));
  if (known && known !== own) return known;
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one)).join(' | ');
  if (schema.enum) return schema.enum.map((word) => `'${word}'`).join(' | ');
  const types = [schema.type].flat();
  const isNull = types.includes('null');
  // Requests may give numbers and time spans as either; answers hold texts.
  const isEither = types.includes('string') && types.includes('integer');
  const type = isEither ? (isRequest ? 'string | number' : 'string') : plainType(schema, types.find((one) => one !== 'null'));
  return isNull ? `${type} | null` : type;
}

function plainType(schema, type) {
  switch (type) {
    case 'string': return 'string';
    case 'integer':
    case 'number': return 'number';
    case 'boolean': return 'boolean';
    case 'array': {
      const item = typeOf(schema.items);
      return /[|{]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case 'object': return objectType(schema);
    default: return 'unknown';
  }
}

function objectType(schema) {
  if (schema.properties) return `{ ${members(schema).join(' ')} }`;
  if (schema.additionalProperties) return `Record<string, ${typeOf(schema.additionalProperties)}>`;
  // Only templates of tasks hold themselves.
  return 'TaskTemplate';
}

function members(schema) {
  return Object.entries(schema.properties).map(([name, one]) => {
    const isSure = schema.required?.includes(name);
    return `${quoted(name)}${isSure ? '' : '?'}: ${typeOf(one)};`;
  });
}

function declaration(name, schema) {
  const lines = Object.entries(schema.properties).flatMap(([key, one]) => {
    const isSure = schema.required?.includes(key);
    const says = one.description ? [`  /** ${one.description.replaceAll('*/', '* /')} */`] : [];
    return [...says, `  ${quoted(key)}${isSure ? '' : '?'}: ${typeOf(one, name)};`];
  });
  return [`export interface ${name} {`, ...lines, '}', ''];
}

function parametersOf(found, where) {
  const own = (found.parameters ?? []).filter((one) => one.in === where);
  if (!own.length) return 'never';
  // A list travels as one text with commas.
  // In an address a number is as good as its text.
  const type = (schema) => (schema.type === 'array' || (where === 'path' && schema.type !== 'string') ? 'string | number' : typeOf(schema));
  return `{ ${own.map((one) => `${quoted(one.name)}${one.required ? '' : '?'}: ${type(one.schema)};`).join(' ')} }`;
}

function requestOf(found) {
  if (!found.requestBody) return 'undefined';
  if (!jsonOf(found.requestBody)) return 'Blob';
  isRequest = true;
  const type = typeOf(firstForm(jsonOf(found.requestBody)));
  isRequest = false;
  return type;
}

function generated() {
  const out = ['// Generated from docs/reference/openapi.json by scripts/wire_types.mjs. Do not edit.', ''];
  const declared = [];
  for (const [name, route, way] of kNames) {
    const schema = within(answerOf(operation(route)), way);
    if (!schema?.properties) throw new Error(`${name}: ${route} ${way} is no object`);
    if (!named.has(formOf(schema))) named.set(formOf(schema), name);
    declared.push([name, schema]);
  }
  for (const [name, schema] of declared) out.push(...declaration(name, schema));
  out.push('export interface Operations {');
  for (const [path, methods] of Object.entries(described.paths))
    for (const [method, found] of Object.entries(methods)) {
      const answer = answerOf(found);
      out.push(
        `  '${method.toUpperCase()} ${path.slice(kBase.length)}': {`,
        `    path: ${parametersOf(found, 'path')};`,
        `    query: ${parametersOf(found, 'query')};`,
        `    body: ${requestOf(found)};`,
        `    answer: ${answer ? typeOf(method === 'post' ? firstForm(answer) : answer) : 'undefined'};`,
        '  };',
      );
    }
  out.push('}', '');
  return out.join('\n');
}

const text = generated();
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error('web/src/model/wire_generated.ts is not what docs/reference/openapi.json describes; write it with: node web/scripts/wire_types.mjs');
  process.exit(1);
}
