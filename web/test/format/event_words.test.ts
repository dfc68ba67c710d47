import { describe, expect, test } from 'vitest';
import type { BoardEvent } from '../../src/model/wire.ts';
import { eventWords, who, worthTelling } from '../../src/ui/drawer/event_words.ts';

const event = (over: Partial<BoardEvent>): BoardEvent => ({ seq: 1, ts: '', actor: 'user:ann', kind: 'task.edited', ...over });
const nameOf = (name: string) => (name === 'media' ? 'Media' : name);
const columns = new Map([['todo', 'To Do'], ['in_progress', 'In Progress']]);

describe('The history', () => {
  test('names the worker for what its runner began', () => {
    expect(who(event({ actor: 'runner:local', kind: 'task.claimed', data: { by: 'media' } }), nameOf)).toBe('Media');
    expect(who(event({ actor: 'runner:local', kind: 'run.started', data: { worker: 'media' } }), nameOf)).toBe('Media');
    expect(who(event({ actor: 'runner:local', kind: 'task.released' }), nameOf)).toBe('Andon');
  });

  test('says what a person asked of a running agent', () => {
    expect(eventWords(event({ data: { stopping: 'kill' } }), columns)).toBe('asked to stop the run');
    expect(eventWords(event({ kind: 'task.killed', from: 'in_progress', to: 'todo' }), columns)).toBe('stopped the run, In Progress → To Do');
  });

  test('says that an agent asked in its work', () => {
    expect(eventWords(event({ actor: 'worker:media', kind: 'task.asked', data: { text: 'May I run make?', choices: 'Allow\nDeny' } }), columns)).toBe('asked');
  });

  test('leaves book-keeping out', () => {
    const counts = [1, 2, 3].map((done) => event({ seq: done, data: { children_done: `${done}`, children: '4' } }));
    const told = worthTelling([event({ data: { open_deps: '1' } }), ...counts]);
    expect(told.map((one) => eventWords(one, columns))).toEqual(['counted 3 of 4 sub-tasks done']);
  });
});
