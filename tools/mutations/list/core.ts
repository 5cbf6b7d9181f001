import { mutationsOf, type Mutation } from '../mutation.ts'

const core = (name: string, ...mutations: readonly (readonly [string, string, string])[]): Mutation[] =>
  mutationsOf(`packages/core/src/${name}`, ...mutations)

const AMOUNTS: readonly Mutation[] = [
  ...core(
    'money/margin-fee-profit.ts',
    [
      'divideRounded(notional.numerator, notional.denominator * BigInt(position.leverage))',
      'divideRounded(notional.numerator, notional.denominator)',
      'Margin is not divided by the leverage.',
    ],
    [
      'money(divideRounded(size.margin * rate, RATIO_SCALE))',
      'money((size.margin * rate) / RATIO_SCALE)',
      'The fee is truncated instead of rounded.',
    ],
    [
      'const move = BigInt(direction(terms.side)) * (',
      'const move = (',
      'A sell position gains when a buy position would.',
    ],
    [
      'BigInt(quote.ask) * exposure.shortLots',
      'BigInt(quote.bid) * exposure.shortLots',
      'The open profit of sell positions is computed at the bid.',
    ],
  ),
  ...core('model/rounding.ts', [
    '-((-numerator + half) / denominator)',
    '(numerator + half) / denominator',
    'Amounts below zero are rounded towards zero.',
  ]),
  ...core(
    'model/decimal.ts',
    [
      'text === value || significantDigits(text) <= SAFE_DIGITS',
      'true',
      'A JSON number that lost digits is taken as exact.',
    ],
    ['units / tens === value && ', '', 'A JSON number with too many digits is rounded instead of rejected.'],
    [
      'Math.abs(Number(units)) < SAFE_UNITS && ',
      '',
      'A decimal of more than 15 digits is written as an inexact number.',
    ],
    [
      'rescale(units, length, decimals) : units',
      'units / powerOfTen(length - decimals) : units',
      'Surplus digits of a tick are truncated.',
    ],
  ),
  ...core('model/currency-conversion.ts', [
    'isInverse ? invert(mid) : mid',
    'mid',
    'An inverse pair converts the wrong way.',
  ]),
  ...core(
    'money/overnight-swap.ts',
    ['DAYS_A_YEAR = 360n', 'DAYS_A_YEAR = 365n', 'Swap counts 365 days a year.'],
    [
      'BigInt(position.yearlyRate) * BigInt(position.nights)',
      'BigInt(position.yearlyRate)',
      'Three rollovers at once cost as much as one.',
    ],
    ['=== tripleSwapDay ? 3 : 1', '=== tripleSwapDay ? 1 : 1', 'The triple day counts one rollover.'],
    [
      'order.financedAt < rollover',
      'order.financedAt <= rollover',
      'An interrupted rollover is booked again for positions that already had it.',
    ],
    [
      'yearlyRate: rate[order.side]',
      'yearlyRate: rate.buy',
      'Sell positions are charged swap at the rate of buy positions.',
    ],
    [
      'convert(path, (id) => openRollover.prices.get(id))',
      'convert(path, (id) => state.quotes.get(id))',
      'A rollover is converted at the prices of its booking.',
    ],
    ['order.openedAt < rollover', 'true', 'A position pays for the rollover before it was opened.'],
  ),
]

const FILLS: readonly Mutation[] = [
  ...core(
    'model/quote.ts',
    ["side === 'buy' ? quote.ask : quote.bid", 'quote.ask', 'Sell positions open at the ask.'],
    [
      'at - quote.receivedAt <= freshnessMs',
      'at - quote.receivedAt <= 2 * freshnessMs',
      'A price fills twice as long as it may.',
    ],
  ),
  ...core('model/receipt.ts', [
    "fill.deal === 'buy' ? fill.requestedPrice",
    "fill.deal === 'sell' ? fill.requestedPrice",
    'A receipt reports worse prices as better.',
  ]),
  ...core('orders/decide-place.ts', [
    'cost.margin + cost.fee > free',
    'cost.margin > free',
    'A position opens without enough money for its fee.',
  ]),
  ...core(
    'orders/fill.ts',
    [
      'closeResult(account, { ...order, lots: fill.lots, margin }, fill)',
      'closeResult(account, { ...order, margin }, fill)',
      'A part takes the profit of the whole position.',
    ],
    [
      "const result = transferBetween(user, brokerAccountOf(account.ledger, 'trading')",
      "const result = transferBetween(user, brokerAccountOf(account.ledger, 'fees')",
      'Results are booked against the fee account; all sums still agree.',
    ],
    [
      'isLastPosition(account) ? money(-(account.available.balance + profit)) : NO_MONEY',
      'money(-(account.available.balance + profit))',
      'A shortfall is covered while other positions are open.',
    ],
    [
      'exposures.size === 1 && only?.count === 1',
      'exposures.size === 1 && only !== undefined',
      'With several positions on one instrument each counts as the last.',
    ],
  ),
  ...core('orders/order-rules.ts', [
    'Math.floor((held - lotMin) / lotStep)',
    'Math.floor((held - lotStep) / lotStep)',
    'A partial close leaves a remainder below the minimum size.',
  ]),
  ...core('accounts/decide-account.ts', [
    'money((start ?? state.settings.demoBalance) - account.available.balance - returned)',
    'money((start ?? state.settings.demoBalance) - returned)',
    'A demo reset adds the starting balance instead of restoring it.',
  ]),
]

