import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const kBrowser = process.env.ANDON_TEST_BROWSER ?? '/usr/bin/chromium';
const kArguments = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--headless',
];

// Why no page can be tried here; undefined when one can.
export function missing() {
  if (!existsSync(kBrowser)) return `there is no ${kBrowser}`;
  return playwright() ? undefined : 'web/node_modules holds no playwright-core; tools/page_modules brings it';
}

function playwright() {
  try {
    return createRequire(new URL('../../../web/package.json', import.meta.url))('playwright-core');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
  }
}

// An empty tab, and what its console complains about: all but the line a browser writes for every refused request.
export async function openTab(place) {
  const profile = place.path('browser');
  mkdirSync(profile);
  const context = await playwright().chromium.launchPersistentContext(profile, {
    executablePath: kBrowser, args: kArguments, viewport: { width: 1440, height: 900 },
  });
  place.atEnd(() => context.close());
  const page = context.pages()[0] ?? (await context.newPage());
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  return { page, complaints };
}
