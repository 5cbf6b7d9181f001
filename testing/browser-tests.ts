import { playwright } from '@vitest/browser-playwright'
import { findChromium } from './chromium.ts'
import { isWholeCheck } from './tiers.ts'

const executablePath = findChromium()
const isRoot = process.getuid?.() === 0

/**
 * For the `optimizeDeps` of a project. A dependency found late would be bundled during a test, with a second copy of
 * React.
 */
export const testDependencies = { include: ['react-dom/client'] }

/** Tests that replace a module, or talk to the real server: each file has a page of its own. */
const ISOLATED = 'src/**/*.isolated.test.tsx'
/** A sweep tries the same on every screen. */
const SWEEPS = isWholeCheck() ? [] : ['src/**/*.sweep.test.tsx']

/** Settings to test screens in Chromium, for the `test` part of the Vitest configuration of the project with this name. */
export const browserTests = (name: string) => ({
  name,
  include: ['src/**/*.test.tsx'],
  exclude: SWEEPS,
  // Files share a page and what they import: to load the app again for each would be a fifth of all the work.
  isolate: false,
  // After the tests in Node: side by side they take more work in all.
  sequence: { groupOrder: 1 },
  // As the root has it: projects with different numbers would run one after the other.
  maxWorkers: 3,
  // Limits for what never comes: a busy machine needs three times as long as a quiet one.
  testTimeout: 90_000,
  expect: { poll: { timeout: 20_000 } },
  browser: {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    viewport: { width: 390, height: 844 },
    provider: playwright({
      actionTimeout: 20_000,
      launchOptions: {
        ...(executablePath !== null && { executablePath }),
        args: isRoot ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'],
      },
      contextOptions: { locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce', hasTouch: true },
    }),
    instances: [
      { browser: 'chromium' as const, exclude: [ISOLATED, ...SWEEPS] },
      { browser: 'chromium' as const, name: `${name}-isolated`, include: [ISOLATED], isolate: true },
    ],
  },
})
