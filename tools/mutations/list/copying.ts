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
      'money(divideRounded(mark * (basis - amount), basis))',
      'money(mark - amount)',
      'The high-water mark falls by the amount taken out.',
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
      "if (copy.status !== 'running') return skipped('copyPaused')",
      "if (copy.status !== 'running') return skipped('noPrice')",
      'A paused copy gives another reason.',
    ],
    [
      "if (worth > equity * BigInt(copy.exposureLimit)) return skipped('exposureLimit')",
      '',
      'A copy opens beyond its exposure limit.',
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
      'const fee = figures && due <= withdrawable(figures) ? due : NO_MONEY',
      'const fee = figures ? due : NO_MONEY',
      'The fee of a month is taken out of used margin.',
    ],
    [
      'carriedLoss: lossBelowMark(copy, balance)',
      'carriedLoss: NO_MONEY',
      'A loss is not carried into the next copy.',
    ],
  ),
  ...copying('engine/follow-provider.ts', [
    'if (account.orders.size === 0) yield* decideCopyStopLoss(core, account, at)',
    '',
    'A copy without positions is not checked for its stop loss.',
  ]),
  ...copying('engine/transact.ts', [
    'return account !== undefined && account.copy === null && account.copiers.length === 0',
    'return account !== undefined',
    'A copy trades while others still follow.',
  ]),
]
