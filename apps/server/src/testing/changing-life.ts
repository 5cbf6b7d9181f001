/** A deployment whose terms change while everybody trades on: what its days are made of. */
import {
  price,
  type Instrument,
  type InstrumentSource,
  type Seed,
  type SessionText,
  type State,
  type TermsChange,
  type TradingSettings,
} from '@fairlot/core'
import type { Database } from '../database/open.ts'
import type { Answer, EngineCommand } from '../engine/engine.ts'
import { LIFE_SEED } from './journal-life.ts'
import { DAY, operatorOf, someCommands } from './random-commands.ts'
import { createRandom } from '../../../../testing/random.ts'
import { accountIdOf, entryOf } from '../../../../testing/test-world.ts'
import { openFloor, type Floor } from './trading-floor.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** Two people: what they agree on holds at once. */
export const BOTH = operatorOf(1, 9)
/** Alone: what is worse for traders has to be announced. */
export const ONE = operatorOf(2)

const MONDAY = Date.UTC(2026, 0, 5, 11)

/** Hours of its own, in New York. */
const HOURS: SessionText = { ...DAY, name: 'hours' }

/** Nobody but the days trades it, so that it may become another one altogether. */
export const LONER = 4

/** What each costs, in ticks. */
const PRICES: ReadonlyMap<number, number> = new Map([
  [1, 108_469],
  [2, 83_312],
  [3, 130_120],
  [LONER, 66_500],
])

const [EURUSD] = LIFE_SEED.instruments
if (!EURUSD) throw new Error('the life has no instrument')
const SEED: Seed = {
  ...LIFE_SEED,
  instruments: [
    ...LIFE_SEED.instruments,
    { ...EURUSD, id: LONER, code: 'AUDUSD', baseCurrency: 'AUD', session: HOURS.name },
  ],
  sessions: [DAY, HOURS, { ...DAY, name: 'night' }],
}

export type ChangingLife = Awaited<ReturnType<typeof openChangingLife>>

/** `seed` chooses what everybody does between what the days prescribe. */
export async function openChangingLife(database: Database, seed: number) {
  const random = createRandom(seed)
  const errors: string[] = []
  let floor: Floor = await openFloor(database, { startAt: MONDAY, seed: SEED })
  const state = () => floor.engine.state()
  /** Throws for a command that is refused. */
  const must = async (command: EngineCommand): Promise<Answer> => {
    const answer = await floor.engine.execute(command)
    entryOf(answer)
    return answer
  }
  const terms = changersOf({ state, must, now: () => floor.clock.at })
  const { changeInstrument } = terms
  const knock = () => floor.engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })

  return {
    ...{ state, core: () => floor.engine.core(), must },
    errors: () => [...errors, ...floor.errors],
    execute: (command: EngineCommand) => floor.engine.execute(command),
    open: async (ledger: 'demo' | 'real') => accountIdOf(await must({ type: 'openAccount', ledger })),
    tick: (bid: number, id?: number) => floor.tick(bid, id),
    stop: async () => {
      await floor.engine.caughtUp()
      await floor.engine.stop()
    },
    ...terms,
    /** Time goes by; then somebody asks for something, and prices are fresh again. */
    pass: async (ms: number) => {
      floor.clock.at += ms
      await knock()
      for (const [id, { bid }] of [...state().quotes]) await floor.tick(bid, id)
    },
    /** Until a time of that day, UTC. */
    untilHour: (hour: number) =>
      (Math.floor(floor.clock.at / (24 * HOUR_MS)) * 24 + hour) * HOUR_MS - floor.clock.at,
    /** Everything trades, for everybody, at fresh prices. */
    calm: async () => {
      await must({ type: 'setTradingMode', by: ONE, mode: 'normal' })
      for (const { id, isEnabled } of [...state().instruments.values()]) {
        await must({ type: 'haltInstrument', by: ONE, instrumentId: id, reason: null })
        if (!isEnabled) await changeInstrument(id, { isEnabled: true })
      }
      for (const accountId of [...state().accounts.keys()])
        await must({ type: 'setAccountStatus', by: ONE, accountId, status: 'active' })
      for (const [id, bid] of PRICES) {
        const decimals = state().instruments.get(id)?.priceDecimals ?? 5
        await floor.tick(price(Math.round(bid * 10 ** (decimals - 5))), id)
      }
    },
    /** Everybody does something, `steps` times, over minutes. */
    bustle: async (steps: number) => {
      for (let step = 0; step < steps; step += 1) {
        floor.clock.at += random.below(12 * MINUTE_MS)
        for (const { at: _, ...command } of someCommands(state(), floor.clock.at, random)) {
          if (command.type === 'clock') continue
          if (command.type === 'tick') await floor.tick(command.quote.bid, command.quote.instrumentId)
          else await floor.engine.execute(command as EngineCommand)
        }
      }
    },
    /** The engine ends, time goes by, and another one goes on from the database. */
    restart: async (awayMs = MINUTE_MS) => {
      await floor.engine.caughtUp()
      await floor.engine.stop()
      errors.push(...floor.errors)
      floor = await openFloor(database, { startAt: floor.clock.at + awayMs, seed: SEED })
    },
  }
}

type Doing = {
  readonly state: () => State
  readonly must: (command: EngineCommand) => Promise<Answer>
  readonly now: () => number
}

/** Changes of every kind of term. */
function changersOf({ state, must, now }: Doing) {
  /** At once by two, or `inMs` from now by one. */
  const change = (change: TermsChange, inMs: number | null) => {
    const effectiveAt = inMs === null ? null : now() + inMs
    return must({ type: 'setTerms', by: inMs === null ? BOTH : ONE, effectiveAt, change })
  }
  const changeInstrument = (id: number, given: Partial<Instrument>, inMs: number | null = null) => {
    const instrument = state().instruments.get(id)
    if (!instrument) throw new Error(`there is no instrument ${id}`)
    return change({ kind: 'instrument', instrument: { ...instrument, ...given }, listing: null }, inMs)
  }
  return {
    changeInstrument,
    changeSettings: (given: Partial<TradingSettings>, inMs: number | null = null) =>
      change({ kind: 'settings', settings: { ...state().settings, ...given } }, inMs),
    changeSource: (instrumentId: number, source: InstrumentSource, inMs: number | null = null) =>
      change({ kind: 'source', instrumentId, source }, inMs),
    changeHours: (given: Partial<SessionText>, inMs: number | null = null) =>
      change({ kind: 'calendar', session: { ...HOURS, ...given } }, inMs),
  }
}
