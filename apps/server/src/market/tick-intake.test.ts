import type { Quote } from '@fairlot/core'
import { price, type ReferenceAdmitted } from '@fairlot/core'
import { expect, test } from 'vitest'
import { listingOfSeed, seedInstruments } from '../seed/seed.ts'
import { testSeed } from '../../../../testing/test-world.ts'
import type { InstrumentRegistry, RegisteredInstrument } from './instrument-registry.ts'
import { createTickIntake } from './tick-intake.ts'
import { RECORDS_KEPT } from './refused-ticks.ts'

const NOON = Date.parse('2025-06-11T12:00:00Z')

function listed(code: string): RegisteredInstrument {
  const seed = seedInstruments().find(({ instrument }) => instrument.code === code)
  if (!seed) throw new RangeError(`no instrument ${code}`)
  return { ...listingOfSeed(seed), instrument: seed.instrument, categoryId: 1 }
}

/** An intake for one instrument that returns the outcome of a price; `last` is its quote from before the start. */
function openIntake(
  code: string,
  last: Pick<Quote, 'bid' | 'source'> | null = null,
  admitted: Pick<ReferenceAdmitted, 'bid' | 'ask' | 'source' | 'market'> | null = null,
) {
  const one = listed(code)
  const { instrument } = one
  const instruments = [one]
  const byId = new Map([[instrument.id, one]])
  const registry: InstrumentRegistry = {
    settings: testSeed().settings,
    categories: [],
    instruments,
    byId,
    byCode: new Map([[code, one]]),
    dayRolloverOf: () => 'newYorkClose',
  }
  const accepted: Quote[] = []
  let at = NOON
  const before = last && {
    instrumentId: instrument.id,
    ask: last.bid,
    time: at,
    receivedAt: at,
    seq: 7,
    ...last,
  }
  const intake = createTickIntake({
    registry,
    hours: { status: () => ({ isOpen: true, openSince: null, changesAt: null }) },
    clock: { now: () => at },
    last: { quotes: before ? [before] : [], lastSeq: new Map([[instrument.id, 7]]) },
    refused: { byInstrument: new Map(), unknownCount: 0 },
    records: { lastNumbers: new Map(), held: [] },
    admitted: new Map(
      admitted
        ? [[instrument.id, { ...admitted, type: 'referenceAdmitted', instrumentId: instrument.id }]]
        : [],
    ),
    accept: (quote) => accepted.push(quote),
  })
  const refusalsBefore = () => ({ ...intake.refusals(instrument.id) })
  return {
    one,
    intake,
    accepted,
    wait: (ms: number) => void (at += ms),
    send(bid: string, source = 'a'): string {
      const [count, refused] = [accepted.length, refusalsBefore()]
      at += 1_000
      intake.take({ code, bid, ask: bid, time: null, source })
      if (accepted.length > count) return 'accepted'
      const now = intake.refusals(instrument.id)
      return (
        Object.entries(refused).find(([reason, times]) => now[reason as keyof typeof now] > times)?.[0] ?? ''
      )
    },
  }
}

test('checks the very first price against the seeded price', () => {
  const { one, send } = openIntake('XAUUSD')
  const reference = one.referencePrice / 10 ** one.instrument.priceDecimals
  expect(send(String(reference * 1_000))).toBe('outOfBounds')
  expect(send(String(reference * 1_000))).toBe('outOfBounds')
  expect(send('100000000000')).toBe('outOfBounds')
  expect(send(String(reference * 2))).toBe('accepted')
})

test('uses an admitted price as reference only: accepts the next price near it, and returns to true ones', () => {
  const { intake, accepted, send } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(send('40')).toBe('outOfBounds')
  const [held] = intake.records.held()
  if (!held) throw new Error('not held')
  expect(intake.isWaiting(held)).toBe(true)
  expect(intake.marketPriceOf(held.instrumentId)?.bid).toBe(200_000)
  intake.admit(held)
  expect(accepted).toEqual([])
  expect([intake.records.held(), intake.isWaiting(held)]).toEqual([[], false])
  expect(send('40.1')).toBe('accepted')
  expect(accepted.at(-1)).toMatchObject({ admitted: true })
  expect(send('2')).toBe('suspect')
  expect(send('2')).toBe('accepted')
  expect(accepted.at(-1)).not.toHaveProperty('admitted')
})

test('checks the next price after a restart against the admitted reference', () => {
  const before = { bid: price(4_000_000), source: 'a' }
  const reference = { bid: price(4_000_000), ask: price(4_000_000), source: 'a' }
  const market = { bid: price(200_000), ask: price(200_000) }
  const { accepted, send } = openIntake('EURUSD', before, { ...reference, market })
  expect(send('40.1')).toBe('accepted')
  expect(accepted.at(-1)).toMatchObject({ admitted: true })
  expect([send('2'), send('2')]).toEqual(['suspect', 'accepted'])
})

test('drops held prices when a price is accepted', () => {
  const { intake, send } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  send('2.1')
  const [held] = intake.records.held()
  if (!held) throw new Error('not held')
  expect(held).toMatchObject({ reason: 'suspect', number: 1, bid: 210_000 })
  expect(send('2.0')).toBe('accepted')
  expect([intake.records.held(), intake.isWaiting(held)]).toEqual([[], false])
})

test('keeps the newest refused prices, as the source sent them', () => {
  const { intake, send } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  for (let count = 0; count < 3 * RECORDS_KEPT; count += 1) send('0x1')
  const records = intake.records.takeNew()
  expect(records).toHaveLength(RECORDS_KEPT)
  expect(records.at(-1)).toMatchObject({ bid: '0x1', reason: 'notANumber', number: 3 * RECORDS_KEPT })
})

test('checks the first price after a restart against the last one, within one band for the same source', () => {
  const { send } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(send('2.1')).toBe('suspect')
  expect(send('2.0')).toBe('accepted')
})

test('allows a source that takes over at a restart ten bands once, and no more', () => {
  const { send } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(send('2.5', 'b')).toBe('suspect')
  expect(send('2.4', 'b')).toBe('accepted')
  expect(send('2.0', 'b')).toBe('suspect')
})
