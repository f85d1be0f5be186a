import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { withoutSchemaTexts } from './scripts/lib/withoutSchemaTexts.ts';

/** Relative addresses throughout, so that `dist/` works from any sub-path. */
export default defineConfig({
  base: './',
  plugins: [react(), withoutSchemaTexts()],
  worker: { format: 'es' },
});
