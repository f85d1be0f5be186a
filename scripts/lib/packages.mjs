import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npm } from './run.mjs';

const root = new URL('../../', import.meta.url);
const OLDEST_NODE = [20, 19];

/** Works in the repository's root on a Node that is new enough, with the packages of the lock; or ends the process with a message. */
export async function prepare() {
  process.chdir(fileURLToPath(root));
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    fail(
      `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}. See https://nodejs.org/.`,
    );
  }
  if (packagesAreCurrent(readLock('package-lock.json'), readLock('node_modules/.package-lock.json'))) return;
  console.log('Installing the packages of package-lock.json into node_modules (npm ci)…');
  const { status, output } = await npm(['ci', '--no-audit', '--no-fund']);
  if (status !== 0) fail(`${output}npm ci failed; the packages could not be installed. Is the npm registry reachable?`);
}

/**
 * @typedef {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} Lock
 */

/**
 * Whether what npm says it installed is what the lock asks for. Optional packages of other platforms may be absent.
 * @param {Lock | null} wanted
 * @param {Lock | null} installed null when nothing is.
 */
export function packagesAreCurrent(wanted, installed) {
  if (!wanted || !installed) return false;
  return Object.entries(wanted.packages).every(([path, { version, integrity, optional }]) => {
    const found = installed.packages[path];
    if (path === '' || (optional && !found)) return true;
    return found?.version === version && found?.integrity === integrity;
  });
}

/**
 * @param {string} path
 * @returns {Lock | null}
 */
function readLock(path) {
  const file = new URL(path, root);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
