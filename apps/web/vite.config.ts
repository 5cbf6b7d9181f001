import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { filesAhead } from './src/files-ahead.ts'
import { compiledMessages } from './src/i18n/compiled-messages.ts'

const server = 'http://127.0.0.1:8080'

// Built twice: the app, and with `--ssr` the program by which the server renders the first page.
export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react(), tailwind(), compiledMessages(), filesAhead()],
  resolve: {
    // The messages arrive compiled (see compiledMessages), so the ICU parser stays out of the bundle.
    alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
  },
  build: {
    outDir: isSsrBuild ? 'first-page/dist' : 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? { input: fileURLToPath(new URL('src/first-page.tsx', import.meta.url)) }
      : {
          output: {
            // What the first screen needs comes in two files: one that changes with the app, one with its libraries.
            codeSplitting: {
              groups: [
                { name: 'libraries', test: /[\\/]node_modules[\\/]/, tags: ['$initial'], priority: 2 },
                { name: 'first', tags: ['$initial'], priority: 1 },
                {
                  name: 'trading',
                  test: /[\\/]trading[\\/](ticket[\\/](?!lot-text)|trade-|terms|use-)|pages[\\/]trade-page|market[\\/]market-list/,
                  priority: 1,
                  includeDependenciesRecursively: false,
                },
                // One file in place of a dozen small ones, with what it brings along.
                { name: 'account', test: /[\\/]live[\\/](account[\\/](?!load)|auth[\\/]session|notices)/ },
              ],
            },
          },
        },
  },
  ssr: { noExternal: true },
  // React and others else carry both their faces, and would show the slow one.
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' } }),
  server: {
    proxy: {
      '/api': server,
      '/v1': { target: server, ws: true },
      '/docs': server,
      '/manifest.json': server,
    },
  },
}))
