import { andon, told } from './program.mjs';

// A board in the working directory, used as agents use it: by commands alone, the store opened anew by each.
export class FlowBoard {
  constructor(place) {
    this.place = place;
  }

  static async open(place, ...flags) {
    const board = new FlowBoard(place);
    await board.does('init', '--sqlite', '--name', 'Shop', ...flags);
    return board;
  }

  // What a command prints; it has to succeed.
  does(...args) {
    return told(this.place, args);
  }

  // Its answer as a value.
  asks(...args) {
    return told(this.place, [...args, '--json']);
  }

  // The refusal of a command that has to fail: {error, code, details}.
  async refusal(...args) {
    const { code, out, err } = await andon(this.place, [...args, '--json']);
    if (code !== 1) throw new Error(`andon ${args.join(' ')} ended with ${code}, not refused\n${out}${err}`);
    return JSON.parse(out);
  }

  // The same as a person reads it.
  async refusedWords(...args) {
    const { code, err } = await andon(this.place, args);
    if (code !== 1) throw new Error(`andon ${args.join(' ')} ended with ${code}, not refused`);
    return err;
  }

  task(id) {
    return this.asks('show', String(id));
  }

  async create(title, ...flags) {
    return (await this.asks('create', title, ...flags)).id;
  }

  pick(agent, ...flags) {
    return this.asks('pick', '--claim', agent, ...flags);
  }

  async titles(...flags) {
    return (await this.asks('list', ...flags)).map((task) => task.title).sort();
  }
}
