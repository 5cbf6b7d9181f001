import { monitorEventLoopDelay } from 'node:perf_hooks'
import { lots } from '@fairlot/core'
import type { Engine } from '../../apps/server/src/engine/engine.ts'
import { accountIdOf, entryOf, marketOrder, quoteAt } from '../../testing/test-world.ts'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { allDecided, crowdedEngine } from '../crowded-engine.ts'
import type { Extent, Line } from '../measurement.ts'

const ACCOUNTS = 10_000
const POSITIONS = 1_000_000
const INSTRUMENTS = 10
const BID = 108_469
/** Uses nearly all of a demo balance as margin, so that a fall of four percent stops the account out. */
const MOST = marketOrder(0, { lots: lots(100_000), leverage: 30 })
const FALL = 0.04
const AT_ONCE = 500
const GAP = 0.01

const now = (): number => Math.floor(performance.timeOrigin + performance.now())

/** P6: one price that closes thousands of positions, until every one of them is settled in the journal. */
export async function measureStopOuts({ isLong, part }: Extent): Promise<Line[]> {
  const stoppedOut = await withCleanup((later) => stopOutAll(later, ACCOUNTS / part))
  if (!isLong) return [stoppedOut]
  return [stoppedOut, await withCleanup((later) => gapThroughStops(later, part))]
}

async function stopOutAll(later: Later, accounts: number): Promise<Line> {
  const { engine } = await crowdedEngine(later, {
    instruments: 1,
    accounts: 0,
    positions: 0,
    price: BID,
    now,
  })
  engine.tick(quoteAt(BID, now(), 1))
  const open = () => engine.execute({ type: 'openAccount', ledger: 'demo' })
  // In groups small enough that no command waits too long.
  for (let begun = 0; begun < accounts; begun += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, accounts - begun) }, open)
    const ids = (await Promise.all(some)).map(accountIdOf)
    const opened = await Promise.all(ids.map((accountId) => engine.execute({ ...MOST, accountId })))
    opened.forEach(entryOf)
  }
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
    what: `${accounts.toLocaleString('en')} accounts stopped out by one tick, all settled in the journal`,
    measured: `${seconds.toFixed(2)} s`,
    yardstick: `loop never blocked longer than ${worstMs.toFixed(0)} ms`,
    ratio: seconds,
    target: { atMost: 2 },
    note: 'the ratio is the figure itself, in seconds. No balance is below zero afterwards.',
  }
}

async function gapThroughStops(later: Later, part: number): Promise<Line> {
  const positions = POSITIONS / part
  const { engine } = await crowdedEngine(later, {
    instruments: INSTRUMENTS,
    accounts: ACCOUNTS / part,
    positions,
    price: BID,
    now,
  })
  const tickAll = (bid: number, seq: number) => {
    for (let id = 1; id <= INSTRUMENTS; id += 1)
      engine.tick({ ...quoteAt(bid, now(), seq), instrumentId: id })
  }
  const { seconds: firstPriceS } = await settled(engine, () => tickAll(BID, 1))
  const { seconds, worstMs } = await settled(engine, () => tickAll(Math.round(BID * (1 + GAP)), 2))
  const fills = positions - engine.state().orders.size
  return {
    goal: 'P6',
    what: `${GAP * 100} % gap on all instruments at ${positions.toLocaleString('en')} positions, ${fills.toLocaleString('en')} fills`,
    measured: `${seconds.toFixed(2)} s`,
    yardstick: `the first prices, ${firstPriceS.toFixed(2)} s; blocked ${worstMs.toFixed(0)} ms`,
    ratio: seconds,
    target: { atMost: 2.5 },
    note: 'the ratio is the figure itself, in seconds; 2 is the aim.',
  }
}

/** Seconds until the journal holds all consequences, and the longest block of the event loop meanwhile. */
async function settled(engine: Engine, trigger: () => void): Promise<{ seconds: number; worstMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const begin = performance.now()
  trigger()
  await allDecided(engine)
  const seconds = (performance.now() - begin) / 1_000
  delay.disable()
  return { seconds, worstMs: delay.max / 1e6 }
}
