import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { findChromium, NO_CHROMIUM } from '../../../../testing/chromium.ts'
import { GENEROUS_LIMITS } from '../../../../testing/generous-limits.ts'
import { newRealUser } from '../../../../testing/payer.ts'
import { startServerProcess, type ServerProcess } from '../../../../testing/server-process.ts'

let server: ServerProcess | null = null

/** One server with simulated prices for all browser tests; vite proxies requests to it. */
export async function setup(project: TestProject): Promise<void> {
  if (findChromium() === null) throw new Error(NO_CHROMIUM)
  server = await startServerProcess({
    env: {
      ...GENEROUS_LIMITS,
      PORT: project.getProvidedContext().serverPort,
      MARKET_HOURS: 'always',
      FEED: 'simulated',
    },
  })
  const { url, dataDir } = server
  const owner = await newRealUser(url, 'owner@mail.example', (email) => lastCodeTo(email, dataDir))
  project.provide('ownerToken', owner.token)
}

/** The last code sent to an address; without a mail server it stays in the outbox, which a program prints. */
async function lastCodeTo(email: string, dataDir: string): Promise<string> {
  const program = fileURLToPath(new URL('../../../server/src/commands/outbox.ts', import.meta.url))
  const env = { DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env })
  return /\b\d{6}\b/.exec(stdout.split(`email to ${email}`).at(-1) ?? '')?.[0] ?? ''
}

export const teardown = async (): Promise<void> => void (await server?.stop())

declare module 'vitest' {
  export interface ProvidedContext {
    /** The port of the real server behind the browser tests. */
    serverPort: string
    /** A session of a registered user there. */
    ownerToken: string
  }
}
