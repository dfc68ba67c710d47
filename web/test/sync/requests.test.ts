import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { addressOf, methodOf } from '../../src/sync/requests.ts';

test('the fields of a path and the query are filled in and escaped', () => {
  expect(addressOf('GET /tasks/{id}/attachments/{name}', { id: 7, name: 'a b/ö?.png' })).toBe('/tasks/7/attachments/a%20b%2F%C3%B6%3F.png');
  expect(addressOf('GET /tasks', undefined, { board: 'a&b', limit: 5, reverse: true, cursor: undefined })).toBe('/tasks?board=a%26b&limit=5&reverse=true');
  expect(addressOf('GET /boards')).toBe('/boards');
});

test('the method stands before the path', () => {
  expect(methodOf('PATCH /tasks/{id}')).toBe('PATCH');
});

test('the generated types are those of the description of the interface', () => {
  expect(() => execFileSync(process.execPath, ['scripts/wire_types.mjs', '--check'], { stdio: 'pipe' })).not.toThrow();
});