const BOOKS: readonly Mutation[] = [
  ...core('model/ledger.ts', [
    '  credit.entryCount += 1\n',
    '',
    'The receiving side of a transfer does not count it.',
  ]),
  ...core('state/running-core.ts', [
    'sign * (order.margin + order.fee)',
    'sign * order.margin',
    'A pending order reserves no fee.',
  ]),
  ...core(
    'engine/evolve.ts',
    [
      '  order.margin = money(order.margin - event.margin)\n',
      '',
      'A partial close does not release its margin.',
    ],
    [
      '      core.dirtyAccounts.add(event.accountId)\n',
      '',
      'After a change of balance the old stop-out prices are watched.',
    ],
  ),
]

const TRIGGERS: readonly Mutation[] = [
  ...core('state/level-heap.ts', [
    'this.#keyAt(slot) > reached',
    'this.#keyAt(slot) >= reached',
    'A trigger above the market does not fire exactly at its price.',
  ]),
  ...core('state/trigger-book.ts', [
    "trigger.kind === 'target' ? 1 : 0",
    "trigger.kind === 'target' ? 0 : 0",
    'Pending orders may fill before the stops of the same tick.',
  ]),
  ...core(
    'orders/decide-trigger.ts',
    [
      '  if (order.openedSeq === quote.seq) return null\n',
      '',
      'A stop fires on the tick that opened its position.',
    ],
    ['.free + order.margin + order.fee', '.free', 'A pending order may not use what was reserved for it.'],
  ),
  ...core(
    'model/trailing-stop.ts',
    [
      "side === 'buy' ? larger(stopLoss, started) : smaller(stopLoss, started)",
      'started',
      'Starting to trail may move a stop further away.',
    ],
    [
      'order.stopLoss - order.trailingDistance - 1',
      'order.stopLoss - order.trailingDistance + 1',
      'The trailing stop of a sell position moves back.',
    ],
  ),
  ...core('orders/decide-set-stops.ts', [
    'isTrailing ? order.trailingDistance : null',
    'order.trailingDistance',
    'A stop moved by hand continues trailing.',
  ]),
]

const STOP_OUT: readonly Mutation[] = [
  ...core('margin/account-figures.ts', [
    'equity * 100n <= BigInt',
    'equity * 100n < BigInt',
    'An account exactly at the stop-out level is not stopped out.',
  ]),
  ...core(
    'orders/decide-stop-out.ts',
    [
      'Number(a.profit - b.profit)',
      'Number(b.profit - a.profit)',
      'A stop-out closes profitable positions first.',
    ],
    [
      '    if (!isBelowStopOut(state, account)) return\n    const prices',
      '    const prices',
      'A stop-out closes all positions although one would be enough.',
    ],
    [
      '  for (const order of pending.toSorted((a, b) => b.id - a.id)) yield cancelEvent(state, account, order, at)\n',
      '',
      'A stop-out does not cancel pending orders.',
    ],
  ),
  ...core('margin/stop-out-price-band.ts', [
    'if (loss <= slack) return part',
    'if (loss <= slack) return part * 2n',
    'Stop-out price bands are twice too wide, so stop-outs are missed.',
  ]),
  ...core('state/margin-watch.ts', [
    'watch.below.move(below, band.bidFloor - 1)',
    'watch.below.move(below, band.bidFloor - 2)',
    'A moved edge of a stop-out price band is one tick too low.',
  ]),
]

export const CORE_MUTATIONS: readonly Mutation[] = [...AMOUNTS, ...FILLS, ...BOOKS, ...TRIGGERS, ...STOP_OUT]
