import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

// Loads one plain script before the first paint, under a hashed name of its own.
// A module would run too late, and the content policy forbids an inline script.
export function blockingScript(source: string): Plugin {
  let reference = '';
  return {
    name: 'blocking-script',
    apply: 'build',
    buildStart() {
      reference = this.emitFile({ type: 'asset', name: 'boot.js', source: readFileSync(source, 'utf8') });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type === 'asset') page.source = String(page.source).replace(`/${source}`, `/${this.getFileName(reference)}`);
      },
    },
  };
}
