/** Instruments, prices and bars as the server sends them: those of an open market, unless a test changes them. */
import type { Candle, Category, Decimal, InstrumentListing, QuoteUpdate } from '@fairlot/contract'
import { lots, money, ratio, type Money } from '@fairlot/core'

/** 7 January 2026, 12:00 UTC: a Wednesday. */
export const NOON = Date.UTC(2026, 0, 7, 12)

export const decimal = (text: string): Decimal => Number(text) as Decimal

/** An amount of the account currency from its text: "-12.5". */
export const amount = (text: string): Money => {
  const [integer = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(integer + fraction.padEnd(6, '0'))
  return money(text.startsWith('-') ? -units : units)
}

let ticks = 0

/** EUR/USD, open and fresh. */
export const eurusd = (change: Partial<InstrumentListing> = {}): InstrumentListing => ({
  id: 1,
  code: 'EURUSD',
  showCode: 'EUR/USD',
  name: 'Euro / US Dollar',
  logo: '',
  categoryId: 1,
  isOpen: true,
  isTradable: true,
  priceDecimals: 5,
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  contractSize: 100_000,
  feeRate: ratio(1000),
  marginMode: 'leveraged',
  leverages: [1, 2, 5, 10, 20, 30],
  sort: 1,
  day: day('1.08250', '1.08472'),
  bid: decimal('1.08469'),
  ask: decimal('1.08475'),
  source: 'simulated',
  quoteTime: Date.now(),
  quoteAgeMs: 0,
  quoteSeq: (ticks += 1),
  nextOpenAt: null,
  nextCloseAt: null,
  minStopDistance: decimal('0.00006'),
  baseCurrency: 'EUR',
  quoteCurrency: 'USD',
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  markUp: ratio(0),
  session: 'forex',
  haltReason: null,
  swapBuy: ratio(-3_600_000),
  swapSell: ratio(1_800_000),
  tripleSwapDay: 'wed',
  freshnessMs: 600_000,
  barsSince: null,
  ...change,
})

/** Gold: three decimals fewer, another category, the price of the day below its open. */
export const gold = (change: Partial<InstrumentListing> = {}): InstrumentListing =>
  eurusd({
    id: 2,
    code: 'XAUUSD',
    showCode: 'XAU/USD',
    name: 'Gold',
    categoryId: 2,
    sort: 2,
    priceDecimals: 2,
    contractSize: 100,
    baseCurrency: 'XAU',
    minStopDistance: decimal('0.5'),
    day: day('2660.10', '2650.25'),
    bid: decimal('2650.05'),
    ask: decimal('2650.45'),
    ...change,
  })

/** A share whose exchange closes overnight. */
export const share = (change: Partial<InstrumentListing> = {}): InstrumentListing =>
  eurusd({
    id: 3,
    code: 'ACME',
    showCode: 'ACME',
    name: 'Acme Corporation',
    categoryId: 3,
    sort: 3,
    priceDecimals: 2,
    contractSize: 1,
    baseCurrency: 'ACME',
    minStopDistance: decimal('0.1'),
    day: day('99.00', '100.10'),
    bid: decimal('100.00'),
    ask: decimal('100.20'),
    ...change,
  })

/** Listed, but without a price so far. */
export const unpriced = (change: Partial<InstrumentListing> = {}): InstrumentListing =>
  eurusd({
    id: 9,
    code: 'GBPUSD',
    showCode: 'GBP/USD',
    name: 'Pound / US Dollar',
    baseCurrency: 'GBP',
    sort: 9,
    day: null,
    bid: null,
    ask: null,
    source: null,
    quoteTime: null,
    quoteSeq: null,
    ...change,
  })

function day(open: string, close: string): InstrumentListing['day'] {
  const [from, to] = [Number(open), Number(close)]
  return {
    open: decimal(open),
    close: decimal(close),
    high: decimal(String(Math.max(from, to))),
    low: decimal(String(Math.min(from, to))),
    changePercent: decimal((((to - from) / from) * 100).toFixed(4)),
    volume: decimal('12345'),
  }
}

/** A newer price of an instrument, as the socket sends it. */
export function tick(listing: InstrumentListing, bid: string, ask: string, mid: string): QuoteUpdate {
  const { open = decimal('1') } = listing.day ?? {}
  return {
    instrumentId: listing.id,
    code: listing.code,
    bid: decimal(bid),
    ask: decimal(ask),
    time: Date.now(),
    seq: (ticks += 1),
    source: 'simulated',
    ageMs: null,
    day: {
      open,
      close: decimal(mid),
      high: decimal(mid),
      low: open,
      volume: decimal('1'),
      changePercent: decimal((((Number(mid) - Number(open)) / Number(open)) * 100).toFixed(4)),
    },
  }
}

export const categories: readonly Category[] = [
  { id: 1, name: 'Currencies' },
  { id: 2, name: 'Metals' },
  { id: 3, name: 'Shares' },
]

/** Rising bars of 15 minutes. */
export const candles = (count: number): readonly Candle[] =>
  Array.from({ length: count }, (_, at) => ({
    code: 'EURUSD',
    instrumentId: 1,
    period: '15min',
    time: NOON - (count - at) * 900_000,
    open: decimal('1.08'),
    high: decimal('1.09'),
    low: decimal('1.07'),
    close: decimal((1.08 + at / 1000).toFixed(3)),
    volume: decimal('10'),
  }))
