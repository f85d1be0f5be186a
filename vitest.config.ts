import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// Before the workers start: a time zone set later is not seen by every Date.
process.env.TZ = 'UTC';
process.env.LC_ALL = 'C';

export default defineConfig({
  plugins: [react()],
  test: {
    // A property on a busy machine takes its time; a test that hangs is still found.
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{src,scripts,bench,test}/**/*.test.ts'],
          setupFiles: ['test/propertySetup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'component',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['test/componentSetup.ts'],
        },
      },
    ],
  },
});
