import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Relative addresses throughout, so that `dist/` works from any sub-path. */
export default defineConfig({
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
});
