import { remember, remembered } from '../../app/remembered.ts';

type Switch = 'wraps' | 'times';

// How logs are drawn in full width; this browser remembers it.
export class LogLook {
  wraps = $state(remembered('log.wraps') === 'yes');
  times = $state(remembered('log.times') === 'yes');

  toggle(which: Switch): void {
    this[which] = !this[which];
    remember(`log.${which}`, this[which] ? 'yes' : 'no');
  }
}
