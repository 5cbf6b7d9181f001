import { mutationsOf, type Mutation } from '../mutation.ts'

const SERVER = 'apps/server/src'
const TESTS = ['withdrawals.wire', 'deposits.wire', 'receiving-methods.wire', 'money-races.wire'] as const

/** Mutations of deposits and withdrawals, each with the test file that must catch it. */
const money = (
  name: string,
  test: (typeof TESTS)[number],
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] =>
  mutationsOf(`${SERVER}/${name}`, ...mutations).map((mutation) => ({
    ...mutation,
    tests: [`${SERVER}/funds/desk/${test}`],
  }))

export const PAYMENT_MUTATIONS: readonly Mutation[] = [
  ...money(
    'funds/withdrawals.ts',
    'withdrawals.wire',
    [
      'method?.currency_id === currency.id',
      'method !== undefined',
      'A withdrawal is paid to a receiving method in another currency.',
    ],
    ['if (waitMs > 0)', 'if (waitMs > 1e9)', 'A new receiving method can be used without its waiting time.'],
  ),
  ...money('funds/deposits.ts', 'deposits.wire', [
    'if (picture.usedBy !== null)',
    'if (picture.usedBy === picture.key)',
    'One picture is accepted as proof of two deposits.',
  ]),
  ...money('funds/desk/deposit-decisions.ts', 'deposits.wire', [
    'const arrived = { amount,',
    'const arrived = { amount: sent.amount,',
    'A deposit is credited with the reported amount, not the amount that arrived.',
  ]),
]
