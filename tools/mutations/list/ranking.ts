import type { Mutation } from '../mutation.ts'

const AREA = 'apps/server/src/copying'

const ranking = (
  file: string,
  tests: string,
  ...mutations: readonly (readonly [string, string, string])[]
): Mutation[] =>
  mutations.map(([text, replacement, description]) => ({
    file: `${AREA}/${file}`,
    text,
    replacement,
    description,
    tests: [`${AREA}/${tests}`],
  }))

/** Mistakes in the figures of the ranking, and in who sees what of a copy. */
export const RANKING_MUTATIONS: readonly Mutation[] = [
  ...ranking(
    'strategy-figures.ts',
    'ranking.test.ts',
    ['const before = equity - this.#flow', 'const before = equity', 'Money put in counts as a gain.'],
    ['this.#ending(at)]', 'this.#ending(at - 1)]', 'A position counts after its end.'],
    [
      'if (since > this.#shotAt(at)) this.#price(tick)',
      'if (since > at) this.#price(tick)',
      'Equity at a fill uses the prices of the last hour.',
    ],
  ),
  ...ranking(
    'strategy-figures.ts',
    'strategy-figures.test.ts',
    [
      'if (day.highest > peak) peak = day.highest',
      'if (day.highest > peak) peak = start',
      'A drawdown is measured from the start of the window only.',
    ],
    [
      'if (isCounted || before < this.#equity) this.#growth',
      'if (isCounted) this.#growth',
      'Losses below the minimum equity do not count.',
    ],
    [
      'if (this.#equity <= 0n) return',
      '',
      'Money that comes after a withdrawal of everything is a loss of everything.',
    ],
    ['this.#fall(this.#hourPeak, at(lowest))', '', 'A fall between two full hours is not in the drawdown.'],
    [
      'this.#fall(this.#hourPeak, at(lowest))',
      'this.#fall(this.#peak, at(lowest))',
      'The lowest equity of an hour is measured from a gain after it.',
    ],
    [
      'divideRounded(this.#fullGrowth * value, equity)',
      'divideRounded(this.#growth * value, equity)',
      'A gain that does not count makes a fall of what was before it.',
    ],
  ),
  ...ranking('strategy-records.ts', 'ranking.test.ts', [
    '(ofParts.get(record.id) ?? 0n) + swaps - record.fee',
    '0n + swaps - record.fee',
    'The closed parts of a position are left out of its result.',
  ]),
  ...ranking('copies.ts', 'copying.wire.test.ts', [
    "    .where('owner_id', '=', BigInt(userId))\n    .executeTakeFirst()",
    '    .executeTakeFirst()',
    'Anybody reads the log of a copy and closes its positions.',
  ]),
]
