import { expect, it } from 'vitest';
import { packagesAreCurrent } from './packages.mjs';

const lock = (packages: Record<string, { version: string; integrity?: string; optional?: boolean }>) => ({ packages });
const wanted = lock({
  '': { version: '1.0.0' },
  'node_modules/a': { version: '1.2.3', integrity: 'sha512-a' },
  'node_modules/for-another-platform': { version: '4.5.6', integrity: 'sha512-b', optional: true },
});

it.each([
  ['nothing is installed', null, false],
  ['all is as the lock says', lock({ 'node_modules/a': { version: '1.2.3', integrity: 'sha512-a' } }), true],
  ['a package is missing', lock({}), false],
  ['a package is of another version', lock({ 'node_modules/a': { version: '1.2.2', integrity: 'sha512-a' } }), false],
  ['a package has another content', lock({ 'node_modules/a': { version: '1.2.3', integrity: 'sha512-z' } }), false],
])('%s', (_name, installed, isCurrent) => {
  expect(packagesAreCurrent(wanted, installed)).toBe(isCurrent);
});
