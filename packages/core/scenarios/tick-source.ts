import type { Instrument } from '../src/model/instrument.ts'
import { lots, price, ratio } from '../src/model/number.ts'
import type { Quote, Tick } from '../src/model/quote.ts'
import {
  admit,
  createTickGuard,
  tickMemory,
  type Admission,
  type TickGuard,
} from '../src/market/tick-guard.ts'

export const EURUSD: Instrument = {
  id: 1,
  code: 'EURUSD',
  quoteCurrency: 'USD',
  baseCurrency: 'EUR',
  priceDecimals: 5,
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [1, 30],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1_000),
  minStopDistance: price(6),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'forex',
  swapRate: { buy: ratio(0), sell: ratio(0) },
  tripleSwapDay: 'wed',
  isEnabled: true,
}
/** A guard with a clock of its own: each tick arrives at its own time unless said otherwise. */
export function openSource(instrument: Instrument = EURUSD) {
  const guard: TickGuard = createTickGuard()
  let time = 1_000_000
  function send(
    bid: number,
    ask: number,
    more: Partial<Tick> & { at?: number; openSince?: number; isOpen?: boolean } = {},
  ): Admission {
    time += 1_000
    const { at = more.time ?? time, openSince = null, isOpen = true, ...rest } = more
    const tick = { instrumentId: 1, bid: price(bid), ask: price(ask), time: at, source: 'a', ...rest }
    return admit(guard, instrument, tick, { at, openSince, isOpen })
  }
  /** The reason of the refusal, or "accepted". */
  const judge = (...tick: Parameters<typeof send>): string => {
    const admission = send(...tick)
    return admission.accepted ? 'accepted' : admission.reason
  }
  return { guard, send, judge, memory: () => tickMemory(guard, 1), now: () => time }
}

/** The quote of an accepted tick. */
export function quoteOf(admission: Admission): Quote {
  if (!admission.accepted) throw new Error(`refused: ${admission.reason}`)
  return admission.quote
}
