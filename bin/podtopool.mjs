#!/usr/bin/env node
// The command line is TypeScript; tsx lets Node run it as it is.
import { register } from 'tsx/esm/api';

register();
await import('../src/cli/main.ts');
