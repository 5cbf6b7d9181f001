import { mutationsOf, type Mutation } from '../mutation.ts'

const GUARD = mutationsOf(
  'packages/core/src/market/tick-guard.ts',
  [
    'isWithinBand(instrument, tick, first) && isAnother(tick, first)',
    'isWithinBand(instrument, tick, first)',
    'A bad tick delivered twice confirms itself.',
  ],
  [
    'first.time + CONFIRM_AFTER_MS',
    'first.time + CONFIRM_AFTER_MS - 1',
    'A tick confirms another one millisecond too soon.',
  ],
  ['tick.source !== first.source || ', '', 'A second source does not confirm a tick.'],
  [
    'isReopening || (last !== null && last.receivedAt < (openSince ?? -Infinity)) ? GAP_BANDS : 1n',
    'GAP_BANDS',
    'Every tick may move ten bands, not only the first after a gap.',
  ],
  [
    "if (market && !isNearAdmitted && isOutOfBounds(instrument, tick, market)) return 'outOfBounds'",
    "if (market && !isNearAdmitted && isOutOfBounds(instrument, tick, market) && !memory.isReopening) return 'outOfBounds'",
    'After a jump or a change of source a price out of bounds is accepted.',
  ],
  [
    '!instrument.allowsNegativePrice && BOUNDS_FACTOR * mid < doubleMid(reference)',
    'false',
    'A price below a tenth of the last is only suspect.',
  ],
  [
    'if (!own || !isWithinBand(instrument, tick, own)) held.set',
    'held.set',
    'Each suspect tick replaces the one before, so that a fast source is never confirmed.',
  ],
  [
    'for (const [source, { arrivedAt }] of held) if (arrivedAt < opened) held.delete(source)',
    '',
    'A tick held before the market closed confirms one after it opened.',
  ],
  [
    '  memory.last = quote\n  memory.reference = quote\n  memory.market = quote\n}\n\n/** Numbers',
    '  memory.last = quote\n}\n\n/** Numbers',
    'After a restart the first price is checked against the seed.',
  ],
)

const MARK_UP: readonly Mutation[] = [
  ...mutationsOf(
    'packages/core/src/market/mark-up.ts',
    [
      'ask: price(quote.ask + ticks)',
      'ask: quote.ask',
      'A mark-up is applied to one side only, so the mid moves.',
    ],
    ['bid - lowest', 'Infinity', 'A mark-up moves a price to zero.'],
  ),
  ...mutationsOf('apps/server/src/verify/price-figures.ts', [
    'ticks.includes(found) ? found : (ticks[0] ?? 0)',
    'found',
    'Verify accepts any mark-up.',
  ]),
  ...mutationsOf('apps/server/src/market/feeds/feed-router.ts', [
    'if (ordered.slice(0, rank).some(isFresh)) return false',
    '',
    'A source takes over from a preferred one that is still fresh.',
  ]).map((mutation) => ({ ...mutation, tests: ['apps/server/src/market/feeds'] })),
]

const MONEY: readonly Mutation[] = [
  ...mutationsOf(
    'packages/core/src/money/booking-range.ts',
    ['absolute(amount) <= MAX_AMOUNT', 'amount <= MAX_AMOUNT', 'A loss of any size is booked.'],
    [
      'return absolute(balance) <= MAX_BALANCE',
      'return true',
      'A balance may exceed the range of its column.',
    ],
  ),
  ...mutationsOf('packages/core/src/money/overnight-swap.ts', [
    'return canBook(state, [booked]) ? booked : { ...waiting, isTooLarge: true }',
    'return booked',
    'A rollover too large to book is skipped for good.',
  ]),
]

const CLOCK_TESTS = ['apps/server/src/market/feeds', 'apps/server/src/market/clock-steps.wire.test.ts']

const CLOCK: readonly Mutation[] = mutationsOf(
  'apps/server/src/market/feeds/clock.ts',
  ['lead > STEP_MS', 'Math.abs(lead) > STEP_MS', 'The market clock goes back with the machine’s.'],
  [
    'return isByWall ? time + market - wall : time',
    'return time',
    'Ticks of a source are out of order after the machine clock was set back.',
  ],
).map((mutation) => ({ ...mutation, tests: CLOCK_TESTS }))

export const PRICE_MUTATIONS: readonly Mutation[] = [...GUARD, ...MARK_UP, ...MONEY, ...CLOCK]
