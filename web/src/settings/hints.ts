import { capitalised } from '../format/words.ts';
import { credentialOf, pageSecret } from '../sync/page_secret.ts';

// What the server's own description of its interface says about the fields of a request.

interface Schema {
  description?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Described {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } } | undefined> | undefined>;
}

export class Hints {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  // `path` names a field, or one inside it: "columns/stage".
  of(path: string): Schema {
    return path.split('/').reduce<Schema>((schema, name) => (schema.items ?? schema).properties?.[name] ?? {}, this.#schema);
  }

  text(path: string): string {
    const words = this.of(path).description?.replace(/ \(administrator only\)/, '') ?? '';
    return words && `${capitalised(words)}.`;
  }

  choices = (path: string): string[] => this.of(path).enum ?? [];
}

export function hintsIn(described: Described, method: string, path: string): Hints {
  return new Hints(described.paths[`/api/v1${path}`]?.[method]?.requestBody?.content['application/json']?.schema ?? {});
}

let loading: Promise<Described> | undefined;

async function load(): Promise<Described> {
  const answer = await fetch('/openapi.json', { headers: credentialOf(pageSecret()), credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return (await answer.json()) as Described;
}

// Fields are there without their hints where the description cannot be read; it is asked for again later.
export async function hintsOf(method: string, path: string): Promise<Hints> {
  try {
    return hintsIn(await (loading ??= load()), method, path);
  } catch {
    loading = undefined;
    return new Hints({});
  }
}
