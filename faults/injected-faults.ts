import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '../testing/child-processes.ts'
import { CUTS, type CuttingProxy } from './cutting-proxy.ts'
import { clockArgs } from './jumping-clock.ts'
import type { OwnPostgres } from '../testing/own-postgres.ts'
import type { Strike } from './round.ts'
import { createServerProcess } from '../testing/server-process.ts'
import { pause, until } from '../testing/wait.ts'

const KILLED_AGAIN_ONE_IN = 5
/** The decisions of a round take about this long. */
const PAYING_MS = 60
const OCCASION_WITHIN_MS = 4_000
const BALLAST = Buffer.alloc(65_536)
const FULL_WITHIN_MS = 30_000
const REFUSED_WITHIN_MS = 60_000

/** kill -9 of the server; sometimes again while it starts. */
export const killServer: Strike = async ({ server, watched, random }) => {
  await server.kill()
  watched.jump('once')
  let startedAt = performance.now()
  server.start()
  if (!random.oneIn(KILLED_AGAIN_ONE_IN)) return startedAt
  await pause(random.int(50, 1_000))
  await server.kill()
  watched.jump('once')
  startedAt = performance.now()
  server.start()
  return startedAt
}

/**
 * Strikes while deposits are finished and withdrawals paid, approved and cancelled, mostly between two of their
 * steps.
 */
export const whilePaying =
  (strike: Strike): Strike =>
  async (harness, tally) => {
    harness.cashier?.decide()
    await pause(harness.random.int(0, PAYING_MS))
    return strike(harness, tally)
  }

/** kill -9 of every database process; the server keeps running. */
export const killDatabase =
  (postgres: OwnPostgres): Strike =>
  async ({ watched, random }, tally) => {
    await postgres.kill()
    watched.jump('always')
    await pause(random.int(0, 300))
    const startedAt = performance.now()
    postgres.startAgain()
    await postgres.ready()
    tally.databaseMs.push(performance.now() - startedAt)
    return performance.now()
  }

/** The database ends every connection. */
export const endConnections =
  (postgres: OwnPostgres): Strike =>
  async ({ watched }) => {
    await postgres.cutConnections()
    watched.jump('always')
    return performance.now()
  }

/** The proxy cuts a connection; the kinds of cut take turns. */
export const cutConnection =
  (proxy: CuttingProxy): Strike =>
  async ({ watched }, { rounds }) => {
    const where = CUTS[rounds % CUTS.length] ?? 'all'
    const isCut = await Promise.race([proxy.cut(where).then(() => true), pause(OCCASION_WITHIN_MS, false)])
    if (!isCut) throw new Error(`there was no occasion for a cut "${where}"`)
    watched.jump('always')
    return performance.now()
  }

/** Nothing can be written until space is freed again. */
export const fillDisk =
  (folder: string): Strike =>
  async ({ watched, notebook, random }) => {
    const ballast = join(folder, 'ballast')
    writeFileSync(ballast, '')
    await until('the full disk is felt', FULL_WITHIN_MS, async () => {
      fill(ballast)
      return notebook.notes.some(({ reading }) => reading === 'unknown') ? true : null
    })
    watched.jump('always')
    await pause(random.int(0, 500))
    rmSync(ballast)
    return performance.now()
  }

function fill(ballast: string): void {
  try {
    for (;;) appendFileSync(ballast, BALLAST)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** The server's wall clock is wrong at its start and jumps while it runs. */
export const jumpClock: Strike = async ({ server, watched, random }) => {
  await server.kill()
  watched.jump('once')
  const startedAt = performance.now()
  server.start(clockArgs(random))
  return startedAt
}

/** A second server on the same database refuses to run, and the first keeps running. */
export const startSecond: Strike = async ({ env, server, watched }, tally) => {
  const second = await createServerProcess({ env, spawn: start })
  second.start()
  await until('the second program has ended', REFUSED_WITHIN_MS, async () =>
    second.isRunning() ? null : true,
  )
  if (!second.output().includes('another Fairlot is running'))
    tally.wrong.push(`a second program was not refused by name; it printed: ${second.output()}`)
  if (!server.isRunning()) tally.wrong.push('a second program ended the first')
  watched.jump('always')
  return performance.now()
}
