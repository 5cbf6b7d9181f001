import type { TestProject } from 'vitest/node'
import { findChromium, NO_CHROMIUM } from '../../../../testing/chromium.ts'
import { GENEROUS_LIMITS } from '../../../../testing/generous-limits.ts'
import { startServerProcess, type ServerProcess } from '../../../../testing/server-process.ts'

let server: ServerProcess | null = null

/** One server with simulated prices for all browser tests, where vite hands its calls on to. */
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
}

export const teardown = async (): Promise<void> => void (await server?.stop())

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the real server behind the browser tests. */
    serverPort: string
  }
}
