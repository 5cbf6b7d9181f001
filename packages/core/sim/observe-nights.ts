/** Recognises rare states in the financing of nights. */
import type { Sight } from './observe.ts'
import type { PlainEvent } from './plain.ts'
import { isOwed } from './twin-nights.ts'
import { instrumentOf } from './twin-state.ts'
import type { TwinDone } from './twin.ts'

const HOUR_MS = 3_600_000

type Booked = Extract<PlainEvent, { type: 'swapBooked' }>
const isBooked = (event: PlainEvent): event is Booked => event.type === 'swapBooked'

export function observeNights(sight: Sight, done: TwinDone): void {
  const { counts, twin } = sight
  const { at, events, rows } = done
  const booked = events.filter(isBooked)
  for (const event of booked) observeNight(sight, event, at)
  counts.hit('several nights booked late', new Set(booked.map(({ rollover }) => rollover)).size > 1)
  counts.hit(
    'night booked while an earlier one waits',
    booked.some(({ rollover }) => twin.nights.some((night) => night.hasWaited && night.at < rollover)),
  )
  counts.hit(
    'night that concerns nobody',
    booked.length === 0 && events.some(({ type }) => type === 'rolledOver'),
  )
  counts.hit('late price of a night', events.some(isLatePrice))
  counts.hit(
    'night takes the balance below zero',
    rows.some(
      ({ kind, debit, debitBalance, amount }) =>
        kind === 'swap' && debit.startsWith('available') && debitBalance < 0n && debitBalance + amount >= 0n,
    ),
  )
  observeTurn(sight, done)
}

const isLatePrice = (event: PlainEvent, index: number, all: readonly PlainEvent[]): boolean =>
  event.type === 'pricesMarked' && event.night === null && event.prices.length === 1 && index < all.length

/** Who was first, the night's slice or somebody's command. */
function observeTurn({ counts, twin, command }: Sight, { events, due }: TwinDone): void {
  const before = events.slice(0, due).filter(isBooked)
  const own = events.slice(due)
  const isUsers = command.type !== 'tick' && command.type !== 'clock'
  counts.hit('night before a command', isUsers && before.length > 0)
  counts.hit('night before an order', command.type === 'placeOrder' && before.length > 0)
  counts.hit('night within a tick', command.type === 'tick' && own.some(isBooked))
  const ids = new Set(before.map(({ orderId }) => orderId))
  for (const event of own) {
    if (!('orderId' in event) || !ids.has(event.orderId)) continue
    counts.hit('part closed right after its night', event.type === 'positionReduced')
    counts.hit('reversed right after its night', command.type === 'reversePosition')
    counts.hit(
      'closed right after its night',
      command.type === 'closePosition' && event.type === 'positionClosed',
    )
  }
  const isSliced = command.type === 'clock' && own.some(isBooked)
  counts.hit('night in slices', isSliced && twin.nights.some((night) => isOwed(twin, night)))
}

function observeNight(
  { counts, twin }: Sight,
  { orderId, rollover, nights, amount, receipt }: Booked,
  at: number,
): void {
  const isMeant = (order: { orderId: number }) => order.orderId === orderId
  const order = twin.living.find(isMeant) ?? twin.ended.findLast(isMeant)
  if (!order) return
  const instrument = instrumentOf(twin, order)
  const [before, night] = twin.hours.closesBetween(rollover - 26 * HOUR_MS, rollover)
  counts.hit(amount > 0n ? 'night paid to the user' : 'night paid by the user')
  counts.hit(nights === 3 ? 'night booked three times at once' : 'night booked once')
  counts.hit('night of a weekend', night !== undefined && ['Sat', 'Sun'].includes(night.weekday))
  counts.hit('night in fixed margin mode', instrument.marginMode === 'fixed')
  counts.hit('night of a converted amount', receipt.conversion.length > 0)
  counts.hit('night of a closed market', !twin.hours.isOpen(instrument, at))
  counts.hit(
    'night after New York changed its clocks',
    before !== undefined && night !== undefined && night.at - before.at !== 24 * HOUR_MS,
  )
  counts.hit('night booked hours late', at - rollover > HOUR_MS)
  counts.hit('night at a price that came after it', (receipt.tick?.receivedAt ?? 0) > rollover)
  counts.hit('night of terms that have changed since', receipt.terms < twin.termsVersion)
  const isPaid = instrument.swapRate[order.side] > 0
  const isOther = isPaid !== amount > 0n || instrument.swapRate[order.side] === 0
  counts.hit('night of a rate that has turned since', isOther)
}
