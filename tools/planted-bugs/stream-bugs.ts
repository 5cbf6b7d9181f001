import { bugsOf, type Bug } from './bug.ts'

type Planted = readonly [string, string, string]

const trading = (file: string, ...bugs: readonly Planted[]): Bug[] =>
  bugsOf(`apps/server/src/trading/${file}`, ...bugs).map((bug) => ({
    ...bug,
    tests: ['apps/server/src/trading'],
  }))

const web = (file: string, ...bugs: readonly Planted[]): Bug[] =>
  bugsOf(`apps/web/src/live/${file}`, ...bugs).map((bug) => ({ ...bug, tests: ['apps/web/src/live'] }))

/** Of the private stream, and of the screens that follow it. */
export const STREAM_BUGS: readonly Bug[] = [
  ...trading(
    'private-sequencer.ts',
    ['      line.given = after\n', '', 'Two changes in a row have the same numbers.'],
    [
      'line.turn.then(work).catch(onError)',
      'line.turn.then(work)',
      'After one failure a user is told nothing more.',
    ],
  ),
  ...trading(
    'private-changes.ts',
    ['.add(event.orderId).add(event.partId)', '.add(event.orderId)', 'A closed part is not told.'],
    [
      '  for (const { accountId, orderId } of trailed) of(accountId)?.orderIds.add(orderId)\n',
      '',
      'A stop that follows the price is not told.',
    ],
  ),
  ...bugsOf('apps/server/src/engine/projection/notice-facts.ts', [
    "  notEnoughAtTrigger: 'orderNotFilled',\n",
    '',
    'Nobody says why a pending order was not filled.',
  ]).map((bug) => ({ ...bug, tests: ['apps/server/src/trading'] })),
  ...trading('private-messages.ts', [
    '  (change.closedIds.length > 0 ? 1 : 0) +\n',
    '',
    'The end of a position has the number of the money.',
  ]),
  ...web(
    'requests/change.ts',
    [
      'if (known?.payload === payload) return known.name',
      'if (known) return known.name',
      'A changed form is sent under the name of the one before.',
    ],
    ['    requestIds.done(subject)\n', '', 'The same change made again on purpose has no effect.'],
  ),
  ...web('account/order-pages.ts', [
    'if (!isAllLoaded && last && compareIn(list)(last, order) < 0) return null',
    '',
    'An order that was not loaded is counted twice.',
  ]),
  ...web('market/market-state.ts', [
    'isOpen: listing.isOpen && haltReason === null',
    'isOpen: listing.isOpen',
    'A halted market is shown as open.',
  ]),
]
