import { bugsOf, type Bug } from './bug.ts'

const core = (name: string, ...bugs: readonly (readonly [string, string, string])[]): Bug[] =>
  bugsOf(`packages/core/src/${name}`, ...bugs)

const DUE: readonly Bug[] = [
  ...core(
    'due-work/sweep.ts',
    [
      'night < sweep.waiting',
      'night <= sweep.waiting',
      'A night is called over while a position waits for its price.',
    ],
    [
      "(account.status !== 'active' || instruments",
      '(instruments',
      'Pending orders of a restricted account go on waiting for their price.',
    ],
    [
      '(sweep.isNeeded || triggers.isAnyExpired(at))',
      'sweep.isNeeded',
      'Orders past their expiry that a clock left over are not told of.',
    ],
  ),
  ...core('due-work/due-moments.ts', [
    'a.moment - b.moment || a.changeId - b.changeId',
    'b.changeId - a.changeId',
    'Moments are told in the wrong order.',
  ]),
  ...core(
    'evolve.ts',
    ['event.receipt.ruleVersion === 1 ? at : event.rollover', 'at', 'A night is dated with its booking.'],
    [
      'price(closingPrice(order.side, tick) - direction',
      'price(openingPrice(order.side, tick) - direction',
      'A trailing stop follows the wrong side of the quote.',
    ],
    ['state.lastNight = moment', 'void moment', 'A night is marked again and again.'],
  ),
]

const CASES: readonly Bug[] = [
  ...core(
    'payments/decide-case.ts',
    ['money(amount - fee), {', 'amount, {', 'A withdrawal pays out its fee as well.'],
    [
      'withdrawable(figuresOf(state, account))\n  return amount > most',
      'account.available.balance\n  return amount > most',
      'A withdrawal takes money that positions need.',
    ],
    [
      'if (held.accountId !== account.id) return',
      'if (held.accountId === 0) return',
      'Anybody cancels the withdrawals of others.',
    ],
    [
      'state.settings.fourEyesLimit && by.id === askedBy',
      'state.settings.fourEyesLimit && by.id === 0',
      'Who asks for an adjustment may approve it.',
    ],
    [
      '|| isConfirmed(by)) return null',
      '|| by.second === null) return null',
      'Large sums need no second person.',
    ],
  ),
  ...core('payments/evolve-case.ts', [
    '      if (!state.cases.delete(id)) throw',
    '      if (!state.cases.has(id)) throw',
    'A case can be ended again.',
  ]),
  ...core('author.ts', [
    'by.second !== null && by.second.id !== by.id',
    'by.second !== null',
    'The second person may be the first one again.',
  ]),
]

const TERMS: readonly Bug[] = [
  ...core(
    'terms/decide-terms.ts',
    ['notice < state.settings.noticeMs', 'notice < 0', 'Dearer terms hold without notice.'],
    [
      'after.swapRate.sell < before.swapRate.sell',
      'after.swapRate.sell > before.swapRate.sell',
      'A dearer night for sellers needs no notice.',
    ],
    [
      ' || state.conversionPaths.get(other)?.some((leg) => leg.instrument.id === id)',
      '',
      'A pair that converts living orders changes its decimals.',
    ],
  ),
  ...core(
    'terms/evolve-terms.ts',
    [
      'if (event.effectiveAt > at) state',
      'if (event.effectiveAt > at + 1) state',
      'Terms announced for the next millisecond hold at once.',
    ],
    [
      '  for (const account of state.accounts.values()) if (account.margin > 0n) touched.add(account.id)\n',
      '',
      'A new stop-out level leaves everybody watched at the old one.',
    ],
    [
      '      if (!change.instrument.isEnabled) needSweep(core.sweep)\n',
      '',
      'Pending orders of an instrument that was switched off stay.',
    ],
  ),
  ...core('accounts/decide-status.ts', [
    "status === 'frozen' && !ALWAYS.has(type)",
    "status === 'frozen' && OPENING.has(type)",
    'A frozen account closes and moves stops.',
  ]),
]

/** Bugs of what time makes due, of money cases and of terms. */
export const TERMS_BUGS: readonly Bug[] = [...DUE, ...CASES, ...TERMS]
