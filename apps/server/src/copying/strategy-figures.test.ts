import { createCore, money, type Money } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import {
  copiersFigures,
  DAY_MS,
  GROWTH_UNIT,
  lastMomentBefore,
  strategyRecord,
  windowFigures,
  type ClosedOrder,
  type OpenPosition,
  type StrategyDay,
} from './strategy-figures.ts'

const usd = (amount: number): Money => money(BigInt(amount) * 1_000_000n)

/** A day on which nothing happened, at a growth in percent. */
const day = (number: number, growth: number, given: Partial<StrategyDay> = {}): StrategyDay => {
  const units = (GROWTH_UNIT * BigInt(growth)) / 100n
  return {
    day: number,
    upTo: (number + 1) * DAY_MS,
    growth: units,
    highest: units,
    lowest: units,
    fallFrom: units,
    fallTo: units,
    balance: usd(0),
    equity: usd(0),
    countedMs: DAY_MS,
    exposedMs: 0,
    leverageMs: 0n,
    highestLeverage: 0,
    orders: 0,
    wins: 0,
    gains: usd(0),
    losses: usd(0),
    best: usd(0),
    ...given,
  }
}

let id = 0
const closed = (given: Partial<ClosedOrder>): ClosedOrder => {
  id += 1
  return { id, instrumentId: 1, lots: 100, openedAt: id * 10, endedAt: id * 10 + 5, result: usd(1), ...given }
}

const flags = (orders: readonly ClosedOrder[], open: readonly OpenPosition[] = [], days = [day(0, 100)]) =>
  windowFigures('all', { days, closed: orders, open }).flags

/**
 * The growth in percent after results and flows of money, a minute apart: of a strategy that starts with an equity of
 * 1,000, where the minimum is 500.
 */
const growthAfter = (...booked: readonly (readonly ['result' | 'flow', number])[]): number => {
  const minute = 60_000
  const core = createCore()
  const { days } = strategyRecord(
    {
      from: { at: 0, growth: GROWTH_UNIT, balance: usd(1_000), equity: usd(1_000) },
      upTo: minute * (booked.length + 1),
      movements: booked.map(([kind, amount], index) => ({
        at: minute * (index + 1),
        amount: usd(amount),
        isFlow: kind === 'flow',
      })),
      positions: [],
      snapshots: [],
      ticks: [],
      ranges: [],
      closed: [],
    },
    { core, advance: () => undefined },
  )
  return Number(((days.at(-1)?.growth ?? 0n) * 100n) / GROWTH_UNIT)
}

describe('the return of a strategy', () => {
  it('is that of its results, whatever money comes and goes', () => {
    expect(growthAfter(['result', 500], ['flow', 1_500], ['result', -600])).toBe(120)
    expect(growthAfter(['flow', -400], ['result', 60])).toBe(110)
  })

  it('counts losses below the minimum equity, and no gains', () => {
    expect(growthAfter(['flow', -600], ['result', -200])).toBe(50)
    expect(growthAfter(['flow', -600], ['result', 200])).toBe(100)
    // The loss that leads below the minimum counts, the gain that leads above it again does not, the next one does.
    expect(growthAfter(['result', -600], ['result', 200], ['result', 300])).toBe(60)
    expect(growthAfter(['flow', -600], ['result', -200], ['flow', 800], ['result', 100])).toBe(55)
  })

  it('is -100 % for good once results have left nothing', () => {
    expect(growthAfter(['result', -1_000], ['flow', 1_000], ['result', 500])).toBe(0)
    expect(growthAfter(['flow', -600], ['result', -400], ['flow', 1_000], ['result', 500])).toBe(0)
    // Negative balance protection is no gain.
    expect(growthAfter(['result', -1_100], ['flow', 100], ['flow', 1_000], ['result', 500])).toBe(0)
  })

  it('goes on with the next flow after a flow has left nothing', () => {
    expect(growthAfter(['result', 200], ['flow', -1_200])).toBe(120)
    expect(growthAfter(['result', 200], ['flow', -1_200], ['flow', 1_000], ['result', 100])).toBe(132)
    // What is still booked in between is the result of nothing.
    expect(growthAfter(['flow', -1_000], ['result', -1], ['flow', 1], ['flow', 1_000], ['result', 100])).toBe(
      110,
    )
  })
})

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Lowest, highest and final equity of an hour; null where nothing was noted. */
type Hour = readonly [lowest: number, highest: number, equity: number] | null

