import type { Operations } from '../model/wire_generated.ts';

// The requests of the page, typed by the server's own description: a route that is not there, a wrong field of its
// path, query or body, and an answer that is read as another shape do not compile.

export type Route = keyof Operations;
export type AnswerOf<R extends Route> = Operations[R]['answer'];
export type BodyOf<R extends Route> = Operations[R]['body'];

type PathOf<R extends Route> = { [Name in keyof Operations[R]['path']]: string | number };

export type Given<R extends Route> = ([Operations[R]['path']] extends [never] ? { path?: undefined } : { path: PathOf<R> }) &
  ([Operations[R]['query']] extends [never] ? { query?: undefined } : { query?: Operations[R]['query'] }) &
  ([BodyOf<R>] extends [undefined] ? { body?: undefined } : { body: BodyOf<R> });

// The acts on a task besides reading and editing it.
export type TaskVerb =
  | 'kill' | 'block' | 'answer' | 'unblock' | 'approve' | 'accept' | 'reject' | 'retry' | 'note' | 'archive' | 'claim' | 'release' | 'complete' | 'landing' | 'revert';
export type VerbRoute<V extends TaskVerb> = `POST /tasks/{id}/${V}`;
export type VerbBody<V extends TaskVerb> = BodyOf<VerbRoute<V>>;

type Query = Record<string, string | number | boolean | null | undefined>;

export const methodOf = (route: Route): string => route.slice(0, route.indexOf(' '));

// The path of a route below the base, with its fields and its query filled in.
export function addressOf<R extends Route>(route: R, path?: object, query?: object): string {
  const fields = path as Record<string, string | number> | undefined;
  const filled = route.slice(route.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_slot, name: string) => encodeURIComponent(String(fields?.[name])));
  return filled + asQuery((query ?? {}) as Query);
}

function asQuery(query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return pairs.length ? `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}` : '';
}
