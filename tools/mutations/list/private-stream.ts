import { mutationsOf, type Mutation } from '../mutation.ts'

type Replacement = readonly [string, string, string]

const trading = (file: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(`apps/server/src/trading/${file}`, ...mutations).map((mutation) => ({
    ...mutation,
    tests: ['apps/server/src/trading'],
  }))

const web = (file: string, ...mutations: readonly Replacement[]): Mutation[] =>
  mutationsOf(`apps/web/src/live/${file}`, ...mutations).map((mutation) => ({
    ...mutation,
    tests: ['apps/web/src/live'],
  }))

/** Mutations of the private stream, and of the screens that follow it. */
export const STREAM_MUTATIONS: readonly Mutation[] = [
  ...trading(
    'private-sequencer.ts',
    ['      queue.assigned = after\n', '', 'Two successive changes have the same numbers.'],
    [
      'queue.tail.then(work).catch(onError)',
      'queue.tail.then(work)',
      'After one failure a user receives nothing more.',
    ],
  ),
  ...trading(
    'private-stream.ts',
    ['.add(event.orderId).add(event.partId)', '.add(event.orderId)', 'A closed part is not published.'],
    [
      '  for (const { accountId, orderId } of trailed) of(accountId)?.orderIds.add(orderId)\n',
      '',
      'A moved trailing stop is not published.',
    ],
  ),
  ...mutationsOf('apps/server/src/engine/projection/notice-facts.ts', [
    "  notEnoughAtTrigger: 'orderNotFilled',\n",
    '',
    'There is no notice why a pending order was not filled.',
  ]).map((mutation) => ({ ...mutation, tests: ['apps/server/src/trading'] })),
  ...trading('private-stream.ts', [
    '  (change.closedIds.length > 0 ? 1 : 0) +\n',
    '',
    'The close of a position has the sequence number of the funds message.',
  ]),
  ...web(
    'requests/change.ts',
    [
      'if (known?.payload === payload) return known.id',
      'if (known) return known.id',
      'A changed form is sent with the request id of the previous one.',
    ],
    ['    requestIds.done(subject)\n', '', 'The same change made again intentionally has no effect.'],
  ),
  ...web('account/orders.ts', [
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
