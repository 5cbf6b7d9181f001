import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './testing/chromium.ts'

// None on a machine where `npm run e2e` has yet to install one; whatever else reads this file does without.
const executablePath = findChromium()

const isRoot = process.getuid?.() === 0
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Stands in place of Playwright's own, so it begins with those. The last two would keep two more pages behind each window.
  `--disable-features=${[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'TcpPortRandomizationWin',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
    'msForceBrowserSignIn',
    'msEdgeUpdateLaunchServicesPreferredVersion',
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
  ].join()}`,
]

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  retries: 0,
  // Journeys wait more than they work. Each worker has a server of its own, each journey a browser profile and an account.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    // Playwright's channels do not find a browser that the system installed; its path does.
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: isRoot ? ['--no-sandbox', ...QUIET] : QUIET,
    },
    // A trace costs a fifth of all work: `npm run e2e -- --trace on` keeps one of a journey that failed.
    // A worker would store every build in the profile of each journey; those about it allow it themselves.
    serviceWorkers: 'block',
    trace: 'off',
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
        // No journey counts dots, and a machine without a graphics card paints seven times as many at a phone's.
        deviceScaleFactor: 1,
        // Nor does one watch a sheet slide in: every picture on the way would be painted. On a wide screen things move.
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
    {
      name: 'desktop',
      grep: /@desktop/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } },
    },
  ],
})
