import { describe, expect, test } from 'vitest';
import { LineWatch, type Surroundings } from '../../src/sync/line_watch.ts';

class Around implements Surroundings {
  hidden = false;
  returned = () => {};
  passed = () => {};
  isHidden = () => this.hidden;
  onReturn = (action: () => void) => void (this.returned = action);
  every = (_ms: number, action: () => void) => void (this.passed = action);
}

function watched() {
  const around = new Around();
  let tries = 0;
  const watch = new LineWatch(around, () => (tries += 1));
  return { around, watch, tries: () => tries };
}

describe('LineWatch', () => {
  test('has a lost stream tried when the network, the focus or the sight returns', () => {
    const { around, watch, tries } = watched();
    watch.heard('waiting');
    around.returned();
    expect(tries()).toBe(1);
  });

  test('has it tried again every few seconds while somebody looks at the page', () => {
    const { around, watch, tries } = watched();
    watch.heard('waiting');
    around.passed();
    around.hidden = true;
    around.passed();
    expect(tries()).toBe(1);
  });

  test('leaves a stream alone that is open or being opened', () => {
    const { around, watch, tries } = watched();
    around.returned();
    watch.heard('live');
    around.returned();
    around.passed();
    expect(tries()).toBe(0);
  });
});
