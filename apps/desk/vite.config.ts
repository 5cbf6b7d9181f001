import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:8080'

/** The operators' desk: its own bundle below /desk, so that users' browsers do not load it. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/desk/',
  plugins: [react(), tailwind()],
  build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false } },
  server: { port: 5174, proxy: { '/desk/api': server, '/desk/ws': { target: server, ws: true } } },
})
