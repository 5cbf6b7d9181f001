import type { Instrument } from '@fairlot/core'
import { expect, it } from 'vitest'
import type { Queries } from '../database/open.ts'
import { readJournal } from '../engine/journal/journal.ts'
import { stateHash } from '../engine/state-hash.ts'
import { liveThrough } from '../testing/changing-days.ts'
import { openChangingLife } from '../testing/changing-life.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { verify } from './verify.ts'

/** A life of five days takes seconds, on a busy machine many. */
const PATIENCE_MS = 240_000
const DAYS = 4

onEveryDatabase('a life in which every term changes', (databases) => {
  it(
    'is found clean, for all and for each, and comes back from a restart',
    { timeout: PATIENCE_MS },
    async () => {
      const database = await databases.open()
      const life = await openChangingLife(database, 7)
      for (let day = 0; day < DAYS; day += 1) await liveThrough(life, day)
      const before = stateHash(life.core())
      await life.restart(0)
      expect(stateHash(life.core())).toBe(before)
      await life.stop()
      expect(life.errors()).toEqual([])

      const changed = await timesChanged(database.queries)
      expect(EVERY_TERM.filter((field) => (changed.get(field) ?? 0) < 2)).toEqual([])
      const told = await everythingTold(database.queries)
      expect(EVERYTHING.filter((word) => !told.has(word))).toEqual([])
      expect((await verify(database)).difference).toBeNull()
      for (const accountId of life.state().accounts.keys())
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
  ...['feeRate', 'swapRate', 'tripleSwapDay', 'leverages', 'lotMin', 'lotMax', 'lotStep', 'minStopDistance'],
  ...['suspectBand', 'maxSpread', 'markUp', 'priceDecimals', 'isEnabled', 'session'],
]
const EVERY_TERM = [
  ...[...SETTING_NAMES, 'fourEyesLimit', 'freshnessMs'].map((name) => `settings ${name}`),
  ...[...INSTRUMENT_NAMES, 'freshnessMs'].map((name) => `instrument ${name}`),
  ...['windows', 'holidays'].map((name) => `calendar ${name}`),
  ...['kind', 'hours', 'freshnessMs'].map((name) => `source ${name}`),
]

/** Events, reasons and outcomes that the life must not have left out. */
const EVERYTHING = [
  ...[
    'termsTookEffect',
    'termsWithdrawn by operator',
    'termsWithdrawn by clock',
    'rolledOver',
    'pricesMarked',
  ],
  ...['orderPlaced', 'positionOpened limit', 'positionReduced', 'trailingMoved', 'stopsSet', 'demoReset'],
  ...['takeProfit', 'stopLoss', 'stopOut', 'operator', 'expired', 'withdrawnByOperator', 'cancelledByUser'],
  ...[
    'accountStatusSet closeOnly',
    'accountStatusSet frozen',
    'tradingModeSet cancelOnly',
    'instrumentHalted',
  ],
  ...['depositEnded finished', 'depositEnded invalid', 'withdrawalEnded paid', 'withdrawalEnded rejected'],
  ...['withdrawalEnded cancelled', 'adjustmentEnded approved', 'adjustmentEnded refused', 'swapBooked 3'],
]

/** How often each term that was in force became another one. */
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

/** What has happened, in words: types with what tells them apart. */
async function everythingTold(queries: Queries): Promise<Set<string>> {
  const told = new Set<string>()
  for await (const { entries } of readJournal(queries, 0)) {
    for (const { author, events } of entries) {
      for (const event of events) {
        told.add(event.type)
        told.add(`${event.type} by ${author.type}`)
        for (const name of ['kind', 'reason', 'outcome', 'status', 'mode', 'nights'] as const) {
          const value = (event as Partial<Record<string, unknown>>)[name]
          if (value === undefined) continue
          told.add(`${event.type} ${String(value)}`)
          told.add(String(value))
        }
      }
    }
  }
  return told
}
