import type { Decimal } from '@fairlot/core/decimal'
import { expect, test } from 'vitest'
import { clientMessage, quotesChannel, SOCKET, topicOf, RAW_PRICES } from './channel.ts'
import { encode } from './codec.ts'
import { decode } from './server.ts'
import { serverMessage } from '../trading/messages.wire.ts'

const price = (value: number) => value as Decimal
const day = { open: price(1), close: price(1.25), high: price(2), low: price(1), changePercent: null }

test('the keys of raw prices equal those of the codecs', () => {
  expect(RAW_PRICES.path).toBe(SOCKET.path)
  expect(decode(clientMessage, JSON.parse(RAW_PRICES.subscribe))).toMatchObject({
    value: { type: 'subscribe', topics: [topicOf(quotesChannel)] },
  })
  const quote = {
    code: 'EURUSD',
    instrumentId: 1,
    bid: price(1),
    ask: price(2),
    time: 1,
    seq: 1,
    source: 'live' as const,
    ageMs: null,
    day: { ...day, volume: price(1) },
  }
  const row = encode(serverMessage, { type: 'quotes', quotes: [quote] })
  expect(row).toMatchObject({
    [RAW_PRICES.code]: 'EURUSD',
    [RAW_PRICES.quotation]: { [RAW_PRICES.mid]: 1.25 },
  })
})
