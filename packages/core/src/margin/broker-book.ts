/** The positions of many accounts by instrument; the broker is the counterparty. */
import { conversionOf, profitOn, type Pricing } from './account-figures.ts'
import type { AccountSnapshot } from '../state/account-snapshot.ts'
import { marginOf } from '../money/margin-fee-profit.ts'
import { absolute, lots, money, NO_MONEY, type Money } from '../model/number.ts'
import { midPrice } from '../model/quote.ts'
import type { Instrument } from '../model/instrument.ts'

/** The positions of many accounts on one instrument, summed. */
export type BookPosition = {
  longLots: bigint
  shortLots: bigint
  /** Positions. */
  count: number
  accounts: number
  /** Open profit of the clients: the sum of what each account's figures show. */
  profit: Money
  /** Margin x leverage of the long and the short positions: their value in fixed margin mode, else zero. */
  fixedLong: Money
  fixedShort: Money
}

/** By instrument. */
export type Book = Map<number, BookPosition>

/** What the positions on one instrument are worth, in the account currency. */
export type BookValue = { readonly long: Money; readonly short: Money; readonly net: Money }

/** Adds an account's positions to a book, with their profit at the prices given. Returns the account's open profit. */
export function addToBook(book: Book, pricing: Pricing, account: AccountSnapshot): Money {
  let total = 0n
  for (const [instrumentId, exposure] of account.exposures) {
    const sum = book.get(instrumentId) ?? emptyPosition()
    const profit = profitOn(pricing, account, instrumentId)
    sum.longLots += exposure.longLots
    sum.shortLots += exposure.shortLots
    sum.count += exposure.count
    sum.accounts += 1
    sum.profit = money(sum.profit + profit)
    if (pricing.instruments.get(instrumentId)?.marginMode === 'fixed') addFixed(sum, account, instrumentId)
    book.set(instrumentId, sum)
    total += profit
  }
  return money(total)
}

const emptyPosition = (): BookPosition => ({
  longLots: 0n,
  shortLots: 0n,
  count: 0,
  accounts: 0,
  profit: NO_MONEY,
  fixedLong: NO_MONEY,
  fixedShort: NO_MONEY,
})

function addFixed(sum: BookPosition, { orders }: AccountSnapshot, instrumentId: number): void {
  for (const order of orders.values()) {
    if (order.instrumentId !== instrumentId || order.openPrice === null) continue
    const value = order.margin * BigInt(order.leverage)
    if (order.side === 'buy') sum.fixedLong = money(sum.fixedLong + value)
    else sum.fixedShort = money(sum.fixedShort + value)
  }
}

/**
 * Lots x contract size x |mid| x conversion rate; in fixed margin mode margin x leverage. Null while a price for it is missing.
 */
export function bookValue(pricing: Pricing, instrument: Instrument, sum: BookPosition): BookValue | null {
  if (instrument.marginMode === 'fixed')
    return { long: sum.fixedLong, short: sum.fixedShort, net: money(sum.fixedLong - sum.fixedShort) }
  const quote = pricing.quotes.get(instrument.id)
  const conversion = conversionOf(pricing, instrument)
  if (!quote || !conversion) return null
  // The margin without leverage is the whole value.
  const terms = { leverage: 1, price: midPrice(quote), rate: conversion.rate }
  const valueOf = (size: bigint) => marginOf(instrument, { ...terms, lots: lots(Number(size)) })
  const netLots = sum.longLots - sum.shortLots
  const net = valueOf(absolute(netLots))
  return {
    long: valueOf(sum.longLots),
    short: valueOf(sum.shortLots),
    net: netLots < 0n ? money(-net) : net,
  }
}
