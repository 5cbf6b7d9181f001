import { mutationsOf, type Mutation } from '../mutation.ts'

const core = (name: string, ...mutations: readonly (readonly [string, string, string])[]): Mutation[] =>
  mutationsOf(`packages/core/src/${name}`, ...mutations)

const DUE: readonly Mutation[] = [
  ...core(
    'accounts/due-work.ts',
    [
      'openRollover < sweep.waiting',
      'openRollover <= sweep.waiting',
      'A rollover is completed while a position waits for its price.',
    ],
    [
      "(account.status !== 'active' || instruments",
      '(instruments',
      'Pending orders of a restricted account are not cancelled.',
    ],
    [
      'triggers.isAnyExpired(at) ||\n    alerts',
      'alerts',
      'Expired orders that a slice left over are not due work.',
    ],
  ),
  ...core('engine/due-moments.ts', [
    'a.moment - b.moment || a.rank - b.rank || a.key - b.key',
    'b.rank - a.rank || b.key - a.key',
    'Due moments are reported in the wrong order.',
  ]),
  ...core(
    'engine/evolve.ts',
    ['event.receipt.ruleVersion === 1 ? at : event.rollover', 'at', 'A rollover is dated by its booking.'],
    ['state.lastRollover = moment', 'void moment', 'A rollover is recorded repeatedly.'],
  ),
  ...core('orders/trailing-stop.ts', [
    'stopAtDistance(order.side, closingPrice(order.side, tick)',
    "stopAtDistance(order.side, order.side === 'buy' ? tick.ask : tick.bid",
    'A trailing stop follows the wrong side of the quote.',
  ]),
]

const CASES: readonly Mutation[] = [
  ...core(
    'payments/decide-case.ts',
    ['money(amount - fee), {', 'amount, {', 'A withdrawal pays out its fee as well.'],
    [
      'withdrawable(figuresOf(state, account))\n  return amount > most',
      'account.available.balance\n  return amount > most',
      'A withdrawal may take the margin of positions.',
    ],
    [
      'if (held.accountId !== account.id) return',
      'if (held.accountId === 0) return',
      "A user can cancel another user's withdrawal.",
    ],
    [
      'state.settings.fourEyesLimit && by.id === askedBy',
      'state.settings.fourEyesLimit && by.id === 0',
      'The requester of an adjustment may approve it.',
    ],
    [
      '|| isConfirmed(by)) return null',
      '|| by.second === null) return null',
      'Large sums need no second operator.',
    ],
  ),
  ...core(
    'payments/decide-case.ts',
    [
      "  if (held.status !== 'held') return reject('withdrawalApproved', { caseId })\n  return [releaseEvent",
      '  return [releaseEvent',
      'An approved withdrawal can be cancelled.',
    ],
    [
      "approvedBy === by.id ? reject('sameOperator') : null",
      'null',
      'The approver of a withdrawal may pay it.',
    ],
  ),
  ...core('payments/evolve-case.ts', [
    '  if (!cases.delete(id)) throw',
    '  if (!cases.has(id)) throw',
    'A case can be decided twice.',
  ]),
  ...core('model/author.ts', [
    'by.second !== null && by.second.id !== by.id',
    'by.second !== null',
    'The second operator may be the first one.',
  ]),
]

const TERMS: readonly Mutation[] = [
  ...core(
    'terms/change-terms.ts',
    [
      'effectiveAt < noticeEnd(state, change, at) ?',
      'effectiveAt < at ?',
      'Adverse terms take effect without notice.',
    ],
    [
      'MAY_CONFIRM_LIMITS.includes(by.second.role)',
      'by.second.id !== 0',
      'Two dealers raise the four-eyes limit.',
    ],
    [
      'rules < 3 ? [] : announcedAfter(state, change, effectiveAt)',
      '[]',
      'An announced change undoes what was decided after it.',
    ],
    [
      ' || state.conversionPaths.get(other)?.some((leg) => leg.instrument.id === id)',
      '',
      'The decimals of a pair that converts open orders can change.',
    ],
  ),
  ...core(
    'terms/adverse-terms.ts',
    [
      'after.sell < before.sell',
      'after.sell > before.sell',
      'A worse swap rate for sell positions needs no notice.',
    ],
    ['if (isOpen) left -= changesAt - moment', 'left -= changesAt - moment', 'Closed hours count as notice.'],
  ),
  ...core(
    'terms/change-terms.ts',
    [
      'if (event.effectiveAt > at) state',
      'if (event.effectiveAt > at + 1) state',
      'Terms announced for the next millisecond take effect at once.',
    ],
    [
      '  for (const account of state.accounts.values()) if (account.margin > 0n) dirtyAccounts.add(account.id)\n',
      '',
      'After a new stop-out level the old stop-out prices are watched.',
    ],
    [
      '      if (!change.instrument.isEnabled) needSweep(core.sweep)\n',
      '',
      'Pending orders of a disabled instrument are not cancelled.',
    ],
  ),
  ...core('accounts/decide-account.ts', [
    "status === 'frozen' && !isAlways",
    "status === 'frozen' && !OPENING.has(type)",
    'A frozen account can open positions and not close them.',
  ]),
]

/** Mutations of due work, money cases and terms. */
export const TERMS_MUTATIONS: readonly Mutation[] = [...DUE, ...CASES, ...TERMS]
