import type { Quote } from '@fairlot/core'
import { price } from '@fairlot/core'
import { expect, test } from 'vitest'
import { listingOfSeed, seedInstruments } from '../seed/seed.ts'
import { testSeed } from '../../../../testing/test-world.ts'
import type { InstrumentRegistry, RegisteredInstrument } from './instrument-registry.ts'
import { createTickIntake } from './tick-intake.ts'
import { RECORDS_KEPT } from './tick-records.ts'

const NOON = Date.parse('2025-06-11T12:00:00Z')

function listed(code: string): RegisteredInstrument {
  const seed = seedInstruments().find(({ instrument }) => instrument.code === code)
  if (!seed) throw new RangeError(`no instrument ${code}`)
  return { ...listingOfSeed(seed), instrument: seed.instrument, categoryId: 1 }
}

/** An intake for one instrument that says what became of a price; `last` is its quote of before the start. */
function openIntake(code: string, last: Pick<Quote, 'bid' | 'source'> | null = null) {
  const one = listed(code)
  const { instrument } = one
  const instruments = [one]
  const byId = new Map([[instrument.id, one]])
  const registry: InstrumentRegistry = {
    ...{ settings: testSeed().settings, categories: [], instruments, byId },
    byCode: new Map([[code, one]]),
    dayTurnOf: () => 'newYorkClose',
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
    accept: (quote) => accepted.push(quote),
  })
  const refusalsBefore = () => ({ ...intake.refusals(instrument.id) })
  return {
    one,
    intake,
    wait: (ms: number) => void (at += ms),
    translate(bid: string, source = 'a'): string {
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

test('the first price of all is measured by the price of the seed', () => {
  const { one, translate } = openIntake('XAUUSD')
  const reference = one.referencePrice / 10 ** one.instrument.priceDecimals
  expect(translate(String(reference * 1_000))).toBe('outOfBounds')
  expect(translate(String(reference * 1_000))).toBe('outOfBounds')
  expect(translate('100000000000')).toBe('outOfBounds')
  expect(translate(String(reference * 2))).toBe('accepted')
})

const FRESH_MS = 5_000

test('an operator’s word lets in a price that is held and fresh, by the way of every price', () => {
  const { intake, translate } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(translate('40')).toBe('outOfBounds')
  const [held] = intake.records.held()
  if (!held) throw new Error('it is held')
  expect(intake.admit(held, FRESH_MS)).toBe('accepted')
  expect(intake.records.held()).toEqual([])
  expect(intake.admit(held, FRESH_MS)).toBeNull()
  expect(translate('40.1')).toBe('accepted')
  expect(translate('2')).toBe('outOfBounds')
})

test('one that is too old is no price any more: the next near it counts', () => {
  const { intake, translate, wait } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(translate('40')).toBe('outOfBounds')
  wait(FRESH_MS + 1)
  const [held] = intake.records.held()
  if (!held) throw new Error('it is held')
  expect(intake.admit(held, FRESH_MS)).toBe('nextTick')
  expect(translate('40.1')).toBe('accepted')
})

test('a sound price ends the waiting of those before it', () => {
  const { intake, translate } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  translate('2.1')
  const [held] = intake.records.held()
  if (!held) throw new Error('it is held')
  expect(held).toMatchObject({ reason: 'suspect', number: 1, bid: 210_000 })
  expect(translate('2.0')).toBe('accepted')
  expect([intake.records.held(), intake.admit(held, FRESH_MS)]).toEqual([[], null])
})

test('of what is refused so many are kept, as the source wrote them', () => {
  const { intake, translate } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  for (let count = 0; count < 3 * RECORDS_KEPT; count += 1) translate('0x1')
  const records = intake.records.takeNew()
  expect(records).toHaveLength(RECORDS_KEPT)
  expect(records.at(-1)).toMatchObject({ bid: '0x1', reason: 'notANumber', number: 3 * RECORDS_KEPT })
})

test('after a restart the first price is measured by the last one, of the same source within one band', () => {
  const { translate } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(translate('2.1')).toBe('suspect')
  expect(translate('2.0')).toBe('accepted')
})

test('a source that takes over at a restart may come ten bands away once, and not further', () => {
  const { translate } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(translate('2.5', 'b')).toBe('suspect')
  expect(translate('2.4', 'b')).toBe('accepted')
  expect(translate('2.0', 'b')).toBe('suspect')
})
