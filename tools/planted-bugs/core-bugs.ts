import { bugsOf, type Bug } from './bug.ts'

const core = (name: string, ...bugs: readonly (readonly [string, string, string])[]): Bug[] =>
  bugsOf(`packages/core/src/${name}`, ...bugs)

const AMOUNTS: readonly Bug[] = [
  ...core(
    'money/margin-fee-profit.ts',
    [' * BigInt(position.leverage),', ',', 'Margin is not divided by the leverage.'],
    [
      'money(divideRounded(size.margin * rate, RATIO_SCALE))',
      'money((size.margin * rate) / RATIO_SCALE)',
      'The fee is cut off instead of rounded.',
    ],
    [
      'const move = BigInt(direction(terms.side)) * (',
      'const move = (',
      'A seller earns where a buyer would.',
    ],
    [
      'BigInt(quote.ask) * exposure.shortLots',
      'BigInt(quote.bid) * exposure.shortLots',
      'The open profit of sellers is reckoned at the bid.',
    ],
    ['DAYS_A_YEAR = 360n', 'DAYS_A_YEAR = 365n', 'Financing counts 365 days a year.'],
    [
      'BigInt(position.yearlyRate) * BigInt(position.nights)',
      'BigInt(position.yearlyRate)',
      'Three nights at once cost as much as one.',
    ],
  ),
  ...core('money/number.ts', [
    '-((-numerator + half) / denominator)',
    '(numerator + half) / denominator',
    'Amounts below zero are rounded towards zero.',
  ]),
  ...core(
    'money/decimal.ts',
    [
      'text === value || significantDigits(text) <= SAFE_DIGITS',
      'true',
      'A JSON number that lost digits on its way is taken for exact.',
    ],
    [
      'units / tens === value && ',
      '',
      'A JSON number with more digits than allowed is rounded instead of refused.',
    ],
    [
      'Math.abs(Number(units)) < SAFE_UNITS && ',
      '',
      'A decimal of more than 15 digits is written as a number that has lost some.',
    ],
    [
      'rescale(units, length, decimals) : units',
      'units / powerOfTen(length - decimals) : units',
      'Surplus digits of a tick are cut off.',
    ],
  ),
  ...core('money/currency-conversion.ts', [
    'isInverse ? invert(mid) : mid',
    'mid',
    'An inverse pair converts the wrong way.',
  ]),
  ...core(
    'overnight/overnight-swap.ts',
    ['=== tripleSwapDay ? 3 : 1', '=== tripleSwapDay ? 1 : 1', 'The triple day counts one night.'],
    [
      'order.financedAt < rollover',
      'order.financedAt <= rollover',
      'A night that was interrupted is booked again for those who have had it.',
    ],
    ['yearlyRate: rate[order.side]', 'yearlyRate: rate.buy', 'Sellers are financed at the rate of buyers.'],
    [
      'convert(path, (id) => night.prices.get(id))',
      'convert(path, (id) => state.quotes.get(id))',
      'A night is converted at the price of its booking.',
    ],
    ['order.openedAt < rollover', 'true', 'A position pays for the night before it was opened.'],
  ),
]

const FILLS: readonly Bug[] = [
  ...core(
    'market/quote.ts',
    ["side === 'buy' ? quote.ask : quote.bid", 'quote.ask', 'Sellers open at the ask.'],
    [
      'at - quote.receivedAt <= freshnessMs',
      'at - quote.receivedAt <= 2 * freshnessMs',
      'A price fills twice as long as it may.',
    ],
  ),
  ...core('receipt.ts', [
    "fill.deal === 'buy' ? fill.requestedPrice",
    "fill.deal === 'sell' ? fill.requestedPrice",
    'A receipt calls worse prices better.',
  ]),
  ...core('orders/decide-place.ts', [
    'cost.margin + cost.fee > free',
    'cost.margin > free',
    'The fee need not be there when a position is opened.',
  ]),
  ...core(
    'orders/decide-fill.ts',
    [
      'closing({ ...order, lots: fill.lots, margin }, fill)',
      'closing({ ...order, margin }, fill)',
      'A part takes the profit of the whole position.',
    ],
    [
      "const result = transferBetween(user, houseOf(account.ledger, 'trading')",
      "const result = transferBetween(user, houseOf(account.ledger, 'fees')",
      'Results are booked against the fees; every sum still fits.',
    ],
    [
      'isLastPosition(account) ? money(-(account.available.balance + profit)) : NO_MONEY',
      'money(-(account.available.balance + profit))',
      'A shortfall is made good while other positions are open.',
    ],
    [
      'exposures.size === 1 && only?.count === 1',
      'exposures.size === 1 && only !== undefined',
      'With several positions on one instrument each is taken for the last.',
    ],
  ),
  ...core('orders/order-rules.ts', [
    'held - part < lotMin',
    'held - part < 0',
    'A partial close leaves a rest that is too small to close.',
  ]),
  ...core('accounts/decide-reset.ts', [
    'money(state.settings.demoBalance - account.available.balance)',
    'state.settings.demoBalance',
    'A demo reset adds the starting balance instead of restoring it.',
  ]),
]

