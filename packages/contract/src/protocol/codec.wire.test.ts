import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode } from './codec.ts'
import { decode } from './server.ts'
import { REFUSAL_REASONS } from './error-code.ts'
import { serverMessage } from '../trading/messages.wire.ts'

const QUOTATION = {
  forex_id: 1,
  open: 1.08,
  close: '1.08475',
  high: 1.09,
  low: 1.07,
  change: 0.44,
  volume: 12,
  bid: 1.0847,
  ask: 1.0848,
  time: 1_790_000_000_000,
  seq: 7,
  source: 'live',
}
const ROW = { type: 'DAY_MARKET', symbol: 'EURUSD', quotation: QUOTATION }
const ANYTHING = fc.oneof(
  fc.constantFrom(null, undefined, '', '0', 0, -0, 1e21, 1e-9, NaN, Infinity, 'x', '1e3', ' 1', [], {}, true),
  fc.double(),
  fc.string(),
  fc.jsonValue(),
)

describe('arbitrary data from a broken or false server', () => {
  it('is either decoded and encodable again, or refused', () => {
    const frames = fc.oneof(
      ANYTHING,
      fc
        .array(fc.tuple(fc.constantFrom(...Object.keys(QUOTATION)), ANYTHING), { maxLength: 2 })
        .map((changes) => [ROW, { ...ROW, quotation: { ...QUOTATION, ...Object.fromEntries(changes) } }]),
    )
    fc.assert(
      fc.property(frames, (frame) => {
        const read = decode(serverMessage, frame)
        if (read.ok) expect(decode(serverMessage, encode(serverMessage, read.value))).toEqual(read)
        else expect(REFUSAL_REASONS).toContain(read.reason)
      }),
      { numRuns: 2_000 },
    )
  })
})
