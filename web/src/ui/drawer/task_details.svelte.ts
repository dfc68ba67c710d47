import type { TaskSpending } from '../../model/spending.ts';
import type { BoardEvent, Run, Task } from '../../model/wire.ts';
import { Refusal, Unreachable, mayComeLater, type TaskChange } from '../../sync/api.ts';
import type { BoardView } from '../board_view.svelte.ts';

// Everything about one task that its card does not hold; loaded when the drawer opens and after each change.
export class TaskDetails {
  // A number, or the key of the task.
  readonly id: string;
  readonly #view: BoardView;
  task: Task | undefined = $state.raw();
  events: readonly BoardEvent[] = $state.raw([]);
  runs: readonly Run[] = $state.raw([]);
  // The spending of all runs together.
  spent: TaskSpending | undefined = $state.raw();
  missing = $state(false);
  #reloading: ReturnType<typeof setTimeout> | undefined;

  constructor(view: BoardView, id: string) {
    this.#view = view;
    this.id = id;
  }

  async load(): Promise<void> {
    const { api } = this.#view.app;
    try {
      const task = await api.task(this.id);
      const [events, runs] = await Promise.all([api.history(task.board, task.id), api.runsAndSum(task.id)]);
      this.#view.app.beforeDraw();
      this.task = task;
      this.events = events;
      this.runs = runs.items;
      this.spent = runs.spent;
    } catch (problem) {
      if (!(problem instanceof Refusal || problem instanceof Unreachable)) throw problem;
      if (mayComeLater(problem)) this.reloadIn(1500);
      else if (problem instanceof Refusal && problem.status === 404) this.missing = true;
    }
  }

  // Shows a task as the answer to a change of it says that it is; such an answer may be without the brief.
  changed(task: Task): void {
    this.task = { ...task, body: task.body ?? this.task?.body };
  }

  // Several changes in a row are fetched once.
  reloadIn(ms: number): void {
    clearTimeout(this.#reloading);
    this.#reloading = setTimeout(() => void this.load(), ms);
  }

  close(): void {
    clearTimeout(this.#reloading);
  }

  // Asks once more on the new revision when somebody else changed other fields meanwhile.
  async change(set: TaskChange): Promise<boolean> {
    const { api, commands } = this.#view.app;
    const task = this.task;
    if (!task) return false;
    return this.#view.app.attempt('Not changed', async () => {
      try {
        this.task = await commands.change(task, set);
      } catch (problem) {
        const current = problem instanceof Refusal && problem.code === 'REV_MISMATCH' ? await api.task(task.id) : undefined;
        if (!current || !untouched(task, current, set)) throw problem;
        this.task = await commands.change(current, set);
      }
    });
  }
}

function untouched(before: Task, now: Task, set: object): boolean {
  return (Object.keys(set) as (keyof Task)[]).every((field) => JSON.stringify(before[field]) === JSON.stringify(now[field]));
}
