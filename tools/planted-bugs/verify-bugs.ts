import { bugsOf, type Bug } from './bug.ts'

const TESTS = ['apps/server/src/verify']

const verify = (name: string, ...bugs: readonly (readonly [string, string, string])[]): Bug[] =>
  bugsOf(`apps/server/src/verify/${name}`, ...bugs).map((bug) => ({ ...bug, tests: TESTS }))

/** Bugs that let verify miss a forgery, or report an honest journal. */
export const VERIFY_BUGS: readonly Bug[] = [
  ...verify(
    'author-figures.ts',
    ['allowed(event).includes(author.type)', 'true', 'Verify lets anybody be the author of anything.'],
    [
      "if (author.type === 'user' && 'accountId' in event)",
      "if (author.type !== 'user' && 'accountId' in event)",
      'Verify lets a user act on the account of somebody else.',
    ],
    [
      "return ['operator', 'clock']",
      "return ['operator']",
      'Verify takes terms that cannot come any more for a forgery.',
    ],
  ),
  ...verify('request-figures.ts', [
    "return [['decision', `refused: ${decided.rejected}`, 'accepted']]",
    'return []',
    'Verify lets users open positions that the terms of then did not allow.',
  ]),
  ...verify('decided-figures.ts', [
    'if (!account || account.exposures.size === 0) return state',
    'if (account) return state',
    'Verify asks for prices that the journal does not have where an account with positions withdraws.',
  ]),
  ...verify(
    'moment-figures.ts',
    ["    ['night', night, next.night],\n", '', 'Verify believes any rate of a night.'],
    [
      '(announced.get(changeId)?.effectiveAt ?? Infinity) <= at',
      'announced.has(changeId)',
      'Verify lets the clock take back announced terms before their time.',
    ],
  ),
  ...verify(
    'market-figures.ts',
    [
      "  [code, isEnabled ? 'on' : 'off', 'on'],\n",
      '',
      'Verify lets positions open on an instrument that is off.',
    ],
    [
      "  ['account status', accounts.get(accountId)?.status, 'active'],\n",
      '',
      'Verify lets positions open on an account that may only close.',
    ],
    ['    soundness(state, tick),\n', '', 'Verify lets stops trail a price that no guard would accept.'],
    [
      "isStoppedOut(state, equity, account.margin) ? 'due'",
      "account ? 'due'",
      'Verify lets positions be stopped out above the level.',
    ],
  ),
  ...verify('rows.ts', [
    'Object.assign(expected.get(id) ?? {}, status)',
    'Object.assign({}, expected.get(id), status)',
    'Verify does not follow what becomes of an account.',
  ]),
]
