import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { pageInOneResponse } from './src/page-in-one-response.ts'
import { compiledMessages } from './src/i18n/compiled-messages.ts'

const server = 'http://127.0.0.1:8080'

const WORKER = 'src/worker/service-worker.ts'

/** Builds the service worker with the list of the files that the app needs without a connection. */
const serviceWorker = () =>
  VitePWA({
    strategies: 'injectManifest',
    srcDir: dirname(WORKER),
    filename: basename(WORKER),
    // The app registers it itself, and the server has the manifest.
    injectRegister: false,
    manifest: false,
    injectManifest: {
      // Of the fonts only that of every language: the others would be stored for everybody.
      globPatterns: ['index.html', '*.{svg,png}', 'assets/*.{js,css}', 'assets/*-sans-latin-wght-*.woff2'],
      dontCacheBustURLsMatching: /^assets\//,
    },
  })

// Built twice: the app, and with `--ssr` the program by which the server renders the first page.
export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [
    react(),
    tailwind(),
    compiledMessages(),
    pageInOneResponse(),
    ...(isSsrBuild ? [] : [serviceWorker()]),
  ],
  resolve: {
    // The messages arrive compiled (see compiledMessages), so the ICU parser stays out of the bundle.
    alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
  },
  build: {
    outDir: isSsrBuild ? 'first-page/dist' : 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // The style sheet stands in the page: no file asks for one.
    cssCodeSplit: false,
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? { input: fileURLToPath(new URL('src/first-page.tsx', import.meta.url)) }
      : {
          input: {
            index: fileURLToPath(new URL('index.html', import.meta.url)),
            // A script of its own, which runs as a task of its own: see page/after-paint.js.
            react: fileURLToPath(new URL('src/react.ts', import.meta.url)),
          },
          output: {
            // A route loads few files. What the first screen needs comes in two: one that changes with the app, one with its libraries.
            codeSplitting: {
              groups: [
                {
                  name: 'libraries',
                  test: /[\\/]node_modules[\\/]|rolldown[\\/]runtime/,
                  tags: ['$initial'],
                  priority: 5,
                },
                { name: 'first', test: /^(?!.*[\\/]src[\\/]react\.ts$)/, tags: ['$initial'], priority: 4 },
                // In place of a dozen small files each, with what they bring along. Visitors load only the first, with the trade screen.
                {
                  name: 'orders',
                  test: /[\\/]live[\\/]account[\\/](account|orders|alerts)\.ts/,
                  priority: 3.5,
                },
                {
                  name: 'account',
                  test: /[\\/]live[\\/](account[\\/](?!load)|session[\\/]session)/,
                  priority: 3,
                },
                // The parts of the trade screen that others use too, and the rules of trading.
                {
                  name: 'shared',
                  test: /packages[\\/]core[\\/]src|ui[\\/]src[\\/](controls[\\/]segmented|forms[\\/](field|number-|typed-number|use-typed-number|decimal)|hooks[\\/]use-hold|figures[\\/]definition|layout[\\/](card|fading))|icons[\\/](bell-plus|calendar-clock|check|chevron-(down|right))\./,
                  priority: 2,
                },
                {
                  name: 'trading',
                  test: /pages[\\/]trade-page|features[\\/]trading[\\/](ticket[\\/]|trade-)|chart[\\/]chart-panel/,
                  priority: 1,
                },
              ],
            },
          },
        },
  },
  ssr: { noExternal: true },
  // Otherwise React and other libraries include both their builds and run the slow development one.
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
