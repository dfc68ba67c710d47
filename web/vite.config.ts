import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { blockingScript } from './vite/blocking_script.ts';
import { serviceWorker } from './vite/service_worker.ts';

export default defineConfig({
  plugins: [svelte(), blockingScript('src/boot.js'), serviceWorker('src/service_worker.js')],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/*/*.test.ts'], exclude: ['test/browser/**'], environment: 'node' } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts', `test/browser/${process.env.ANDON_TEST_URL ? 'on_server' : 'on_fake'}/*.test.ts`],
          environment: 'node',
          globalSetup: 'test/browser/session.ts',
          fileParallelism: false,
          // Waits end as soon as what they wait for is so; a busy machine may take long.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
