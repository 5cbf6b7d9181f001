import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Alert } from '../model/alert.ts'
import { price } from '../model/number.ts'
import { AlertBook, SIDES, valueOf, type AlertLevel } from './alert-book.ts'

const alert = (id: number, wakesAt = 0): Alert => ({
  id,
  accountId: id % 3,
  condition: { kind: 'marginLevel', level: 100 },
  pauseMs: null,
  wakesAt,
  awaitsReturn: false,
  expiresAt: null,
})
const tick = (bid: number, ask: number, instrumentId = 1) => ({
  instrumentId,
  bid: price(bid),
  ask: price(ask),
})
const ids = (found: readonly { readonly alertId: number }[]) => found.map(({ alertId }) => alertId)

const levels = fc.record({
  instrumentId: fc.integer({ min: 1, max: 2 }),
  side: fc.constantFrom(...SIDES),
  direction: fc.constantFrom('above' as const, 'below' as const),
  level: fc.integer({ min: -20, max: 20 }),
})

const isMet = ({ instrumentId, side, direction, level }: AlertLevel, quote: ReturnType<typeof tick>) =>
  instrumentId === quote.instrumentId &&
  (direction === 'above' ? valueOf(side, quote) >= level : valueOf(side, quote) <= level)

describe('the alerts that a tick fires', () => {
  it('are those whose level it reaches, by id, and it is quiet where there are none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(levels, fc.constantFrom('kept', 'removed', 'asleep'))),
        fc.integer({ min: -12, max: 12 }),
        fc.integer({ min: 0, max: 3 }),
        (set, bid, spread) => {
          const book = new AlertBook()
          set.forEach(([level], index) => book.watchPrice(alert(index + 1), level))
          set.forEach(([, then], index) => {
            if (then === 'removed') book.forget(index + 1, (index + 1) % 3)
            if (then === 'asleep') book.sleep(alert(index + 1, 1_000))
          })
          const quote = tick(bid, bid + spread)
          const expected = set.flatMap(([level, then], index) =>
            then === 'kept' && isMet(level, quote) ? [index + 1] : [],
          )
          expect(ids(book.due(quote))).toEqual(expected)
          expect(book.isReachedBy(quote)).toBe(expected.length > 0)
        },
      ),
    )
  })

  it('watches the mid to half a tick', () => {
    const book = new AlertBook()
    book.watchPrice(alert(1), { instrumentId: 1, side: 'mid', direction: 'above', level: 201 })
    expect(book.isReachedBy(tick(99, 101))).toBe(false)
    expect(book.isReachedBy(tick(100, 101))).toBe(true)
  })
})

describe('a pause', () => {
  it('ends at its time and not before', () => {
    const book = new AlertBook()
    book.sleep(alert(2, 1_000))
    book.sleep(alert(1, 1_000))
    expect([book.isAnyAwake(999), book.isAnyAwake(1_000)]).toEqual([false, true])
    expect(ids(book.awake(1_000))).toEqual([1, 2])
  })
})

describe('the end of an alert', () => {
  it('comes at its time, in its pause too, and not once it is forgotten', () => {
    const book = new AlertBook()
    for (const id of [2, 1, 3]) book.watchMarginLevel(alert(id), 120)
    for (const id of [2, 1, 3]) book.endAt(alert(id), 1_000)
    book.sleep(alert(2, 5_000))
    book.forget(3, 0)
    expect([book.isAnyOver(999), book.isAnyOver(1_000)]).toEqual([false, true])
    expect(ids(book.over(1_000))).toEqual([1, 2])
    book.endAt(alert(1), null)
    book.endAt(alert(2), 2_000)
    expect(ids(book.over(1_999))).toEqual([])
  })
})

describe('margin levels', () => {
  it('the highest of an account counts while it waits', () => {
    const book = new AlertBook()
    book.watchMarginLevel(alert(3), 120)
    book.watchMarginLevel(alert(6), 150)
    expect(book.highestMarginLevel(0)).toBe(150)
    book.forget(6, 0)
    expect(book.highestMarginLevel(0)).toBe(120)
    expect(book.marginAlertsOf(0)).toEqual([3])
    book.sleep(alert(3, 1_000))
    expect(book.highestMarginLevel(0)).toBeNull()
  })

  it('checks other accounts only where they have such alerts', () => {
    const book = new AlertBook()
    book.watchMarginLevel(alert(3), 120)
    expect(book.dueMargins(tick(1, 1), [0, 1, 2])).toEqual([0])
  })
})
