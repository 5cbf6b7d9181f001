import { test as base, expect } from '@playwright/test'
import { listenForComplaints, type Complaints } from './complaints.ts'
import { printedBy } from './programs.ts'
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts'

export { expect }

type Settings = Readonly<Record<string, string>>
type StartServer = (settings: Settings, program?: string) => Promise<ServerProcess>

/** Log lines of level 50 (error) and 60 (fatal), and stack traces of uncaught exceptions. */
const SERVER_ERROR = /"level":[56]0|^\s+at .*/m

/** Stops a server; its data must verify and its log must be free of errors. */
async function stopClean(server: ServerProcess): Promise<void> {
  const verified = await printedBy('verify', server)
  await server.stop()
  expect(verified, 'what `npm run verify` says').toContain('no difference')
  expect(server.output(), 'the server printed no error').not.toMatch(SERVER_ERROR)
}

/**
 * A test that starts its own servers. It fails when the browser complains, a server logs an error or its data does
 * not verify.
 */
export const testAlone = base.extend<{ complaints: Complaints; start: StartServer }>({
  complaints: [
    async ({ context }, run) => {
      const complaints = listenForComplaints(context)
      await run(complaints)
      expect(complaints.received(), 'the browser complained').toEqual([])
    },
    { auto: true },
  ],
  start: async ({ context }, run) => {
    const started: ServerProcess[] = []
    await run(async (env, program) => {
      const server = await startServerProcess({ env, ...(program && { program }) })
      started.push(server)
      return server
    })
    // The page is closed first: it would complain about a stopped server.
    await context.close()
    for (const server of started) await stopClean(server)
  },
})

/** A test against the server with the simulated market that all tests of a worker share. */
export const test = testAlone.extend<object, { server: ServerProcess }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a pattern here
    async ({}, run) => {
      const server = await startServerProcess({ env: { FEED: 'simulated:1' } })
      await run(server)
      await stopClean(server)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ server }, run) => run(server.url),
})
