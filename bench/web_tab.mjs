// A browser tab as bench/web measures it, over the DevTools protocol.
import { setTimeout as pause } from 'node:timers/promises';

export const share = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))];
export const median = (numbers) => share(numbers, 0.5);

// Runs in every page. The picture with the first card (of a plain page: with its text) is there when the frame after it begins.
export function kFirstPicture() {
  const measured = (globalThis.benchMeasured = { picture: undefined, shift: 0, long: 0 });
  const isBoard = location.pathname.startsWith('/b/');
  const isDrawn = () => (isBoard ? document.querySelector('[data-card]') : document.body?.textContent);
  const look = () => requestAnimationFrame(isDrawn() ? () => (measured.picture = performance.now()) : look);
  look();
  const watch = (type, seen) => new PerformanceObserver((list) => list.getEntries().forEach(seen)).observe({ type, buffered: true });
  watch('layout-shift', (entry) => (measured.shift += entry.hadRecentInput ? 0 : entry.value));
  watch('longtask', () => (measured.long += 1));
}

// Runs in every page: the times between frames, of so many ms.
export function kFrames() {
  globalThis.benchFrames = (ms) =>
    new Promise((resolve) => {
      const times = [];
      let last;
      const end = performance.now() + ms;
      const frame = (now) => {
        if (last !== undefined) times.push(now - last);
        last = now;
        if (now < end) requestAnimationFrame(frame);
        else resolve(times);
      };
      requestAnimationFrame(frame);
    });
}

// When the answers came that a first picture needs, in ms; of a plain page only the page.
function readSplit() {
  const [navigation] = performance.getEntriesByType('navigation');
  const resources = performance.getEntriesByType('resource');
  const last = (part, name) => Math.max(0, ...resources.filter((one) => part.test(one.name)).map((one) => one[name]));
  return {
    ...globalThis.benchMeasured,
    page: navigation.responseEnd, script: last(/assets\/index.*\.js$/, 'responseEnd'),
    asked: last(/\/snapshot/, 'requestStart'), snapshot: last(/\/snapshot/, 'responseEnd'),
    kilobytes: [navigation, ...resources].reduce((sum, one) => sum + one.transferSize, 0) / 1000,
  };
}

export class Tab {
  static async of(page, url) {
    const context = page.context();
    const tab = Object.assign(new Tab(), { page, url, session: await context.newCDPSession(page), browser: await context.browser().newBrowserCDPSession() });
    // CPU time of the thread, which the load of the machine does not lengthen.
    await tab.session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await tab.session.send('Network.enable');
    await tab.session.send('Network.setBypassServiceWorker', { bypass: true });
    return tab;
  }

  open(path) {
    return this.page.goto(this.url + path, { waitUntil: 'commit' });
  }

  // One navigation with an empty cache: see readSplit.
  async opening(path) {
    await this.page.goto('about:blank');
    await this.session.send('Network.clearBrowserCache');
    const before = await this.#spent();
    await this.open(path);
    const measured = await this.page.waitForFunction(() => globalThis.benchMeasured?.picture, null, { polling: 50 });
    const { task } = await this.#spent();
    await measured.dispose();
    return { ...(await this.page.evaluate(readSplit)), busy: (task - before.task) * 1000 };
  }

  frames(seconds) {
    return this.page.evaluate((ms) => globalThis.benchFrames(ms), seconds * 1000);
  }

  // Measures which share of a core the page uses for drawing; `count` returns the number of updates so far.
  async busy(seconds, count) {
    const seen = () => this.page.evaluate(() => ({ ...globalThis.benchMeasured }));
    const [before, counted, seenBefore, begun] = [await this.#spent(), count(), await seen(), performance.now()];
    await pause(seconds * 1000);
    const [after, now] = [await this.#spent(), (performance.now() - begun) / 1000];
    const percent = (name) => ((after[name] - before[name]) / now) * 100;
    const parts = { main: percent('task'), script: percent('script'), style: percent('style'), layout: percent('layout'), renderer: percent('renderer'), gpu: percent('gpu') };
    const { shift, long } = await seen();
    return { ...parts, other: parts.main - parts.script - parts.style - parts.layout, updates: (count() - counted) / now, shift: shift - seenBefore.shift, long: long - seenBefore.long };
  }

  async #spent() {
    const { metrics } = await this.session.send('Performance.getMetrics');
    const of = (name) => metrics.find((one) => one.name === name).value;
    const { processInfo } = await this.browser.send('SystemInfo.getProcessInfo');
    const cpu = (type) => processInfo.filter((one) => one.type === type).reduce((sum, one) => sum + one.cpuTime, 0);
    return { task: of('TaskDuration'), script: of('ScriptDuration'), style: of('RecalcStyleDuration'), layout: of('LayoutDuration'), renderer: cpu('renderer'), gpu: cpu('GPU') };
  }
}
