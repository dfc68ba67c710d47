import { indexDiff, reviewFiles, type ReviewFile } from '../../diff/diff_index.ts';
import type { RunDiff } from '../../model/wire.ts';
import { Refusal, Unreachable, type Api } from '../../sync/api.ts';

// What the work of a run changed, asked for once for each commit that it came to.
export class WorkDiff {
  answer: RunDiff | undefined = $state.raw();
  problem = $state('');
  files: readonly ReviewFile[] = $state.raw([]);
  #asked = '';

  async load(api: Api, task: number, run: number, head: string): Promise<void> {
    const wanted = `${run}/${head}`;
    if (wanted === this.#asked) return;
    this.#asked = wanted;
    try {
      const answer = await api.diff(task, run);
      if (this.#asked !== wanted) return;
      this.files = reviewFiles(answer.files, indexDiff(answer.diff));
      this.answer = answer;
      this.problem = '';
    } catch (problem) {
      if (!(problem instanceof Refusal || problem instanceof Unreachable)) throw problem;
      // Without a commit there is nothing to show.
      this.problem = problem instanceof Refusal && problem.status === 404 ? '' : problem.message;
      if (problem instanceof Unreachable) this.#asked = '';
    }
  }
}
