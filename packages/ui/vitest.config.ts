import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineProject } from 'vitest/config'
import { browserTests, testDependencies } from '../../testing/browser-tests.ts'

/** Shared components, each rendered alone. */
export default defineProject({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwind()],
  optimizeDeps: testDependencies,
  test: {
    ...browserTests('ui'),
    setupFiles: ['../../testing/flush-renders.ts', '../../testing/clean-page.ts'],
  },
})
