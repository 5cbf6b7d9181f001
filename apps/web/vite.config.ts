import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compiledMessages } from './src/i18n/compiled-messages.ts'

const server = 'http://127.0.0.1:8080'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react(), tailwind(), compiledMessages()],
  resolve: {
    // The messages arrive compiled (see compiledMessages), so the ICU parser stays out of the bundle.
    alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What the first screen needs comes in two files: one that changes with the app, one with its libraries.
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /[\\/]node_modules[\\/]/, tags: ['$initial'], priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/v1': { target: server, ws: true },
      '/docs': server,
      '/manifest.json': server,
    },
  },
})
