/** Recognises rare states of swaps and rollovers. */
import type { Observation } from './observation.ts'
import type { PlainEvent } from './plain-types.ts'
import { isUnbooked } from './reference/overnight-swap.ts'
import { instrumentOf } from './reference/state.ts'
import type { ReferenceDone } from './reference/reference-model.ts'

const HOUR_MS = 3_600_000

type Booked = Extract<PlainEvent, { type: 'swapBooked' }>
const isBooked = (event: PlainEvent): event is Booked => event.type === 'swapBooked'

export function observeSwaps(observation: Observation, done: ReferenceDone): void {
  const { counts, model } = observation
  const { at, events, rows } = done
  const booked = events.filter(isBooked)
  for (const event of booked) observeSwap(observation, event, at)
  counts.hit('several rollovers booked late', new Set(booked.map(({ rollover }) => rollover)).size > 1)
  counts.hit(
    'rollover booked while an earlier one waits',
    booked.some(({ rollover }) =>
      model.rollovers.some((openRollover) => openRollover.hasWaited && openRollover.at < rollover),
    ),
  )
  counts.hit(
    'rollover without a swap',
    booked.length === 0 && events.some(({ type }) => type === 'rolledOver'),
  )
  counts.hit('late price of a rollover', events.some(isLatePrice))
  counts.hit(
    'rollover takes the balance below zero',
    rows.some(
      ({ kind, debit, debitBalance, amount }) =>
        kind === 'swap' && debit.startsWith('available') && debitBalance < 0n && debitBalance + amount >= 0n,
    ),
  )
  observeTurn(observation, done)
}

const isLatePrice = (event: PlainEvent, index: number, all: readonly PlainEvent[]): boolean =>
  event.type === 'pricesMarked' && event.night === null && event.prices.length === 1 && index < all.length

/** Whether the rollover or a user's command came first. */
function observeTurn({ counts, model, command }: Observation, { events, due }: ReferenceDone): void {
  const before = events.slice(0, due).filter(isBooked)
  const own = events.slice(due)
  const isUsers = command.type !== 'tick' && command.type !== 'clock'
  counts.hit('rollover before a command', isUsers && before.length > 0)
  counts.hit('rollover before an order', command.type === 'placeOrder' && before.length > 0)
  counts.hit('rollover within a tick', command.type === 'tick' && own.some(isBooked))
  const ids = new Set(before.map(({ orderId }) => orderId))
  for (const event of own) {
    if (!('orderId' in event) || !ids.has(event.orderId)) continue
    counts.hit('part closed right after its rollover', event.type === 'positionReduced')
    counts.hit('reversed right after its rollover', command.type === 'reversePosition')
    counts.hit(
      'closed right after its rollover',
      command.type === 'closePosition' && event.type === 'positionClosed',
    )
  }
  const isSliced = command.type === 'clock' && own.some(isBooked)
  counts.hit(
    'rollover in slices',
    isSliced && model.rollovers.some((openRollover) => isUnbooked(model, openRollover)),
  )
}

function observeSwap(
  { counts, model }: Observation,
  { orderId, rollover, nights, amount, receipt }: Booked,
  at: number,
): void {
  const isSame = (order: { orderId: number }) => order.orderId === orderId
  const order = model.active.find(isSame) ?? model.ended.findLast(isSame)
  if (!order) return
  const instrument = instrumentOf(model, order)
  const [before, close] = model.hours.closesBetween(rollover - 26 * HOUR_MS, rollover)
  counts.hit(amount > 0n ? 'rollover paid to the user' : 'rollover paid by the user')
  counts.hit(nights === 3 ? 'rollover booked three times at once' : 'rollover booked once')
  counts.hit('rollover of a weekend', close !== undefined && ['Sat', 'Sun'].includes(close.weekday))
  counts.hit('rollover in fixed margin mode', instrument.marginMode === 'fixed')
  counts.hit('rollover of a converted amount', receipt.conversion.length > 0)
  counts.hit('rollover of a closed market', !model.hours.isOpen(instrument, at))
  counts.hit(
    'rollover after New York changed its clocks',
    before !== undefined && close !== undefined && close.at - before.at !== 24 * HOUR_MS,
  )
  counts.hit('rollover booked hours late', at - rollover > HOUR_MS)
  counts.hit('rollover at a later price', (receipt.tick?.receivedAt ?? 0) > rollover)
  counts.hit('rollover of terms that have changed since', receipt.terms < model.termsVersion)
  const isPaid = instrument.swapRate[order.side] > 0
  const isOther = isPaid !== amount > 0n || instrument.swapRate[order.side] === 0
  counts.hit('rollover of a rate that changed its sign since', isOther)
}
