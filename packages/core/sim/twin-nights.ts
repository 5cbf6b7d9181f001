/** Overnight financing once more (trading-rules §3): every position that was open at 17:00:00 New York, night by night. */
import type { PlainEvent, PlainInstrument } from './plain.ts'
import { settle } from './twin-deals.ts'
import { hasPrice } from './twin-figures.ts'
import type { NewYorkClose } from './twin-hours.ts'
import { rateNow } from './twin-market.ts'
import { twinSwap } from './twin-money.ts'
import { noteReceipt } from './twin-receipt.ts'
import { byId, instrumentOf, positionsOf, type Twin, type TwinPosition } from './twin-state.ts'

type Moment = { readonly at: number; readonly events: PlainEvent[] }

const PAUSE_MS = 60_000

/**
 * Account by account every night that is over. One position without a price holds nobody else back: its own nights wait, and
 * only those before them are over for all.
 */
export function* bookNights(twin: Twin, { at, events }: Moment): Generator<void, void, void> {
  if (twin.accounts.length === 0 || at < twin.nightRetriedAt) return
  const nights = twin.hours.closesBetween(twin.lastNight, at)
  const waiting: NewYorkClose[] = []
  for (const { id } of twin.accounts) {
    for (const night of nights) {
      for (const order of positionsOf(twin, id).toSorted(byId)) {
        if (order.openedAt === night.at) twin.notes.push('opened at 17:00:00, not financed')
        if (!isConcerned(twin, order, night)) continue
        if (!hasPrice(twin, instrumentOf(twin, order))) waiting.push(night)
        else if (book(twin, order, night, { at, events })) yield
      }
    }
  }
  for (const night of nights.filter((each) => waiting.every((other) => each.at < other.at))) {
    twin.lastNight = night.at
    events.push({ type: 'rolledOver', rollover: night.at })
    yield
  }
  if (waiting.length === 0) return
  twin.notes.push('night waits for a price')
  const inAMinute = at + PAUSE_MS
  twin.nightRetriedAt = twin.hours.closesBetween(at, inAMinute)[0]?.at ?? inAMinute
}

function isConcerned(twin: Twin, order: TwinPosition, night: NewYorkClose): boolean {
  const instrument = instrumentOf(twin, order)
  const isDue = order.openedAt < night.at && order.financedAt < night.at
  return isDue && timesOf(instrument, night) > 0 && instrument.swapRate[order.side] !== 0
}

/** Monday to Friday once, on the triple day three times; crypto every day once. */
function timesOf({ tripleSwapDay }: PlainInstrument, { weekday }: NewYorkClose): number {
  if (tripleSwapDay === 'daily') return 1
  if (weekday === 'Sat' || weekday === 'Sun') return 0
  return weekday.toLowerCase() === tripleSwapDay ? 3 : 1
}

function book(twin: Twin, order: TwinPosition, night: NewYorkClose, { at, events }: Moment): boolean {
  const instrument = instrumentOf(twin, order)
  const quote = twin.quotes.get(instrument.id)
  const rate = rateNow(twin, instrument)
  if (!quote || !rate) throw new Error('the twin finances a night without a price')
  const nights = timesOf(instrument, night)
  const amount = twinSwap(instrument, order, { quote, q: rate.q, times: nights })
  if (amount === 0n) {
    twin.notes.push('night that rounds to nothing')
    return false
  }
  order.financedAt = night.at
  const transfers = settle(twin, order, amount, { house: 'swap', kind: 'swap', at })
  const receipt = noteReceipt({
    action: 'finance',
    trigger: 'rollover',
    quote,
    conversion: rate.quotes,
    requestedPrice: null,
    at,
  })
  const { orderId, accountId } = order
  const booked = { type: 'swapBooked', orderId, accountId, rollover: night.at, nights, amount } as const
  events.push({ ...booked, receipt, transfers })
  return true
}
