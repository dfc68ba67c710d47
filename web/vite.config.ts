import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { blockingScript } from './vite/blocking_script.ts';
import { serviceWorker } from './vite/service_worker.ts';

export default defineConfig({
  plugins: [svelte(), blockingScript('src/theme_boot.js'), serviceWorker('src/service_worker.js')],
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
          include: ['test/browser/*.test.ts'],
          environment: 'node',
          globalSetup: 'test/browser/session.ts',
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
