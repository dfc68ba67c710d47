import { describe, expect, test } from 'vitest';
import { RunLines } from '../../src/log/run_lines.ts';

const kAt = '2026-11-27T10:00:00Z';
const say = (text: string) => ({ at: kAt, stream: 'text', text });
const tool = (text: string) => ({ at: kAt, stream: 'tool', text });
const shown = (lines: RunLines) => lines.slice(0, lines.rows).map((row) => row.spans.map((span) => span.text).join('') + (row.below ? ` +${row.below}` : ''));

function twoCalls(): RunLines {
  const lines = new RunLines();
  lines.add([say('begin'), tool('▸ Bash: npm test'), tool('  ok 1'), tool('  ok 2'), tool('▸ Read: a.ts'), say('done')]);
  return lines;
}

describe('The lines of a run', () => {
  test('fold the output of a tool beneath its call', () => {
    expect(shown(twoCalls())).toEqual(['begin', '▸ Bash: npm test +2', '▸ Read: a.ts', 'done']);
  });

  test('are shown when the call is opened, and hidden again', () => {
    const lines = twoCalls();
    lines.toggle(1);
    expect(shown(lines)).toEqual(['begin', '▸ Bash: npm test +2', '  ok 1', '  ok 2', '▸ Read: a.ts', 'done']);
    lines.toggle(1);
    expect(lines.rows).toBe(4);
  });

  test('are all shown by one switch, after which a call can be folded', () => {
    const lines = twoCalls();
    lines.unfoldAll(true);
    expect(lines.rows).toBe(6);
    lines.toggle(1);
    expect(lines.rows).toBe(4);
    lines.unfoldAll(false);
    expect(lines.rows).toBe(4);
  });

  test('grow beneath an open call and beneath a folded one', () => {
    const lines = new RunLines();
    lines.add([tool('▸ Bash: make')]);
    lines.add([tool('  one')]);
    expect(shown(lines)).toEqual(['▸ Bash: make +1']);
    lines.toggle(0);
    lines.add([tool('  two')]);
    expect(shown(lines)).toEqual(['▸ Bash: make +2', '  one', '  two']);
  });

  test('are found in their rows, folded ones in the row of their call', () => {
    const lines = twoCalls();
    expect(lines.rowOf(3)).toBe(1);
    expect(lines.rowOf(5)).toBe(3);
    expect(lines.reveal(3)).toBe(true);
    expect(lines.reveal(3)).toBe(false);
    expect(lines.rowOf(3)).toBe(3);
    expect(lines.numberAt(3)).toBe(3);
  });

  test('keep their numbers when the first ones are dropped in the middle of a call', () => {
    const lines = new RunLines();
    lines.add([tool('▸ Bash: yes')]);
    for (let part = 0; part < 21; part += 1) lines.add(Array.from({ length: 10_000 }, (_, at) => tool(`  line ${part * 10_000 + at + 1}`)));
    lines.add([say('end')]);
    expect(lines.dropped).toBe(20_000);
    expect(lines.total).toBe(210_002);
    expect(lines.textOf(20_000)).toBe('  line 20000');
    expect(shown(lines)).toEqual(['  line 20000 +190000', 'end']);
    lines.unfoldAll(true);
    expect(lines.rows).toBe(190_002);
    expect(lines.numberAt(0)).toBe(20_000);
  });
});
