import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const COMMANDS = [
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
  'The journeys and the tests of screens need Chromium, Chrome or Edge, and none was found. Install one, or set CHROME_PATH to its program.'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Path of the browser for the journeys: CHROME_PATH, else an installed Chrome, Chromium or Edge; null when there is none.
 * A CHROME_PATH that cannot be run is an error, so that a typing mistake does not test another browser.
 */
export function findChromium(
  environment: Environment = process.env,
  usualPlaces: readonly string[] = USUAL_PLACES,
): string | null {
  const { CHROME_PATH: wished, PATH: path } = environment
  if (wished) {
    if (isProgram(wished)) return wished
    throw new Error(`CHROME_PATH is ${wished}, and no program is there.`)
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

/** The browser's path; installs Chromium first where that is allowed (root on Debian). Throws a sentence otherwise. */
export function ensureChromium(): string {
  const found = findChromium() ?? installChromium()
  if (found === null) throw new Error(NO_CHROMIUM)
  return found
}

function installChromium(): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return null
  console.log('No browser found: installing Chromium (apt-get) ...')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    if (spawnSync('apt-get', args, { stdio: 'inherit', env: environment }).status !== 0) return null
  }
  return findChromium()
}
