// Changes of a board at a steady rate: half of them edits, half moves; half of each among the cards that are in sight.
const kInSight = 12; // of each column
const kWaiting = ['backlog', 'todo'];

export class Updates {
  done = 0;
  #ids = [];
  #shown = new Map();
  #random = 1;
  #going = true;
  #n = 0;

  constructor(server, board, perSecond) {
    Object.assign(this, { server, board, perSecond });
  }

  async prepare() {
    const { tasks } = await this.server.http.get(`/boards/${this.board}/snapshot?done=50&column_max=500`);
    for (const column of kWaiting) this.#shown.set(column, tasks.filter((task) => task.status === column && !task.assignee).map((task) => task.id));
    this.#ids = kWaiting.flatMap((column) => this.#shown.get(column));
  }

  stop() {
    this.#going = false;
  }

  // Ends after stop().
  async run() {
    const begun = performance.now();
    const waiting = new Set();
    while (this.#going) {
      const due = ((performance.now() - begun) / 1000) * this.perSecond;
      for (; this.#n < due && waiting.size < 50; this.#n++) {
        const one = this.#change(this.#n).then(() => void this.done++, () => {}).finally(() => waiting.delete(one));
        waiting.add(one);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(waiting);
  }

  // Picks pseudo-random entries; every run of the benchmark picks the same ones.
  #pick(list) {
    this.#random = (this.#random * 48271) % 2147483647;
    return list[this.#random % list.length];
  }

  async #change(n) {
    const column = this.#pick(kWaiting);
    const isShown = n % 4 < 2;
    const id = isShown ? this.#pick(this.#shown.get(column).slice(0, kInSight)) : this.#pick(this.#ids);
    if (n % 2) return this.server.http.told('PATCH', `/tasks/${id}`, { title: `Task number ${id}, changed for the ${n}th time` });
    const to = this.#pick(kWaiting.filter((name) => name !== column));
    const before = this.#pick(this.#shown.get(to).slice(0, kInSight));
    await this.server.http.post(`/tasks/${id}/move`, isShown && before !== id ? { status: to, before } : { status: to });
    for (const list of this.#shown.values()) if (list.includes(id)) list.splice(list.indexOf(id), 1);
    const list = this.#shown.get(to);
    list.splice(isShown ? Math.max(0, list.indexOf(before)) : list.length, 0, id);
  }
}
