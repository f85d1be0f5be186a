/** Holds `src` to the import table (boundaries/table.ts). Prints each breach as file:line; exit status 1 if any. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkFile } from './boundaries/check.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file))
  .sort();
const breaches = files.flatMap((file) => checkFile(file, readFileSync(root + file, 'utf8')));
for (const { file, line, message } of breaches) console.error(`${file}:${line}: ${message}`);
console.log(`boundaries: ${files.length} files, ${breaches.length} breaches`);
process.exitCode = files.length === 0 || breaches.length > 0 ? 1 : 0;
