import { monitorEventLoopDelay } from 'node:perf_hooks'
import { lots, price } from '@fairlot/core'
import { openDatabase } from '../../apps/server/src/database/open.ts'
import { startEngine, type Engine } from '../../apps/server/src/engine/engine.ts'
import {
  adoptSeed,
  accountIdOf,
  EURUSD,
  entryOf,
  marketOrder,
  quoteAt,
  testSeed,
} from '../../apps/server/src/testing/test-world.ts'
import { cleanly, type Later } from '../cleanly.ts'
import { writeCrowd } from '../postgres/crowd.ts'
import { benchDatabase } from '../postgres/pgbench.ts'
import type { Line } from '../reading.ts'

const ACCOUNTS = 10_000
const POSITIONS = 1_000_000
const INSTRUMENTS = 10
const BID = 108_469
/** Takes nearly all of a demo balance as margin, so that a fall of four percent stops the account out. */
const MOST = marketOrder(0, { lots: lots(100_000), leverage: 30 })
const FALL = 0.04
const GAP = 0.01

const now = (): number => Math.floor(performance.timeOrigin + performance.now())

/** P6: one price that ends thousands of positions, until every one of them is settled in the journal. */
export async function measureStopOuts(isLong: boolean): Promise<Line[]> {
  const stoppedOut = await cleanly(stopOutAll)
  return isLong ? [stoppedOut, await cleanly(gapThroughStops)] : [stoppedOut]
}

async function stopOutAll(later: Later): Promise<Line> {
  const engine = await engineOn(later, 1, 0)
  engine.tick(quoteAt(BID, now(), 1))
  const open = () => engine.execute({ type: 'openAccount', ledger: 'demo' })
  const ids = (await Promise.all(Array.from({ length: ACCOUNTS }, open))).map(accountIdOf)
  const opened = await Promise.all(ids.map((accountId) => engine.execute({ ...MOST, accountId })))
  opened.forEach(entryOf)
  await engine.caughtUp()
  const { seconds, worstMs } = await settled(engine, () =>
    engine.tick(quoteAt(Math.round(BID * (1 - FALL)), now(), 2)),
  )
  const state = engine.state()
  if (state.orders.size > 0) throw new Error(`${state.orders.size} positions were not stopped out`)
  for (const { available } of state.accounts.values()) {
    if (available.balance < 0n) throw new Error('a balance is below zero')
  }
  return {
    goal: 'P6',
    what: '10,000 accounts stopped out by one tick, all settled in the journal',
    measured: `${seconds.toFixed(2)} s`,
    yardstick: `loop never blocked longer than ${worstMs.toFixed(0)} ms`,
    ratio: seconds,
    target: { atMost: 2 },
    note: 'the ratio is the figure itself, in seconds. No balance is below zero afterwards.',
  }
}

async function gapThroughStops(later: Later): Promise<Line> {
  const engine = await engineOn(later, INSTRUMENTS, POSITIONS)
  const tickAll = (bid: number, seq: number) => {
    for (let id = 1; id <= INSTRUMENTS; id += 1)
      engine.tick({ ...quoteAt(bid, now(), seq), instrumentId: id })
  }
  const { seconds: quietly } = await settled(engine, () => tickAll(BID, 1))
  const { seconds, worstMs } = await settled(engine, () => tickAll(Math.round(BID * (1 + GAP)), 2))
  const fills = POSITIONS - engine.state().orders.size
  return {
    goal: 'P6',
    what: `${GAP * 100} % gap on all instruments at 1,000,000 positions, ${fills.toLocaleString('en')} fills`,
    measured: `${seconds.toFixed(2)} s`,
    yardstick: `the first prices, ${quietly.toFixed(2)} s; blocked ${worstMs.toFixed(0)} ms`,
    ratio: seconds,
    target: { atMost: 2 },
    note: 'the ratio is the figure itself, in seconds.',
  }
}

/** An engine on a PostgreSQL database of its own, with a crowd in it or none. */
async function engineOn(later: Later, instruments: number, positions: number): Promise<Engine> {
  const place = await benchDatabase()
  later({ stop: place.drop })
  const database = await openDatabase({ databaseUrl: place.url, dataDir: '' })
  later({ stop: database.close })
  if (positions > 0) {
    const floor = Array.from({ length: instruments }, (_, index) => ({ instrumentId: index + 1, price: BID }))
    await writeCrowd(place.url, { accounts: ACCOUNTS, positions, floor })
  }
  const engine = later(
    await startEngine({
      ...{ database, host: {}, now },
      onError: (error, doing) => console.error(`While ${doing}:`, error),
    }),
  )
  const seed = testSeed({
    settings: { ...testSeed().settings, freshnessMs: 600_000 },
    instruments: Array.from({ length: instruments }, (_, index) => ({
      ...EURUSD,
      id: index + 1,
      code: index === 0 ? 'EURUSD' : `EURUSD${index}`,
      minStopDistance: price(1),
    })),
  })
  await adoptSeed(engine, seed)
  return engine
}

/** How long it takes until the journal holds all that something leads to, and the longest the loop was blocked meanwhile. */
async function settled(engine: Engine, happen: () => void): Promise<{ seconds: number; worstMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const begin = performance.now()
  happen()
  // Answered after everything that came before it.
  await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
  const seconds = (performance.now() - begin) / 1_000
  delay.disable()
  return { seconds, worstMs: delay.max / 1e6 }
}
