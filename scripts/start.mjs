/** `npm start`: installs what is missing, builds, serves `dist/` and prints the address. Needs nothing but Node. */
import { prepare } from './lib/packages.mjs';

await prepare();
const { build, preview } = await import('vite');
console.log('Building dist/…');
await build({ logLevel: 'warn' });
// Vite takes the next free port where this one is taken.
const server = await preview({ preview: { port: Number(process.env.PORT ?? 4173) } });
console.log(`Pod to Pool is at ${server.resolvedUrls?.local[0]} (Ctrl+C ends it)`);
