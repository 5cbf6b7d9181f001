import { test as base, expect } from '@playwright/test'
import { listenForComplaints, type Complaints } from './complaints.ts'
import { printedBy } from './programs.ts'
import { startServerProcess, type ServerProcess } from '../../testing/server-process.ts'

export { expect }

type Settings = Readonly<Record<string, string>>
type StartServer = (settings: Settings, program?: string) => Promise<ServerProcess>

/** The server's own log has a line of level 50 for an error and 60 for what ends it; a stack is what nobody caught. */
const SERVER_ERROR = /"level":[56]0|^\s+at .*/m

/** Ends a server whose journeys are done: what they leave behind must verify, whoever wrote it. */
async function stopClean(server: ServerProcess): Promise<void> {
  const books = await printedBy('verify', server)
  await server.stop()
  expect(books, 'what `npm run verify` says').toContain('no difference')
  expect(server.output(), 'the server printed no error').not.toMatch(SERVER_ERROR)
}

/**
 * A journey that starts servers itself. It fails when the browser complains, a server prints an error or its books do not verify,
 * whatever it was looking at.
 */
export const testAlone = base.extend<{ complaints: Complaints; start: StartServer }>({
  complaints: [
    async ({ context }, run) => {
      const complaints = listenForComplaints(context)
      await run(complaints)
      expect(complaints.heard(), 'the browser complained').toEqual([])
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
    // The page goes first: it would complain about servers that go before it.
    await context.close()
    for (const server of started) await stopClean(server)
  },
})

/** A journey in the browser against the server that all journeys of a worker use: the simulated market. */
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