/** A strategy that starts with 1,000, where the minimum is 500: bookings by the minute, and what full hours note. */
const recordOf = (
  hours: readonly Hour[],
  booked: readonly (readonly [number, 'result' | 'flow', number])[] = [],
) =>
  strategyRecord(
    {
      from: { at: 0, growth: GROWTH_UNIT, balance: usd(1_000), equity: usd(1_000) },
      upTo: hours.length * HOUR_MS,
      movements: booked.map(([minute, kind, amount]) => ({
        at: minute * MINUTE_MS,
        amount: usd(amount),
        isFlow: kind === 'flow',
      })),
      positions: [],
      snapshots: [],
      ticks: [],
      ranges: hours.flatMap((hour, index) =>
        hour === null
          ? []
          : [
              {
                at: lastMomentBefore((index + 1) * HOUR_MS),
                lowest: usd(hour[0]),
                highest: usd(hour[1]),
                equity: usd(hour[2]),
              },
            ],
      ),
      closed: [],
    },
    { core: createCore(), advance: () => undefined },
  ).days

const drawdownOf = (...given: Parameters<typeof recordOf>): number =>
  windowFigures('all', { days: recordOf(...given), closed: [], open: [] }).drawdown

describe('the maximum drawdown', () => {
  it('has a fall between two full hours', () => {
    expect(drawdownOf([[800, 1_000, 1_000]])).toBe(200_000)
  })

  it('takes the lowest of an hour as the first, and the highest as the peak of later ones', () => {
    expect(drawdownOf([[900, 1_100, 1_000]])).toBe(100_000)
    // The end of the hour comes after its highest.
    expect(drawdownOf([[900, 1_250, 1_000]])).toBe(200_000)
    expect(
      drawdownOf([
        [1_000, 1_100, 1_000],
        [880, 1_000, 1_000],
      ]),
    ).toBe(200_000)
  })

  it('does not measure the lowest of an hour from a gain within it', () => {
    expect(drawdownOf([[950, 1_100, 1_100]], [[30, 'result', 100]])).toBe(50_000)
    expect(drawdownOf([null, [950, 1_100, 1_100]], [[30, 'result', 100]])).toBe(136_364)
  })

  it('is the same whatever money came in the hour', () => {
    expect(drawdownOf([[1_600, 2_000, 2_000]], [[30, 'flow', 1_000]])).toBe(200_000)
    expect(drawdownOf([[400, 500, 500]], [[30, 'flow', -500]])).toBe(200_000)
  })

  it('has the fall of an hour in which everything was taken out, and the return goes on', () => {
    const booked = [
      [30, 'flow', -1_000],
      [90, 'flow', 1_000],
      [100, 'result', 100],
    ] as const
    expect(drawdownOf([[700, 1_000, 1_000], null], booked)).toBe(300_000)
    expect(recordOf([[700, 1_000, 1_000], null], booked).at(-1)?.growth).toBe((GROWTH_UNIT * 11n) / 10n)
  })

  it('counts falls below the minimum equity, and no gains', () => {
    const below = [0.5, 'flow', -600] as const
    expect(drawdownOf([[200, 400, 400]], [below])).toBe(500_000)
    // 400 became 600: neither was 400 a fall, nor is 600 a peak.
    const gained = [below, [30, 'result', 200]] as const
    expect(drawdownOf([[400, 600, 600]], gained)).toBe(0)
    expect(
      drawdownOf(
        [
          [400, 600, 600],
          [540, 600, 600],
        ],
        gained,
      ),
    ).toBe(100_000)
  })

  it('is total where nothing was left for a moment, and the return is not', () => {
    const days = recordOf([[-10, 1_000, 1_000]])
    expect(windowFigures('all', { days, closed: [], open: [] })).toMatchObject({
      drawdown: 1_000_000,
      rate: 0,
    })
  })

  it('has the fall before midnight on the day that ends', () => {
    const hours = [...Array.from({ length: 23 }, () => null), [750, 1_000, 1_000], null] as const
    expect(recordOf(hours).map(({ lowest }) => lowest)).toEqual([(GROWTH_UNIT * 3n) / 4n, GROWTH_UNIT])
  })
})

