import type { Cell, CellMaker } from '../model/cell.ts';
import { newMutationId } from '../sync/mutation_id.ts';
import { PlayerLease, storedEntry } from '../sync/player_lease.ts';
import type { AttentionEntry } from '../model/attention_list.ts';
import { Notices, type Notice } from './notices.ts';
import { remember, remembered } from './remembered.ts';

// Blocked: the person or the browser has refused them. Insecure: browsers have none on such an address.
export type NotificationState = 'off' | 'on' | 'blocked' | 'insecure' | 'missing';

const kRenewEvery = 4000;

// Desktop notifications of this browser. Of several pages the one that holds the lease shows them.
export class Notifications {
  readonly state: Cell<NotificationState>;
  readonly #open: (entry: AttentionEntry | undefined) => void;
  readonly #lease: PlayerLease;
  readonly #notices: Notices;

  constructor(make: CellMaker, open: (entry: AttentionEntry | undefined) => void) {
    this.#open = open;
    this.state = make<NotificationState>(stateNow());
    this.#lease = new PlayerLease(newMutationId(), { ...storedEntry('andon.notifier'), post: () => undefined, now: () => Date.now() });
    this.#notices = new Notices({ now: () => Date.now(), after: (ms, run) => void setTimeout(run, ms), show: (notice) => this.#show(notice) });
    addEventListener('storage', (event) => event.key === 'andon.notify' && this.state.set(stateNow()));
    addEventListener('pagehide', () => this.#lease.release());
    setInterval(() => this.#isOn && this.#lease.renew(this.#page), kRenewEvery);
  }

  // Called by a click only: the browser asks the person.
  async turnOn(): Promise<void> {
    remember('notify', 'on');
    if (stateNow() === 'off') await Notification.requestPermission();
    this.state.set(stateNow());
    if (!this.#isOn) remember('notify', '');
  }

  turnOff(): void {
    remember('notify', '');
    this.#lease.release();
    this.state.set(stateNow());
  }

  did(task: number): void {
    this.#notices.did(task);
  }

  see(entries: readonly AttentionEntry[]): void {
    this.#notices.see(entries, this.#isOn && !isLookedAt());
  }

  get #isOn(): boolean {
    return this.state.get() === 'on';
  }

  get #page() {
    return { ready: this.#isOn, visible: !document.hidden };
  }

  // A notice is no sound, so the lease is only asked whether this page holds it.
  #show(notice: Notice): void {
    const held = this.#lease.own([{ kind: 'question', key: notice.tag, own: false, needsPerson: true }], this.#page);
    if (!held.length) return;
    try {
      const shown = new Notification(notice.title, { body: notice.body, tag: notice.tag, icon: '/icons/andon_192.png' });
      shown.onclick = () => {
        window.focus();
        shown.close();
        this.#open(notice.entry);
      };
    } catch {
      // Some phones have the name and no notifications.
      remember('notify', '');
      this.state.set('missing');
    }
  }
}

function stateNow(): NotificationState {
  if (!window.isSecureContext) return 'insecure';
  if (typeof Notification === 'undefined') return 'missing';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && remembered('notify') === 'on' ? 'on' : 'off';
}

const isLookedAt = () => !document.hidden && document.hasFocus();
