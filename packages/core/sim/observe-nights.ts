/** Recognises rare states in the financing of nights. */
import type { Observation } from './observation.ts'
import type { PlainEvent } from './plain.ts'
import { isOwed } from './reference/overnight-swap.ts'
import { instrumentOf } from './reference/state.ts'
import type { ReferenceDone } from './reference/reference-model.ts'

const HOUR_MS = 3_600_000

type Booked = Extract<PlainEvent, { type: 'swapBooked' }>
const isBooked = (event: PlainEvent): event is Booked => event.type === 'swapBooked'

export function observeNights(observation: Observation, done: ReferenceDone): void {
  const { counts, model } = observation
  const { at, events, rows } = done
  const booked = events.filter(isBooked)
  for (const event of booked) observeNight(observation, event, at)
  counts.hit('several nights booked late', new Set(booked.map(({ rollover }) => rollover)).size > 1)
  counts.hit(
    'night booked while an earlier one waits',
    booked.some(({ rollover }) => model.nights.some((night) => night.hasWaited && night.at < rollover)),
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
  observeTurn(observation, done)
}

const isLatePrice = (event: PlainEvent, index: number, all: readonly PlainEvent[]): boolean =>
  event.type === 'pricesMarked' && event.night === null && event.prices.length === 1 && index < all.length

/** Who was first, the night's slice or somebody's command. */
function observeTurn({ counts, model, command }: Observation, { events, due }: ReferenceDone): void {
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
  counts.hit('night in slices', isSliced && model.nights.some((night) => isOwed(model, night)))
}

function observeNight(
  { counts, model }: Observation,
  { orderId, rollover, nights, amount, receipt }: Booked,
  at: number,
): void {
  const isMeant = (order: { orderId: number }) => order.orderId === orderId
  const order = model.living.find(isMeant) ?? model.ended.findLast(isMeant)
  if (!order) return
  const instrument = instrumentOf(model, order)
  const [before, night] = model.hours.closesBetween(rollover - 26 * HOUR_MS, rollover)
  counts.hit(amount > 0n ? 'night paid to the user' : 'night paid by the user')
  counts.hit(nights === 3 ? 'night booked three times at once' : 'night booked once')
  counts.hit('night of a weekend', night !== undefined && ['Sat', 'Sun'].includes(night.weekday))
  counts.hit('night in fixed margin mode', instrument.marginMode === 'fixed')
  counts.hit('night of a converted amount', receipt.conversion.length > 0)
  counts.hit('night of a closed market', !model.hours.isOpen(instrument, at))
  counts.hit(
    'night after New York changed its clocks',
    before !== undefined && night !== undefined && night.at - before.at !== 24 * HOUR_MS,
  )
  counts.hit('night booked hours late', at - rollover > HOUR_MS)
  counts.hit('night at a price that came after it', (receipt.tick?.receivedAt ?? 0) > rollover)
  counts.hit('night of terms that have changed since', receipt.terms < model.termsVersion)
  const isPaid = instrument.swapRate[order.side] > 0
  const isOther = isPaid !== amount > 0n || instrument.swapRate[order.side] === 0
  counts.hit('night of a rate that has turned since', isOther)
}
