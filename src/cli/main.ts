import { readFileSync, writeSync } from 'node:fs';
import { runCommand } from './commands.ts';

/** Standard input, output and error: written at once, so that a reader that stops early ends us quietly. */
const write = (descriptor: 1 | 2, text: string): void => {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EPIPE') process.exit(0);
      if (code !== 'EAGAIN') throw error;
    }
  }
};

process.exitCode = runCommand(process.argv.slice(2), {
  readStdin: () => readFileSync(0, 'utf8'),
  out: (text) => write(1, text),
  err: (text) => write(2, text),
});
