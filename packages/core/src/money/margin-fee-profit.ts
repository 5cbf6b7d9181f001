/** The formulas of money in trading: product spec §9 and trading-rules §3. Each rounds once, half away from zero. */
import type { Instrument } from '../terms/instrument.ts'
import {
  absolute,
  divideRounded,
  lots,
  LOTS_SCALE,
  money,
  MONEY_SCALE,
  powerOfTen,
  RATIO_SCALE,
  type Fraction,
  type Lots,
  type Money,
  type Price,
} from './number.ts'
import { direction, type Side } from '../orders/order.ts'

export type FeeType = 'fixed' | 'rate'

/** `lots x contract size x price` as the numerator of a fraction over `unitsDenominator`. */
const scaledUnits = (instrument: Instrument, lotsTimesPrice: bigint): bigint =>
  lotsTimesPrice * BigInt(instrument.contractSize) * MONEY_SCALE

const unitsDenominator = (instrument: Instrument): bigint => LOTS_SCALE * powerOfTen(instrument.priceDecimals)

/** Margin in fixed margin mode: whole units of the account currency a lot, times lots; of one lot where none are named. */
export const fixedMargin = (contractSize: number, size: Lots = lots(Number(LOTS_SCALE))): Money =>
  money(divideRounded(BigInt(size) * BigInt(contractSize) * MONEY_SCALE, LOTS_SCALE))

/**
 * Margin of a position. Leveraged: lots x contract size x |price| x rate / leverage. Fixed: lots x contract size, in
 * account currency. `rate` converts the quote currency to the account currency.
 */
export function marginOf(
  instrument: Instrument,
  position: { lots: Lots; leverage: number; price: Price; rate: Fraction },
): Money {
  if (instrument.marginMode === 'fixed') return fixedMargin(instrument.contractSize, position.lots)
  const notional = scaledUnits(instrument, BigInt(position.lots) * absolute(BigInt(position.price)))
  return money(
    divideRounded(
      notional * position.rate.numerator,
      unitsDenominator(instrument) * position.rate.denominator * BigInt(position.leverage),
    ),
  )
}

/** Opening fee. `fixed`: lots x fee rate. `rate`: the rounded margin x fee rate. */
export function feeOf(instrument: Instrument, feeType: FeeType, size: { lots: Lots; margin: Money }): Money {
  const rate = BigInt(instrument.feeRate)
  return feeType === 'fixed'
    ? money(divideRounded(BigInt(size.lots) * rate * MONEY_SCALE, LOTS_SCALE * RATIO_SCALE))
    : money(divideRounded(size.margin * rate, RATIO_SCALE))
}

/** What an order needs for its profit to be computed. `margin` counts only in fixed margin mode. */
export type ProfitTerms = {
  readonly side: Side
  readonly lots: Lots
  readonly leverage: number
  readonly margin: Money
  readonly openPrice: Price
}

/**
 * Profit of a position before rounding, in 1e-6 of the account currency. Leveraged: (close - open) x lots x contract
 * size x rate. Fixed: margin x leverage x (close - open) / open. Negative for a sell.
 */
export function exactProfit(
  instrument: Instrument,
  terms: ProfitTerms,
  closePrice: Price,
  rate: Fraction,
): Fraction {
  const move = BigInt(direction(terms.side)) * (BigInt(closePrice) - BigInt(terms.openPrice))
  if (instrument.marginMode === 'fixed') {
    return {
      numerator: terms.margin * BigInt(terms.leverage) * move,
      denominator: BigInt(terms.openPrice),
    }
  }
  return {
    numerator: scaledUnits(instrument, BigInt(terms.lots) * move) * rate.numerator,
    denominator: unitsDenominator(instrument) * rate.denominator,
  }
}

/** Profit of a position at a closing price, rounded. */
export function profitOf(
  instrument: Instrument,
  terms: ProfitTerms,
  closePrice: Price,
  rate: Fraction,
): Money {
  const exact = exactProfit(instrument, terms, closePrice, rate)
  return money(divideRounded(exact.numerator, exact.denominator))
}

/**
 * Profit of many leveraged positions on one instrument, rounded once: they form a line in the price, so their summed
 * lots and summed lots x open price are enough.
 */
export function exposureProfit(
  instrument: Instrument,
  exposure: { longLots: bigint; longCost: bigint; shortLots: bigint; shortCost: bigint },
  quote: { bid: Price; ask: Price },
  rate: Fraction,
): Money {
  const gain =
    BigInt(quote.bid) * exposure.longLots -
    exposure.longCost +
    exposure.shortCost -
    BigInt(quote.ask) * exposure.shortLots
  return money(
    divideRounded(
      scaledUnits(instrument, gain) * rate.numerator,
      unitsDenominator(instrument) * rate.denominator,
    ),
  )
}

const PERCENT = 100n
const DAYS_A_YEAR = 360n

/**
 * Overnight financing: lots x contract size x |mid| x conversion rate x yearly rate / 100 / 360 x nights; in fixed margin
 * mode margin x leverage takes the place of the notional. Above zero is paid to the user. `yearlyRate` is in 1e-6 percent.
 */
export function swapOf(
  instrument: Instrument,
  position: {
    lots: Lots
    leverage: number
    margin: Money
    nights: number
    yearlyRate: number
    rate: Fraction
  },
  quote: { bid: Price; ask: Price },
): Money {
  const yearly = BigInt(position.yearlyRate) * BigInt(position.nights)
  const days = RATIO_SCALE * PERCENT * DAYS_A_YEAR
  if (instrument.marginMode === 'fixed') {
    return money(divideRounded(position.margin * BigInt(position.leverage) * yearly, days))
  }
  const twiceMid = absolute(BigInt(quote.bid) + BigInt(quote.ask))
  const notional = scaledUnits(instrument, BigInt(position.lots) * twiceMid) * position.rate.numerator
  const scale = 2n * unitsDenominator(instrument) * position.rate.denominator
  return money(divideRounded(notional * yearly, scale * days))
}
