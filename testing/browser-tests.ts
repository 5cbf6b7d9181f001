import { playwright } from '@vitest/browser-playwright'
import { findChromium } from './chromium.ts'

const executablePath = findChromium()
const isRoot = process.getuid?.() === 0

/**
 * For the `optimizeDeps` of a project: what its tests bring in beside the screens. Found late, it would be bundled in the midst of a test, with a second
 * React beside the first.
 */
export const testDependencies = { include: ['react-dom/client'] }

/** How screens are tested: as they are drawn, by Chromium. For the `test` part of a project's vitest configuration. */
export const browserTests = {
  include: ['src/**/*.test.tsx'],
  // After the tests in Node: both would want the whole machine.
  sequence: { groupOrder: 1 },
  // Pages side by side; a project does not take the root's number over, and one page leaves half of a small machine idle.
  maxWorkers: 2,
  testTimeout: 30_000,
  expect: { poll: { timeout: 8_000 } },
  browser: {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    viewport: { width: 390, height: 844 },
    provider: playwright({
      actionTimeout: 8_000,
      launchOptions: {
        ...(executablePath !== null && { executablePath }),
        args: isRoot ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
      },
      contextOptions: { locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce', hasTouch: true },
    }),
    instances: [{ browser: 'chromium' as const }],
  },
}
