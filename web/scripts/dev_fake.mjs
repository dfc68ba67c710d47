import { createServer } from 'vite';

// The page with hot reload, in front of the fake server.
const loader = await createServer({ server: { middlewareMode: true, hmr: false, ws: false }, appType: 'custom' });
const { startFakeServer } = await loader.ssrLoadModule('/test/fake_server.ts');
const fake = await startFakeServer({ stepMs: 700 });
const page = await createServer({ server: { port: 0, proxy: { '/api': { target: fake.url } } } });
await page.listen();
page.printUrls();
