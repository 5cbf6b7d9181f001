import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { decode } from './codec.ts'
import { quickReadOf } from './quick-read.ts'
import { instrument } from './wire/instrument.ts'
import { serverMessage } from './wire/message.ts'

const quotation = {
  ...{ forex_id: 1, open: 1.08, close: '1.08475', high: 1.09, low: 1.07, change: 0.44, volume: 12 },
  ...{ bid: 1.0847, ask: 1.0848, time: 1_790_000_000_000, seq: 7, source: 'live' },
}
const row = { type: 'DAY_MARKET', symbol: 'EURUSD', quotation }

/** What a broken server, or a stranger in its place, may put where a value belongs. */
const anything = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    '0',
    0,
    -0,
    -1,
    1e21,
    1e-9,
    NaN,
    Infinity,
    'x',
    '1e3',
    ' 1',
    [],
    {},
    true,
  ),
  fc.double(),
  fc.string(),
  fc.jsonValue(),
)

const frames = fc.oneof(
  anything,
  fc.record({
    type: fc.constantFrom('DAY_MARKET', 'KLINE', 'NOTICE', 'x'),
    symbol: anything,
    quotation: anything,
  }),
  fc
    .array(fc.tuple(fc.constantFrom(...Object.keys(quotation)), anything), { maxLength: 2 })
    .map((changes) => [row, { ...row, quotation: { ...quotation, ...Object.fromEntries(changes) } }]),
)

test('a frame is read as its codec reads it, or refused as its codec refuses it', () => {
  fc.assert(
    fc.property(frames, (frame) => {
      const read = decode(serverMessage, frame)
      const slow = z.safeDecode(serverMessage, frame)
      expect(read.ok ? { data: read.value } : {}).toEqual(slow.success ? { data: slow.data } : {})
    }),
    { numRuns: 2_000 },
  )
})

test('an instrument of a list does not take the slow way', () => {
  expect(quickReadOf(instrument)).toBeDefined()
})

test('a frame of prices does not take the slow way', () => {
  expect(quickReadOf(serverMessage)?.([row, row])).toMatchObject({ type: 'quotes', quotes: [{}, {}] })
})
