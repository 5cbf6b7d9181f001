import { lots, money, ONE, price, ratio, type Instrument } from '@fairlot/core'
import { initialTicket, type TicketState, type TicketContext } from './ticket-model.ts'

/** EUR/USD as seeded, for the ticket's tests. */
export const eurusd: Instrument = {
  id: 1,
  code: 'EURUSD',
  quoteCurrency: 'USD',
  baseCurrency: 'EUR',
  priceDecimals: 5,
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [1, 2, 5, 10, 20, 30],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1000),
  minStopDistance: price(6),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'forex',
  swapRate: { buy: ratio(-3_600_000), sell: ratio(1_800_000) },
  tripleSwapDay: 'wed',
  isEnabled: true,
}

export const context = (change: Partial<TicketContext> = {}): TicketContext => ({
  instrument: eurusd,
  isOpen: true,
  haltReason: null,
  reduceReason: null,
  quote: { bid: price(108_469), ask: price(108_475) },
  isStale: false,
  rate: ONE,
  feeType: 'rate',
  freeMargin: money(100_000_000_000n),
  snapshot: null,
  now: Date.UTC(2026, 0, 7, 12),
  ...change,
})

export const ticket = (change: Partial<TicketState> = {}): TicketState => ({
  ...initialTicket('0.10', 30),
  ...change,
})
