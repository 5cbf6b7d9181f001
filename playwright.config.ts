import { defineConfig, devices } from '@playwright/test'
import { findChromium, NO_CHROMIUM } from './e2e/support/chromium.ts'

const executablePath = findChromium()
if (executablePath === null) throw new Error(NO_CHROMIUM)

const isRoot = process.getuid?.() === 0
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  retries: 0,
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    // Playwright's channels do not find a browser that the system installed; its path does.
    launchOptions: { executablePath, args: isRoot ? ['--no-sandbox', ...QUIET] : QUIET },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
  projects: [
    // Journeys are made on a phone. A tag @desktop repeats one on a wide screen, @desktop-only keeps it there.
    {
      name: 'phone',
      grepInvert: /@desktop-only/,
      use: {
        ...devices['Pixel 7'],
        viewport: { width: 390, height: 844 },
        screen: { width: 390, height: 844 },
      },
    },
    {
      name: 'desktop',
      grep: /@desktop/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
  ],
})
