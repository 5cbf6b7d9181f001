import type { Instrument } from '@fairlot/core'
import { expect, it } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { readJournal } from '../engine/journal/journal.ts'
import { stateHash } from '../engine/state-hash.ts'
import { simulateDay, openTermsSimulation } from '../testing/terms-simulation.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { verify } from './verify.ts'

/** The simulated days take some seconds, more on a busy machine. */
const TIMEOUT_MS = 240_000
const DAYS = 4

onEveryDatabase('verify of a journal in which every term changes', (databases) => {
  it(
    'finds no difference, for all accounts and for each, and the state survives a restart',
    { timeout: TIMEOUT_MS },
    async () => {
      const database = await databases.open()
      const simulation = await openTermsSimulation(database, 8)
      for (let day = 0; day < DAYS; day += 1) await simulateDay(simulation, day)
      const before = stateHash(simulation.core())
      await simulation.restart(0)
      expect(stateHash(simulation.core())).toBe(before)
      await simulation.stop()
      expect(simulation.errors()).toEqual([])

      const changed = await timesChanged(database.queries)
      expect(EVERY_TERM.filter((field) => (changed.get(field) ?? 0) < 2)).toEqual([])
      const journaled = await everythingJournaled(database.queries)
      expect(EVERYTHING.filter((name) => !journaled.has(name))).toEqual([])
      expect((await verify(database)).difference).toBeNull()
      for (const accountId of simulation.state().accounts.keys())
        expect([accountId, (await verify(database, accountId)).difference]).toEqual([accountId, null])
    },
  )
})

const SETTING_NAMES = [
  'feeType',
  'demoBalance',
  'stopOutLevel',
  'warningLevel',
  'maxLivingOrders',
  'noticeMs',
]
const INSTRUMENT_NAMES = [
  'feeRate',
  'swapRate',
  'tripleSwapDay',
  'leverages',
  'lotMin',
  'lotMax',
  'lotStep',
  'minStopDistance',
  'suspectBand',
  'maxSpread',
  'markUp',
  'priceDecimals',
  'isEnabled',
  'session',
]
const EVERY_TERM = [
  ...[...SETTING_NAMES, 'fourEyesLimit', 'freshnessMs'].map((name) => `settings ${name}`),
  ...[...INSTRUMENT_NAMES, 'freshnessMs'].map((name) => `instrument ${name}`),
  ...['windows', 'holidays'].map((name) => `calendar ${name}`),
  ...['kind', 'hours', 'freshnessMs'].map((name) => `source ${name}`),
]

/** Events, reasons and outcomes that must occur in the journal. */
const EVERYTHING = [
  'termsTookEffect',
  'termsWithdrawn by operator',
  'termsWithdrawn by clock',
  'rolledOver',
  'pricesMarked',
  'orderPlaced',
  'positionOpened limit',
  'positionReduced',
  'trailingMoved',
  'stopsSet',
  'demoReset',
  'takeProfit',
  'stopLoss',
  'stopOut',
  'operator',
  'expired',
  'withdrawnByOperator',
  'cancelledByUser',
  'accountStatusSet closeOnly',
  'accountStatusSet frozen',
  'tradingModeSet reduceOnly',
  'instrumentHalted',
  'depositEnded finished',
  'depositEnded invalid',
  'withdrawalEnded paid',
  'withdrawalEnded rejected',
  'withdrawalEnded cancelled',
  'adjustmentEnded approved',
  'adjustmentEnded refused',
  'swapBooked 3',
]

/** How often each term in effect has changed. */
async function timesChanged(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const known = new Map<string, string>()
  const announced = new Map<number, object>()
  const apply = (change: object) => {
    const { kind, ...of } = change as { kind: string; instrumentId?: number } & Record<string, object>
    const terms = Object.assign({}, of['settings'] ?? of['instrument'] ?? of['session'] ?? of['source'])
    for (const [name, value] of Object.entries(terms)) {
      const id = (of['instrument'] as Instrument | undefined)?.id ?? of.instrumentId ?? ''
      const now = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
      const key = `${kind} ${name}`
      if (known.has(`${key} ${id}`) && known.get(`${key} ${id}`) !== now)
        counts.set(key, (counts.get(key) ?? 0) + 1)
      known.set(`${key} ${id}`, now)
    }
  }
  for await (const { entries } of readJournal(queries, 0)) {
    for (const { at, events } of entries) {
      for (const event of events) {
        if (event.type === 'termsSet' && event.effectiveAt > at) announced.set(event.changeId, event.change)
        else if (event.type === 'termsSet') apply(event.change)
        else if (event.type === 'termsTookEffect') apply(announced.get(event.changeId) ?? {})
      }
    }
  }
  return counts
}

/** All event types, with the values that distinguish them. */
async function everythingJournaled(queries: Queries): Promise<Set<string>> {
  const journaled = new Set<string>()
  for await (const { entries } of readJournal(queries, 0)) {
    for (const { author, events } of entries) {
      for (const event of events) {
        journaled.add(event.type)
        journaled.add(`${event.type} by ${author.type}`)
        for (const name of ['kind', 'reason', 'outcome', 'status', 'mode', 'nights'] as const) {
          const value = (event as Partial<Record<string, unknown>>)[name]
          if (value === undefined) continue
          journaled.add(`${event.type} ${String(value)}`)
          journaled.add(String(value))
        }
      }
    }
  }
  return journaled
}
