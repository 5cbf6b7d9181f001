/** Recognises rare states in the financing of nights. */
import type { Sight } from './observe.ts'
import type { PlainEvent } from './plain.ts'
import { instrumentOf } from './twin-state.ts'
import type { TwinDone } from './twin.ts'

const HOUR_MS = 3_600_000

export function observeNights(sight: Sight, { at, events, rows }: TwinDone): void {
  const { counts, isCrashed, twin } = sight
  const booked = events.filter((event) => event.type === 'swapBooked')
  const complete = events.filter((event) => event.type === 'rolledOver')
  for (const event of booked) observeNight(sight, event, at)
  counts.hit('several nights booked late', new Set(booked.map(({ rollover }) => rollover)).size > 1)
  counts.hit(
    'night booked while an earlier one waits',
    booked.some(({ rollover }) => twin.hours.closesBetween(twin.lastNight, rollover).length > 1) &&
      !isCrashed,
  )
  counts.hit('night that concerns nobody', complete.length > 0 && booked.length === 0 && !isCrashed)
  counts.hit(
    'night takes the balance below zero',
    rows.some(
      ({ kind, debit, debitBalance, amount }) =>
        kind === 'swap' && debit.startsWith('available') && debitBalance < 0n && debitBalance + amount >= 0n,
    ),
  )
}

function observeNight(
  { counts, twin }: Sight,
  { orderId, rollover, nights, amount, receipt }: Extract<PlainEvent, { type: 'swapBooked' }>,
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
}