describe('the figures of a window', () => {
  it('count only its days, from the growth before them', () => {
    const days = [day(0, 200), ...Array.from({ length: 21 }, (_, index) => day(index + 1, 220))]
    const sources = { days, closed: [], open: [] }
    expect(windowFigures('threeWeeks', sources)).toMatchObject({ rate: 100_000, days: 21 })
    expect(windowFigures('all', sources)).toMatchObject({ rate: 1_200_000, days: 22 })
  })

  it('find the largest fall across days', () => {
    const days = [day(0, 120), day(1, 110), day(2, 130), day(3, 104), day(4, 140)]
    expect(windowFigures('all', { days, closed: [], open: [] }).drawdown).toBe(200_000)
  })

  it('say nothing where nothing can be said', () => {
    expect(windowFigures('all', { days: [day(0, 100)], closed: [], open: [] })).toMatchObject({
      rate: 0,
      winRate: null,
      profitFactor: null,
      averageLeverage: null,
      highestLeverage: null,
    })
  })
})

describe('the default order', () => {
  /** The score of a growth in percent after a fall to another. */
  const score = (growth: number, low = growth, given: Partial<StrategyDay> = {}) =>
    windowFigures('all', { days: [day(0, low), day(1, growth, given)], closed: [], open: [] }).score
  /** From the best to the worst. */
  const inOrder = (...scores: readonly string[]) => {
    expect(scores.toSorted().toReversed()).toEqual(scores)
    expect(new Set(scores).size).toBe(scores.length)
  }

  it('puts gains first, by return / maximum drawdown', () => {
    inOrder(score(120, 90), score(130, 80), score(110, 80), score(101, 50), score(100), score(99))
  })

  it('divides by five percent where the drawdown is smaller', () => {
    expect(score(110, 97)).toBe(score(110))
    expect(score(110, 95)).toBe(score(110))
    inOrder(score(110, 95), score(110, 94))
  })

  it('sorts what made no gain by return alone', () => {
    // The deeper fall does not raise the one that lost more.
    inOrder(score(100), score(95), score(90, 20), score(89), score(0))
    expect(score(90, 20)).toBe(score(90))
  })

  it('compares exact fractions', () => {
    const units = (GROWTH_UNIT * 110n) / 100n
    inOrder(score(110, 110, { growth: units + 1n }), score(110), score(110, 110, { growth: units - 1n }))
    const third = GROWTH_UNIT / 3n
    const fallen = (fallTo: bigint) => score(110, 100, { fallFrom: GROWTH_UNIT, fallTo })
    inOrder(fallen(third + 1n), fallen(third), fallen(third - 1n))
  })

  it('puts a window that began with nothing last', () => {
    const days = [day(0, 0), ...Array.from({ length: 21 }, (_, index) => day(index + 1, 0))]
    const figures = windowFigures('threeWeeks', { days, closed: [], open: [] })
    expect(figures.rate).toBeNull()
    inOrder(score(1), figures.score)
  })
})

