import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

// Writes /service_worker.js: the script with the files of this build, and a name that changes with them.
export function serviceWorker(source: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const script = readFileSync(source, 'utf8');
        const page = bundle['index.html'];
        const files = Object.keys(bundle).filter((name) => name.startsWith('assets/')).sort();
        const index = page?.type === 'asset' ? String(page.source) : '';
        const build = createHash('sha256').update(JSON.stringify([index, files, script])).digest('hex').slice(0, 16);
        const list = ['/', ...files.map((name) => `/${name}`)];
        this.emitFile({
          type: 'asset', fileName: 'service_worker.js',
          source: `const kBuild = '${build}';\nconst kFiles = ${JSON.stringify(list)};\n${script}`,
        });
      },
    },
  };
}
