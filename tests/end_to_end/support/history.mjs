// The state that a history leads to: column of every task, and how every run ended.
export function folded(events) {
  const tasks = new Map();
  const runs = new Map();
  for (const event of events) {
    if (event.kind === 'run.started') runs.set(event.run, { starts: (runs.get(event.run)?.starts ?? 0) + 1, ends: 0 });
    if (event.kind === 'run.ended') {
      const run = runs.get(event.run) ?? { starts: 0, ends: 0 };
      runs.set(event.run, { ...run, ends: run.ends + 1, outcome: event.data.outcome });
    }
    if (event.task && event.to) tasks.set(event.task, event.to);
  }
  return { tasks, runs };
}

export const isGapFree = (events) => events.every((event, index) => index === 0 || event.seq === events[index - 1].seq + 1);
