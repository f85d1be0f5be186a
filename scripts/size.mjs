/**
 * Prints how much JavaScript of `dist/` a first visit loads: the page's entry and the simulator worker, each with the
 * chunks it imports at once, in bytes after gzip. Exit status 1 above the limit, or when there is no build.
 * `node scripts/size.mjs --json` prints `{ files: [{ file, gzipBytes }], gzipBytes, limitBytes }`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMIT_BYTES = 300_000;
/** `from"./a.js"`, `import"./a.js"`, `new URL("a.js", …)`; not `import("./a.js")`, which is lazy. */
const STATIC_IMPORT_OR_URL = /(?:\bfrom|\bimport|\bnew URL\()\s*["'`]([^"'`]+\.js)["'`]/g;
const dist = new URL('../dist/', import.meta.url);
const page = new URL('index.html', dist);

if (!existsSync(page)) {
  console.error('There is no dist/index.html: run `npm run build` first.');
  process.exit(1);
}
const files = initialFiles();
const gzipBytes = files.reduce((sum, file) => sum + file.gzipBytes, 0);
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ files, gzipBytes, limitBytes: LIMIT_BYTES }));
} else {
  for (const { file, gzipBytes: bytes } of files) console.log(`${kilobytes(bytes)}  ${file}`);
  console.log(`${kilobytes(gzipBytes)}  initial JavaScript (gzip), limit ${kilobytes(LIMIT_BYTES).trim()}`);
}
process.exitCode = files.length > 0 && gzipBytes <= LIMIT_BYTES ? 0 : 1;

/** Follows static imports and worker addresses from the page; what is imported lazily is left out. */
function initialFiles() {
  const queue = [...readFileSync(page, 'utf8').matchAll(/<script[^>]+src="([^"]+\.js)"/g)].map(
    ([, src = '']) => new URL(src, page),
  );
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (let file = queue.shift(); file; file = queue.shift()) {
    const name = file.href.slice(dist.href.length);
    if (sizes.has(name)) continue;
    const code = readFileSync(fileURLToPath(file));
    sizes.set(name, gzipSync(code).length);
    for (const [, address = ''] of code.toString().matchAll(STATIC_IMPORT_OR_URL)) queue.push(new URL(address, file));
  }
  return [...sizes].map(([file, bytes]) => ({ file, gzipBytes: bytes }));
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(6)} kB`;
}