const BOOKS: readonly Bug[] = [
  ...core('money/ledger.ts', [
    '  credit.entryCount += 1\n',
    '',
    'The receiving side of a transfer does not count it.',
  ]),
  ...core('orders/order-index.ts', [
    'sign * (order.margin + order.fee)',
    'sign * order.margin',
    'A pending order reserves no fee.',
  ]),
  ...core(
    'evolve.ts',
    [
      '  order.margin = money(order.margin - event.margin)\n',
      '',
      'A partial close does not give its margin back.',
    ],
    [
      '      core.touched.add(event.accountId)\n',
      '',
      'An account whose balance has changed is watched at its old stop-out prices.',
    ],
  ),
]

const TRIGGERS: readonly Bug[] = [
  ...core('orders/level-heap.ts', [
    'this.#keyAt(slot) > reached',
    'this.#keyAt(slot) >= reached',
    'What waits above does not fire at its price itself.',
  ]),
  ...core(
    'orders/trigger-book.ts',
    [
      "trigger.kind === 'target' ? 1 : 0",
      "trigger.kind === 'target' ? 0 : 0",
      'Pending orders may fill before the stops of the same tick.',
    ],
    [
      'order.stopLoss - order.trailingDistance - 1',
      'order.stopLoss - order.trailingDistance + 1',
      'The trailing stop of a seller moves back.',
    ],
  ),
  ...core(
    'orders/decide-trigger.ts',
    [
      '  if (order.openedSeq === quote.seq) return null\n',
      '',
      'A stop acts on the very tick that opened its position.',
    ],
    ['.free + order.margin + order.fee', '.free', 'A pending order may not use what was reserved for it.'],
  ),
  ...core('orders/order-rules.ts', [
    "side === 'buy' ? larger(stopLoss, started) : smaller(stopLoss, started)",
    'started',
    'Letting a stop trail may move it further away.',
  ]),
  ...core('orders/decide-stops.ts', [
    'stopLoss === order.stopLoss ? order.trailingDistance : null',
    'order.trailingDistance',
    'A stop moved by hand goes on trailing.',
  ]),
]

const STOP_OUT: readonly Bug[] = [
  ...core('margin/account-figures.ts', [
    'equity * 100n <= BigInt',
    'equity * 100n < BigInt',
    'At the stop-out level itself nobody is stopped out.',
  ]),
  ...core(
    'margin/decide-stop-out.ts',
    ['Number(a.profit - b.profit)', 'Number(b.profit - a.profit)', 'A stop-out closes the winners first.'],
    [
      '    if (!isBelow(state, account)) return\n    const prices',
      '    const prices',
      'A stop-out closes everything, though one position would do.',
    ],
    [
      '  for (const order of pending.toSorted((a, b) => b.id - a.id)) yield cancelled(state, account, order, at)\n',
      '',
      'A stop-out leaves pending orders waiting.',
    ],
  ),
  ...core('margin/safe-range.ts', [
    'if (loss <= slack) return part',
    'if (loss <= slack) return part * 2n',
    'Safe prices reach twice too far, so stop-outs are missed.',
  ]),
  ...core('margin/margin-watch.ts', [
    'watch.below.move(below, range.bidFloor - 1)',
    'watch.below.move(below, range.bidFloor - 2)',
    'A moved edge of the safe prices is one tick too low.',
  ]),
]

export const CORE_BUGS: readonly Bug[] = [...AMOUNTS, ...FILLS, ...BOOKS, ...TRIGGERS, ...STOP_OUT]
