import { bugsOf, type Bug } from './bug.ts'

const GUARD = bugsOf(
  'packages/core/src/market/tick-guard.ts',
  [
    'isWithinBand(instrument, tick, first) &&\n  (tick.source !== first.source || tick.time >= first.time + CONFIRM_AFTER_MS)',
    'isWithinBand(instrument, tick, first)',
    'A bad tick delivered twice confirms itself.',
  ],
  [
    'first.time + CONFIRM_AFTER_MS',
    'first.time + CONFIRM_AFTER_MS - 1',
    'A tick confirms another a hair too soon after it.',
  ],
  ['tick.source !== first.source || ', '', 'A second source confirms nothing.'],
  [
    'isAfterGap ? GAP_BANDS : 1n',
    'GAP_BANDS',
    'Ten bands are given to every tick, not only to the first after a gap.',
  ],
  [
    "if (isOutOfBounds(instrument, tick, reference)) return 'outOfBounds'",
    "if (isOutOfBounds(instrument, tick, reference) && !memory.isReopening) return 'outOfBounds'",
    'After a jump or a takeover a price without any bounds is accepted.',
  ],
  [
    '!instrument.allowsNegativePrice && BOUNDS_FACTOR * mid < doubleMid(reference)',
    'false',
    'A price below a tenth of the last is only suspect.',
  ],
  [
    'if (!own || !isWithinBand(instrument, tick, own)) held.set',
    'held.set',
    'The newest of a row of suspects is to be confirmed, so a busy source never is.',
  ],
  [
    'for (const [source, { arrivedAt }] of held) if (arrivedAt < opened) held.delete(source)',
    '',
    'A tick held before the market closed confirms one after it opened.',
  ],
  [
    '  memory.last = quote\n  memory.reference = quote\n}\n\n/** Numbers',
    '  memory.last = quote\n}\n\n/** Numbers',
    'After a restart the first price is measured by the seed.',
  ],
)

const MARK_UP: readonly Bug[] = [
  ...bugsOf(
    'packages/core/src/market/mark-up.ts',
    [
      'ask: price(quote.ask + ticks)',
      'ask: quote.ask',
      'A mark-up is taken from one side only, so the mid moves.',
    ],
    ['bid - lowest', 'Infinity', 'A mark-up brings a price to zero.'],
  ),
  ...bugsOf('apps/server/src/verify/mark-up-figures.ts', [
    'ticks.includes(found) ? found : (ticks[0] ?? 0)',
    'found',
    'Verify believes any mark-up.',
  ]),
  ...bugsOf('apps/server/src/feeds/source-order.ts', [
    'if (line.slice(0, rank).some(isFresh)) return false',
    '',
    'A source takes over from a better one that has just spoken.',
  ]).map((bug) => ({ ...bug, tests: ['apps/server/src/feeds'] })),
]

const MONEY: readonly Bug[] = [
  ...bugsOf(
    'packages/core/src/money/booking-range.ts',
    ['absolute(amount) <= MAX_AMOUNT', 'amount <= MAX_AMOUNT', 'A loss of any size is booked.'],
    [
      'return absolute(balance) <= MAX_BALANCE',
      'return true',
      'A balance may grow past what its column holds.',
    ],
  ),
  ...bugsOf('packages/core/src/overnight/overnight-swap.ts', [
    'return canBook(state, [booked]) ? booked : { ...waiting, isTooLarge: true }',
    'return booked',
    'A night too large to book is skipped for good.',
  ]),
]

const CLOCK_TESTS = ['apps/server/src/feeds', 'apps/server/src/market/clock-steps.wire.test.ts']

const CLOCK: readonly Bug[] = [
  ...bugsOf(
    'apps/server/src/feeds/clock.ts',
    ['lead > STEP_MS', 'Math.abs(lead) > STEP_MS', 'The market clock goes back with the machine’s.'],
    [
      'return isByWall ? time + market - wall : time',
      'return time',
      'A source set back with the machine is out of order.',
    ],
  ).map((bug) => ({ ...bug, tests: CLOCK_TESTS })),
]

export const PRICE_BUGS: readonly Bug[] = [...GUARD, ...MARK_UP, ...MONEY, ...CLOCK]
