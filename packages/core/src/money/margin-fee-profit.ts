/** The money formulas of trading (trading-rules §3). Each rounds once, half away from zero. */
import type { Instrument } from '../model/instrument.ts'
import {
  absolute,
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
} from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { direction, type Side } from '../model/order.ts'
import type { FeeType } from '../model/terms.ts'

/**
 * Lots x contract size x price x conversion rate before rounding, in 1e-6 of the account currency. `lotsTimesPrice` may
 * be a sum over positions.
 */
export const exactNotional = (instrument: Instrument, lotsTimesPrice: bigint, rate: Fraction): Fraction => ({
  numerator: lotsTimesPrice * BigInt(instrument.contractSize) * MONEY_SCALE * rate.numerator,
  denominator: LOTS_SCALE * powerOfTen(instrument.priceDecimals) * rate.denominator,
})

/** Margin in fixed margin mode: whole units of the account currency per lot, times lots; for one lot by default. */
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
  const lotsTimesPrice = BigInt(position.lots) * absolute(BigInt(position.price))
  const notional = exactNotional(instrument, lotsTimesPrice, position.rate)
  return money(divideRounded(notional.numerator, notional.denominator * BigInt(position.leverage)))
}

/** Opening fee. `fixed`: lots x fee rate. `rate`: the rounded margin x fee rate. */
export function feeOf(instrument: Instrument, feeType: FeeType, size: { lots: Lots; margin: Money }): Money {
  const rate = BigInt(instrument.feeRate)
  return feeType === 'fixed'
    ? money(divideRounded(BigInt(size.lots) * rate * MONEY_SCALE, LOTS_SCALE * RATIO_SCALE))
    : money(divideRounded(size.margin * rate, RATIO_SCALE))
}

/** The fields needed to compute an order's profit. `margin` counts only in fixed margin mode. */
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
  return exactNotional(instrument, BigInt(terms.lots) * move, rate)
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
 * Profit of many leveraged positions on one instrument, rounded once: it is linear in the price, so their summed lots
 * and summed lots x open price are enough.
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
  const exact = exactNotional(instrument, gain, rate)
  return money(divideRounded(exact.numerator, exact.denominator))
}
