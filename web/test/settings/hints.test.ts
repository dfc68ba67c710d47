import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hintsIn } from '../../src/settings/hints.ts';

const described = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8'));

test('hints and choices are those of the operation table', () => {
  const hints = hintsIn(described, 'patch', '/boards/{board}');
  expect(hints.text('repo')).toBe('Repository the agents work in.');
  expect(hints.choices('columns/stage')).toContain('review');
  expect(hints.choices('land')).toEqual(['auto', 'off']);
  expect(hints.text('nothing')).toBe('');
});
