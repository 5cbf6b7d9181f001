/** Plays one recorded night through the engine that serves traders, on a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  admit,
  createMarketHours,
  isInSession,
  createTickGuard,
  price,
  ratio,
  violations,
  type Seed,
  DEPLOYMENT,
} from '@fairlot/core'
import { openDatabase } from '../apps/server/src/platform/database/open.ts'
import { startEngine, type Engine, type EngineCommand } from '../apps/server/src/engine/engine.ts'
import { seedCalendar, seedInstruments, seedSessions } from '../apps/server/src/seed/seed.ts'
import { DEFAULT_TRADING_SETTINGS } from '../apps/server/src/platform/config/trading-settings.ts'
import { verify } from '../apps/server/src/verify/verify.ts'
import { createRandom, type Random } from '../testing/random.ts'
import { bidAt, readBars, STEP_MS, type RecordedBars } from './bars.ts'
import { Tally } from './tally.ts'
import { randomChange, randomOrder } from './traders.ts'

export type Night = {
  readonly name: string
  /** Epoch ms. */
  readonly from: number
  readonly to: number
}

export type Played = {
  readonly tally: Tally
  /** Descriptions; empty when all is well. */
  readonly faults: readonly string[]
  /** What `verify` compared. */
  readonly verdict: string
}

const ACCOUNTS = 1_000
/** Points of the bars during which accounts open orders, a share of them at each. */
const OPENING_POINTS = 8
const MOST_ORDERS = 4
/** Number of accounts that act at each later point. */
const BUSY = 10
/** Each price is sent again after this, which confirms a jump that the guard holds. */
const CONFIRMED_AFTER_MS = 1_000
const SOURCE = 'recorded-bars'
/** Yearly percent in 1e-6: the buyer pays, the seller receives a little less. */
const SWAP_RATE = { buy: ratio(-2_500_000), sell: ratio(1_500_000) }

/** Null when the folder has no bars of this night. Throws when its files cannot be read. */
export async function playNight(night: Night, folder: string, seed: number): Promise<Played | null> {
  const recorded = readBars(folder, seedInstruments(), night).filter(({ bars }) => bars.size > 0)
  if (recorded.length === 0) return null
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-night-'))
  const database = await openDatabase({ databaseUrl: null, dataDir })
  try {
    const clock = { at: night.from }
    const faults: string[] = []
    const onError = (error: unknown, doing: string) => faults.push(`${doing}: ${String(error)}`)
    const engine = await startEngine({ database, host: {}, now: () => clock.at, onError })
    await engine.execute({ type: 'adoptTerms', seed: seedOf(recorded), by: DEPLOYMENT })
    const tally = new Tally()
    engine.onCommitted((change) => tally.take(change))
    await play({ night, recorded, engine, clock, tally, random: createRandom(seed) })
    await engine.caughtUp()
    faults.push(...violations(engine.core()))
    await engine.stop()
    const { difference, counts } = await verify(database)
    if (difference !== null) faults.push(`verify: ${difference}`)
    const verdict = `${counts.orders} orders, ${counts.receipts} receipts, ${counts.transfers} ledger rows`
    return { tally, faults, verdict }
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true })
  }
}

function seedOf(recorded: readonly RecordedBars[]): Seed {
  return {
    settings: DEFAULT_TRADING_SETTINGS,
    sessions: seedSessions(),
    instruments: seedInstruments().map(({ instrument }) =>
      recorded.some((one) => one.instrument.id === instrument.id)
        ? { ...instrument, swapRate: SWAP_RATE }
        : instrument,
    ),
  }
}

type Playing = {
  readonly night: Night
  readonly recorded: readonly RecordedBars[]
  readonly engine: Engine
  readonly clock: { at: number }
  readonly tally: Tally
  readonly random: Random
}

/** At each point the prices are sent twice, then accounts act on them. */
async function play(playing: Playing): Promise<void> {
  const { night, engine, clock, tally } = playing
  const send = tickSender(playing)
  for (let count = 0; count < ACCOUNTS; count += 1)
    void engine.execute({ type: 'openAccount', ledger: 'demo' })
  for (let point = 0; night.from + point * STEP_MS < night.to; point += 1) {
    for (const wait of [0, CONFIRMED_AFTER_MS]) {
      clock.at = night.from + point * STEP_MS + wait
      send(clock.at - wait)
      await settled(engine)
    }
    const answers = await Promise.all(commandsAt(playing, point).map((command) => engine.execute(command)))
    for (const answer of answers) if ('rejected' in answer) tally.refuseCommand(answer.rejected)
  }
}

/** Answered once everything before it is committed. */
const settled = (engine: Engine) => engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })

/** Checks the prices of a point as the market does, and passes the accepted ones to the engine. */
function tickSender({ recorded, engine, clock, tally }: Playing): (point: number) => void {
  const guard = createTickGuard()
  const hours = createMarketHours(seedCalendar())
  return (point) => {
    for (const one of recorded) {
      const bid = bidAt(one, point)
      if (bid === null) continue
      const { id, session } = one.instrument
      const ask = price(bid + one.spread)
      const tick = { instrumentId: id, bid, ask, time: clock.at, source: SOURCE }
      const status = hours.status(session, clock.at)
      const { openSince } = status
      const moment = { at: clock.at, openSince, isOpen: isInSession(status, clock.at) }
      const admission = admit(guard, one.instrument, tick, moment)
      if (!admission.accepted) tally.refuseTick(admission.reason)
      else {
        tally.taken += 1
        engine.tick(admission.quote)
      }
    }
  }
}

function commandsAt({ engine, recorded, random }: Playing, point: number): EngineCommand[] {
  const state = engine.state()
  if (point >= OPENING_POINTS) {
    const someone = () => randomChange(state, random, random.int(1, ACCOUNTS))
    return Array.from({ length: BUSY }, someone).filter((command) => command !== null)
  }
  const commands: EngineCommand[] = []
  for (let id = 1 + point; id <= ACCOUNTS; id += OPENING_POINTS) {
    for (let orders = random.int(1, MOST_ORDERS); orders > 0; orders -= 1) {
      const one = recorded[random.int(0, recorded.length - 1)]
      const order = one && randomOrder(state, random, id, one.instrument)
      if (order) commands.push(order)
    }
  }
  return commands
}
