import { bugsOf, type Bug } from './bug.ts'

const SERVER = 'apps/server/src'
const TESTS = ['withdrawals.wire', 'deposits.wire', 'receiving-methods.wire', 'money-races.wire'] as const

/** Bugs of money that comes and goes, each with the one file of tests that looks there. */
const money = (
  name: string,
  test: (typeof TESTS)[number],
  ...bugs: readonly (readonly [string, string, string])[]
): Bug[] =>
  bugsOf(`${SERVER}/${name}`, ...bugs).map((bug) => ({
    ...bug,
    tests: [`${SERVER}/desk/money/${test}`],
  }))

export const MONEY_BUGS: readonly Bug[] = [
  ...money(
    'funds/withdrawals.ts',
    'withdrawals.wire',
    ["    .where('approved_at', 'is', null)\n", '', 'A withdrawal that is approved can be taken back.'],
    [
      'method?.currency_id === currency.id',
      'method !== undefined',
      'A withdrawal is paid to a method of another currency.',
    ],
    ['if (waitMs > 0)', 'if (waitMs > 1e9)', 'A method that was bound just now is paid to.'],
  ),
  ...money('funds/deposits.ts', 'deposits.wire', [
    'if (picture.usedBy !== null)',
    'if (picture.usedBy === picture.key)',
    'One picture is the proof of two deposits.',
  ]),
  ...money('desk/money/deposit-decisions.ts', 'deposits.wire', [
    "outcome: 'finished', amount },\n    )",
    "outcome: 'finished', amount: found.told },\n    )",
    'A deposit is credited as it was told, not as it arrived.',
  ]),
  ...money(
    'desk/money/withdrawal-decisions.ts',
    'money-races.wire',
    [
      'if (underWay.has(id)) return',
      'if (underWay.has(-id)) return',
      'Of two who pay at once the later writes its number over the one that paid.',
    ],
    [
      "row('taken_back_at', '<', BigInt(wallClock() - TAKING_BACK_MS)),",
      '',
      'What a crash left half taken back is never approved any more.',
    ],
  ),
]
