import type { Board, Stage, Worker } from '../model/wire.ts';

// The steps from an empty server to the first task that an agent has done.
export type Step = 'repository' | 'worker' | 'task' | 'watch' | 'done';

export const kSteps: readonly [Step, string][] = [
  ['repository', 'Repository'],
  ['worker', 'Worker'],
  ['task', 'Task'],
  ['watch', 'Done'],
];

export interface FirstRunFacts {
  board: Pick<Board, 'columns'> & { repo?: string; directory?: string | null };
  workers: readonly Pick<Worker, 'name'>[];
  // The person wants a board without a repository.
  withoutRepository: boolean;
  // The person has seen an earlier step of this board.
  begun: boolean;
  // The stage of the task that was started here; undefined before there is one.
  started: Stage | undefined;
}

// The step that comes next; undefined where the board needs no guide.
export function nextStep({ board, workers, withoutRepository, begun, started }: FirstRunFacts): Step | undefined {
  if (started) return started === 'done' ? 'done' : 'watch';
  const isEmpty = board.columns.every((column) => column.count === 0);
  if (isEmpty && !workers.length && !board.repo && !board.directory && !withoutRepository) return 'repository';
  if (!workers.length) return 'worker';
  return isEmpty && begun ? 'task' : undefined;
}