describe('a flag', () => {
  const doubling = (count: number) =>
    Array.from({ length: count + 1 }, (_, index) => closed({ lots: 100 * 2 ** index, result: usd(-1) }))

  it('marks lots that are raised after losses, from five times on', () => {
    expect(flags(doubling(5))).toEqual(['raisesAfterLosses'])
    expect(flags(doubling(4))).toEqual([])
  })

  it('does not mark lots raised after gains, or on another instrument', () => {
    expect(flags(doubling(6).map((order) => ({ ...order, result: usd(1) })))).toEqual([])
    expect(flags(doubling(6).map((order, index) => ({ ...order, instrumentId: index })))).toEqual([])
  })

  it('judges lots only within a day of a loss, whatever was won in between', () => {
    const after = (ms: number, between: readonly ClosedOrder[] = []) =>
      Array.from({ length: 5 }, (_, round) => {
        const at = round * 10 * DAY_MS
        return [
          closed({ openedAt: at, endedAt: at + 1, lots: 100, result: usd(-1) }),
          ...between.map((one) => ({ ...one, openedAt: at - 1, endedAt: at + 2 })),
          closed({ openedAt: at + 1 + ms, endedAt: at + 2 + ms, lots: 150 }),
        ]
      }).flat()
    expect(flags(after(DAY_MS))).toEqual(['raisesAfterLosses'])
    expect(flags(after(DAY_MS + 1))).toEqual([])
    expect(flags(after(DAY_MS, [closed({ lots: 1_000 })]))).toEqual(['raisesAfterLosses'])
  })

  it('does not follow an order that opened and closed in one moment by itself', () => {
    const orders = Array.from({ length: 12 }, (_, index) => {
      const at = index * 10 * DAY_MS
      return closed({ openedAt: at, endedAt: at, result: usd(-1) })
    })
    expect(flags([...orders, ...doubling(5)])).toEqual(['raisesAfterLosses'])
  })

  it('marks a loss that is held longer than three times the median', () => {
    const orders = Array.from({ length: 10 }, (_, index) =>
      closed({ openedAt: index * 100, endedAt: index * 100 + 50 }),
    )
    const held = (ms: number, profit: Money) => [{ openedAt: DAY_MS - ms, profit }]
    expect(flags(orders, held(151, usd(-1)))).toEqual(['holdsLosses'])
    expect(flags(orders, held(150, usd(-1)))).toEqual([])
    expect(flags(orders, held(151, usd(1)))).toEqual([])
    expect(flags(orders.slice(9), held(151, usd(-1)))).toEqual(['holdsLosses'])
    expect(flags([], held(151, usd(-1)))).toEqual([])
  })

  it('marks a profit of which one order made more than half', () => {
    const of = (best: number, gains: number) => [
      day(0, 100, { orders: 2, gains: usd(gains), best: usd(best) }),
    ]
    expect(flags([], [], of(51, 100))).toEqual(['oneOrder'])
    expect(flags([], [], of(50, 100))).toEqual([])
    expect(flags([], [], [day(0, 100, { orders: 1, gains: usd(1), best: usd(1) })])).toEqual(['oneOrder'])
    expect(flags([], [], [day(0, 100, { orders: 2, gains: usd(5), losses: usd(5), best: usd(5) })])).toEqual(
      [],
    )
  })

  it('marks an average leverage above 20', () => {
    const of = (leverage: bigint) => [day(0, 100, { exposedMs: 1_000, leverageMs: leverage * 1_000n })]
    expect(flags([], [], of(20_000_001n))).toEqual(['highLeverage'])
    expect(flags([], [], of(20_000_000n))).toEqual([])
  })
})

describe('what copiers got', () => {
  const UP_TO = 30 * DAY_MS
  const copy = (result: number, startedAt = 0, endedAt: number | null = null) => ({
    putIn: usd(100),
    result: usd(result),
    startedAt,
    endedAt,
  })

  it('is their total, the share in profit and the median return', () => {
    expect(copiersFigures([copy(10), copy(-5), copy(-20), copy(1)], 'all', UP_TO)).toEqual({
      copiersResult: usd(-14),
      copiersInProfit: 500_000,
      copiersMedian: -20_000,
    })
  })

  it('has the median of copies of at least a week only', () => {
    const week = 7 * DAY_MS
    const copies = [
      copy(10, UP_TO - week),
      copy(90, UP_TO - week + 1),
      copy(20, week, 2 * week),
      copy(90, week + 1, 2 * week),
    ]
    expect(copiersFigures(copies, 'all', UP_TO)).toMatchObject({
      copiersResult: usd(210),
      copiersMedian: 150_000,
    })
    expect(copiersFigures([copy(90, UP_TO)], 'all', UP_TO)).toMatchObject({
      copiersInProfit: 1_000_000,
      copiersMedian: null,
    })
  })

  it('leaves out copies that ended before the window', () => {
    expect(copiersFigures([copy(10, 0, DAY_MS), copy(-5)], 'threeWeeks', UP_TO).copiersResult).toBe(usd(-5))
    expect(copiersFigures([], 'all', UP_TO)).toEqual({
      copiersResult: usd(0),
      copiersInProfit: null,
      copiersMedian: null,
    })
  })
})
