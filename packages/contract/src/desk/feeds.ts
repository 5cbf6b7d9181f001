import type { Inside } from '../codec.ts'
import { decimal, id, integer, listOf, maybe, nothing, orNull, price, text, time, whole } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, word, yesNo } from './record.ts'

const refusedCount = record({ reason: text, count: whole() })
const feedRow = record({
  instrumentId: id,
  code: text,
  /** Name of the feed of its last price; null before the first. */
  source: orNull(text),
  kind: orNull(word(['simulated', 'recorded', 'live'])),
  /** Its sources by its terms, the preferred one first; none: as the deployment names them. */
  sourceOrder: listOf(text),
  isOpen: yesNo,
  /** Since its last price, ms; null before the first. */
  ageMs: orNull(whole()),
  /** Accepted prices in the last minute. */
  perMinute: whole(),
  bid: orNull(price),
  ask: orNull(price),
  spread: orNull(price),
  freshnessMs: whole(),
  held: whole(),
  /** Refused so far, by reason. */
  refused: listOf(refusedCount),
})
export type FeedRow = Inside<typeof feedRow>

const feedSource = record({
  name: text,
  kind: word(['simulated', 'recorded', 'live']),
  received: whole(),
  broken: whole(),
  instruments: whole(),
})
export type FeedSource = Inside<typeof feedSource>

export const listFeeds = defineDeskEndpoint({
  name: 'listFeeds',
  method: 'GET',
  path: '/desk/api/market/feeds',
  act: 'viewMarket',
  request: nothing,
  response: record({ sources: listOf(feedSource), instruments: listOf(feedRow), unknownCount: whole() }),
  summary: 'Where prices come from: age, rate, spread, and what was refused, by source and instrument',
})

const heldPrice = record({
  instrumentId: id,
  code: text,
  number: id,
  source: text,
  bid: price,
  ask: price,
  at: time,
  reason: text,
  /** Young enough to count itself when it is admitted; else the next price near it counts. */
  isFresh: yesNo,
  /** The last accepted mid, and how far it lies from that in percent; null before the first. */
  lastMid: orNull(price),
  offByPercent: orNull(decimal),
})
export type HeldPrice = Inside<typeof heldPrice>

export const listHeldPrices = defineDeskEndpoint({
  name: 'listHeldPrices',
  method: 'GET',
  path: '/desk/api/market/held',
  act: 'viewMarket',
  request: nothing,
  response: record({ prices: listOf(heldPrice) }),
  summary:
    'Prices that were sent and not let in, and wait for a word of an operator or for the next sound price',
})

export const admitPrice = defineDeskEndpoint({
  name: 'admitPrice',
  method: 'POST',
  path: '/desk/api/market/admit',
  act: 'admitTick',
  request: record({ instrumentId: id, number: id, reason }),
  response: record({ became: word(['accepted', 'nextTick']) }),
  summary:
    'An operator’s word that a held price is right. No price can be made up: only one that its source has sent',
})

const refusedPrice = record({
  instrumentId: id,
  code: text,
  number: id,
  source: text,
  /** As the source wrote them. */
  bid: text,
  ask: text,
  time: orNull(integer),
  at: time,
  reason: text,
})
export type RefusedPrice = Inside<typeof refusedPrice>

export const listRefusedPrices = defineDeskEndpoint({
  name: 'listRefusedPrices',
  method: 'GET',
  path: '/desk/api/market/refused',
  act: 'viewMarket',
  request: record({ page: deskPage, instrumentId: maybe(id) }),
  response: record({ prices: listOf(refusedPrice), total: whole() }),
  summary: 'The newest refused prices of each instrument, with the reason',
})
