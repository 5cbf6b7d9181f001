import type { Infer } from '../protocol/codec.ts'
import {
  decimal,
  id,
  integer,
  listOf,
  omittable,
  nothing,
  nullable,
  price,
  text,
  time,
  int,
} from '../protocol/field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, enumeration, yesNo } from './record.ts'

const refusedCount = record({ reason: text, count: int() })
const feedRow = record({
  instrumentId: id,
  code: text,
  /** Name of the feed of its last price; null before the first. */
  source: nullable(text),
  kind: nullable(enumeration(['simulated', 'recorded', 'live'])),
  /** Its sources by its terms, the preferred one first; empty: in the deployment's order. */
  sourceOrder: listOf(text),
  isOpen: yesNo,
  /** Age of its last price, ms; null before the first. */
  ageMs: nullable(int()),
  /** Accepted prices in the last minute. */
  perMinute: int(),
  bid: nullable(price),
  ask: nullable(price),
  spread: nullable(price),
  freshnessMs: int(),
  held: int(),
  /** Refused so far, by reason. */
  refused: listOf(refusedCount),
})
export type FeedRow = Infer<typeof feedRow>

const feedSource = record({
  name: text,
  kind: enumeration(['simulated', 'recorded', 'live']),
  received: int(),
  broken: int(),
  instruments: int(),
})
export type FeedSource = Infer<typeof feedSource>

export const listFeeds = defineDeskEndpoint({
  name: 'listFeeds',
  method: 'GET',
  path: '/desk/api/market/feeds',
  permission: 'viewMarket',
  request: nothing,
  response: record({ sources: listOf(feedSource), instruments: listOf(feedRow), unknownCount: int() }),
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
  /** Fresh enough to be used itself when admitted; otherwise the next price near it is used. */
  isFresh: yesNo,
  /** The last accepted mid, and the distance to it in percent; null before the first. */
  lastMid: nullable(price),
  offByPercent: nullable(decimal),
})
export type HeldPrice = Infer<typeof heldPrice>

export const listHeldPrices = defineDeskEndpoint({
  name: 'listHeldPrices',
  method: 'GET',
  path: '/desk/api/market/held',
  permission: 'viewMarket',
  request: nothing,
  response: record({ prices: listOf(heldPrice) }),
  summary:
    'Prices that were sent and not let in, and wait for a word of an operator or for the next sound price',
})

export const admitPrice = defineDeskEndpoint({
  name: 'admitPrice',
  method: 'POST',
  path: '/desk/api/market/admit',
  permission: 'admitTick',
  request: record({ instrumentId: id, number: id, reason }),
  response: record({ approvalId: id }),
  summary:
    'Asks compliance or an administrator to admit a held price: the next ones are then measured by it. No price can be made up: only one that its source has sent',
})

const refusedPrice = record({
  instrumentId: id,
  code: text,
  number: id,
  source: text,
  /** As sent by the source. */
  bid: text,
  ask: text,
  time: nullable(integer),
  at: time,
  reason: text,
})
export type RefusedPrice = Infer<typeof refusedPrice>

export const listRefusedPrices = defineDeskEndpoint({
  name: 'listRefusedPrices',
  method: 'GET',
  path: '/desk/api/market/refused',
  permission: 'viewMarket',
  request: record({ page: deskPage, instrumentId: omittable(id) }),
  response: record({ prices: listOf(refusedPrice), total: int() }),
  summary: 'The newest refused prices of each instrument, with the reason',
})
