import { mutationsOf, type Mutation } from '../mutation.ts'

const copying = (name: string, ...mutations: readonly (readonly [string, string, string])[]): Mutation[] =>
  mutationsOf(`packages/core/src/${name}`, ...mutations)

/** Mistakes in copying: sizes, order of fills, fees, marks and reasons. */
export const COPYING_MUTATIONS: readonly Mutation[] = [
  ...copying(
    'copying/copied-volume.ts',
    [
      'lots(Number((steps > most ? most : steps) * step))',
      'lots(Number((steps > most ? most : steps + 1n) * step))',
      'The lots of a copy are rounded up.',
    ],
    [
      '(2n * numerator + denominator - 1n)',
      '(2n * numerator + denominator)',
      'A half step of a reduced copy goes up.',
    ],
    ['return left < lotMin ? lots(0) : left', 'return left', 'A copy keeps less than the minimum lot.'],
  ),
  ...copying(
    'copying/performance-fee.ts',
    [
      'smaller(balance, equity)',
      'larger(balance, equity)',
      'Open profit pays a performance fee before it is booked.',
    ],
    [
      ': money(divideRounded(mark * (basis - amount), basis))',
      ': money(mark - amount)',
      'At a profit the high-water mark falls by the amount taken out.',
    ],
    [
      '? money(mark - amount)',
      '? money(divideRounded(mark * (basis - amount), basis))',
      'At a loss the high-water mark falls by a part: somebody who has lost may pay a fee.',
    ],
    [
      'equity * 100n <= base * BigInt(stopLoss)',
      'equity * 100n < base * BigInt(stopLoss)',
      'A copy stop loss is not reached at its exact equity.',
    ],
  ),
  ...copying(
    'copying/copied-order.ts',
    [
      "  'accountRestricted',\n  'copyPaused',\n  'instrumentExcluded',\n  'noPrice',\n  'providerEquity',",
      "  'accountRestricted',\n  'instrumentExcluded',\n  'noPrice',\n  'copyPaused',\n  'providerEquity',",
      'The first reason against a copied order is not the one that the rules say.',
    ],
    [
      'return total > equity * BigInt(account.copy.exposureLimit)',
      'return false',
      'A copy opens beyond its exposure limit.',
    ],
    [
      'lots: order.lots,\n  equity: order.copyEquity ?? equity,',
      'lots: order.lots,\n  equity,',
      'A copy that starts with open orders sizes each by what the one before left.',
    ],
    [
      'strategyEquity: figuresOf(state, account).equity',
      'strategyEquity: figuresOf(state, account).balance',
      'Copies size by the balance of the provider.',
    ],
  ),
  ...copying(
    'copying/end-copy.ts',
    [
      'const isCharged = figures !== null && due <= withdrawable(figures)',
      'const isCharged = figures !== null',
      'The fee of a month is taken out of used margin.',
    ],
    [
      'carriedLoss: lossBelowMark(copy, balance)',
      'carriedLoss: NO_MONEY',
      'A loss is not carried into the next copy.',
    ],
  ),
  ...copying('copying/evolve-copying.ts', [
    'strategyOf(state, event.accountId).feeShare = event.feeShare',
    'for (const { strategy, copy } of state.accounts.values()) Object.assign(strategy ?? copy ?? {}, { feeShare: event.feeShare })',
    'Another fee of a strategy counts for copies that run.',
  ]),
  ...copying('copying/decide-copy.ts', [
    'provider.strategy.feeShare > feeShown',
    'provider.strategy.feeShare > 300_000',
    'A copy starts at a higher fee than its owner was shown.',
  ]),
  ...copying('engine/follow-provider.ts', [
    '  copiesAmong(state, state.accounts.get(providerId)?.copiers ?? [])',
    '  copiesAmong(state, (state.accounts.get(providerId)?.copiers ?? []).toReversed())',
    'The copies that came last fill first.',
  ]),
  ...copying('engine/follow-provider.ts', [
    'if (account.orders.size === 0) yield* decideCopyStopLoss(core, account, at)',
    '',
    'A copy without positions is not checked for its stop loss.',
  ]),
  ...copying('engine/follow-provider.ts', [
    "if (followsEveryEvent(core.state, account)) yield skippedEvent(account, source, 'notHeld')",
    '',
    'A copy has no row for the end of an order that it does not hold.',
  ]),
  ...copying('engine/evolve.ts', [
    'noteFlows(core, effects.postings)',
    '',
    'A deposit makes the equity before it a fall.',
  ]),
  ...copying('engine/evolve.ts', [
    'if (moment > state.lastPriceSnapshot) providerEquities.ranges.clear()',
    '',
    'The lowest equity of an hour counts in every later one.',
  ]),
  ...copying('copying/equity-range.ts', [
    'ranges.set(accountId, { ...range, emptied: money(before) })',
    'ranges.delete(accountId)',
    'Taking everything out hides the fall before it.',
  ]),
  ...copying('engine/transact.ts', [
    'return account !== undefined && account.copy === null && account.copiers.length === 0',
    'return account !== undefined',
    'A copy trades while others still follow.',
  ]),
]
