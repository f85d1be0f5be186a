import { spawn } from 'node:child_process';

/**
 * @typedef {object} Outcome
 * @property {number | null} status Exit status; null when it did not start or was killed.
 * @property {string} output Standard output and error, in the order in which they came.
 */

/**
 * Runs a program to its end and keeps what it prints. Never throws: one that cannot start has the status null.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ timeoutMs?: number, env?: NodeJS.ProcessEnv, echo?: boolean }} [options] `echo` also shows the output as it comes.
 * @returns {Promise<Outcome>}
 */
export function run(command, args, { timeoutMs = 0, env = {}, echo = false } = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        output += text;
        if (echo) process.stdout.write(text);
      });
    }
    child.on('error', (error) => resolve({ status: null, output: `${output}${error.message}\n` }));
    child.on('close', (status) => resolve({ status, output }));
  });
}

/**
 * Runs npm: the one that runs us where there is one, so that no shell is needed to find it.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function npm(args, options) {
  const own = process.env.npm_execpath;
  return own ? run(process.execPath, [own, ...args], options) : run('npm', args, options);
}
