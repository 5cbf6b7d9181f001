import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Chromium without windows, for tests: the same engine, a fifth less work for the processor. Debian has it as a package. */
const HEADLESS_SHELL = 'chromium-headless-shell'

const COMMANDS = [
  HEADLESS_SHELL,
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
  'chrome',
]
const USUAL_PLACES = [
  '/opt/google/chrome/chrome',
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/microsoft/msedge/msedge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

export const NO_CHROMIUM =
  'The browser tests need Chromium, Chrome or Edge, and none was found. Install one, or set CHROME_PATH to its program.'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Path of the browser for tests: CHROME_PATH, else an installed Chrome, Chromium or Edge; null when there is none.
 * Throws for a CHROME_PATH that cannot be run, so that a typing error does not test another browser.
 */
export function findChromium(
  environment: Environment = process.env,
  usualPlaces: readonly string[] = USUAL_PLACES,
): string | null {
  const { CHROME_PATH: given, PATH: path } = environment
  if (given) {
    if (isProgram(given)) return given
    throw new Error(`CHROME_PATH is ${given}, and no program is there.`)
  }
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)))
  return [...onPath, ...usualPlaces].find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser's path; installs Chromium first where that is possible (root on Debian). Throws otherwise. */
export function ensureChromium(): string {
  const found = findChromium() ?? installChromium()
  if (found === null) throw new Error(NO_CHROMIUM)
  return found
}

function installChromium(): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return null
  console.log('No browser found: installing Chromium (apt-get) ...')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const succeeds = (...args: readonly string[]): boolean =>
    spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0
  const install = (name: string): boolean => succeeds('install', '-y', '--no-install-recommends', name)
  return succeeds('update') && (install(HEADLESS_SHELL) || install('chromium')) ? findChromium() : null
}
