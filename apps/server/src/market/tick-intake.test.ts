import type { Quote } from '@fairlot/core'
import { price } from '@fairlot/core'
import { expect, test } from 'vitest'
import { listingOfSeed, seedInstruments } from '../seed/seed.ts'
import { testSeed } from '../testing/test-world.ts'
import type { Catalogue, CatalogueInstrument } from './catalogue.ts'
import { createTickIntake } from './tick-intake.ts'

const NOON = Date.parse('2025-06-11T12:00:00Z')

function listed(code: string): CatalogueInstrument {
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
  const catalogue: Catalogue = {
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
    catalogue,
    hours: { status: () => ({ isOpen: true, openSince: null, changesAt: null }) },
    clock: { now: () => at },
    last: { quotes: before ? [before] : [], lastSeq: new Map([[instrument.id, 7]]) },
    accept: (quote) => accepted.push(quote),
  })
  const refusalsBefore = () => ({ ...intake.refusals(instrument.id) })
  return {
    one,
    trust: intake.trust,
    say(bid: string, source = 'a'): string {
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
  const { one, say } = openIntake('XAUUSD')
  const reference = one.referencePrice / 10 ** one.instrument.priceDecimals
  expect(say(String(reference * 1_000))).toBe('outOfBounds')
  expect(say(String(reference * 1_000))).toBe('outOfBounds')
  expect(say('100000000000')).toBe('outOfBounds')
  expect(say(String(reference * 2))).toBe('accepted')
})

test('an operator’s word lets a price out of bounds count from its next tick on', () => {
  const { trust, say } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(trust('EURUSD', 'a')).toBe(false)
  expect(say('40')).toBe('outOfBounds')
  expect([trust('NOSUCH', 'a'), trust('EURUSD', 'b'), trust('EURUSD', 'a')]).toEqual([false, false, true])
  expect(say('40.1')).toBe('accepted')
})

test('after a restart the first price is measured by the last one, of the same source within one band', () => {
  const { say } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(say('2.1')).toBe('suspect')
  expect(say('2.0')).toBe('accepted')
})

test('a source that takes over at a restart may come ten bands away once, and not further', () => {
  const { say } = openIntake('EURUSD', { bid: price(200_000), source: 'a' })
  expect(say('2.5', 'b')).toBe('suspect')
  expect(say('2.4', 'b')).toBe('accepted')
  expect(say('2.0', 'b')).toBe('suspect')
})
