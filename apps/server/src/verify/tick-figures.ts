/** The ticks that receipts name: such as the guard accepts, young enough, and one price under one number. */
import {
  admit,
  createTickGuard,
  freshnessOf,
  sourcePrice,
  type Receipt,
  type ReceiptTick,
  type State,
} from '@fairlot/core'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import type { Figure } from './figure.ts'
import { firstDifference } from './difference.ts'

/** Of recorded bars two are fresh; before sources were terms the journal did not say how long these are. */
const RECORDED = /^replay:/

/** What must hold of the ticks of an event, whatever was worked out from them. */
export function tickFigures(state: State, event: ProvenEvent, at: number): Figure[] {
  const { tick, conversion, delayMs } = event.receipt
  const figures = named(event.receipt).map((one): Figure => soundness(state, one))
  if (!tick) return figures
  // A night's price is as old as the night found it: see `nightFigures`.
  if (event.type !== 'swapBooked' || isOld(event)) figures.push(['delay', delayMs, at - tick.receivedAt])
  figures.push(['delay is not negative', delayMs >= 0, true])
  const instrument = state.instruments.get(tick.instrumentId)
  if (instrument && needsFreshTick(event) && !(isOld(event) && RECORDED.test(tick.source))) {
    const longest = freshnessOf(state, instrument)
    figures.push([`age of the tick, up to ${longest} ms`, Math.min(delayMs, longest), delayMs])
  }
  if (conversion.length > 0) figures.push(['conversion', conversion.map(idOf), pathOf(state, tick)])
  return figures
}

/** Every tick that a receipt names. */
export const named = ({ tick, conversion, prices = [] }: Receipt): readonly ReceiptTick[] =>
  tick ? [tick, ...conversion, ...prices] : [...conversion, ...prices]

const idOf = ({ instrumentId }: ReceiptTick): number => instrumentId

const pathOf = (state: State, { instrumentId }: ReceiptTick): number[] | undefined =>
  state.conversionPaths.get(instrumentId)?.map(({ instrument }) => instrument.id)

/** Judged as the first of its source: what only the ticks before it tell is not known here. */
export function soundness({ instruments }: State, tick: ReceiptTick): Figure {
  const instrument = instruments.get(tick.instrumentId)
  if (!instrument) return ['instrument of the tick', tick.instrumentId, 'a known one']
  const moment = { at: tick.receivedAt, openSince: null }
  // The guard judges what the source sent, and not what was put on it.
  const sent = { ...tick, ...sourcePrice(tick) }
  const admission = admit(createTickGuard(), instrument, sent, moment)
  return ['tick', admission.accepted ? 'accepted' : admission.reason, 'accepted']
}

const isOld = ({ receipt }: ProvenEvent): boolean => receipt.ruleVersion === 1

/** Fills and reserves need a fresh price; a cancel, a night and a demo reset take the last one known. */
const needsFreshTick = (event: ProvenEvent): boolean =>
  event.type === 'orderPlaced' ||
  event.type === 'positionOpened' ||
  event.type === 'positionReduced' ||
  (event.type === 'positionClosed' && event.reason !== 'demoReset')

/**
 * Ticks as the receipts of one run of the engine name them, the newest of each instrument: under one number one price
 * (I20), and a higher number is not older. Receipts may go back to an older tick: after a failed commit it is decided again.
 */
export function createTickBook() {
  const newest = new Map<number, ReceiptTick>()
  let run = ''
  const take = (tick: ReceiptTick): string | null => {
    const known = newest.get(tick.instrumentId)
    if (!known || tick.seq > known.seq) newest.set(tick.instrumentId, tick)
    if (!known) return null
    if (tick.seq === known.seq) return firstDifference(tick, known, `tick ${tick.seq}`)
    const isLater = tick.seq > known.seq
    const isInOrder = isLater ? tick.receivedAt >= known.receivedAt : tick.receivedAt <= known.receivedAt
    return isInOrder
      ? null
      : `tick ${tick.seq} arrived ${isLater ? 'before' : 'after'} tick ${known.seq} of its instrument`
  }
  const faultOfAny = (ticks: readonly ReceiptTick[]): string | null => {
    for (const tick of ticks) {
      const fault = take(tick)
      if (fault !== null) return fault
    }
    return null
  }
  return {
    /** What is wrong with the ticks of a receipt in a row that `writer` wrote; null where nothing is. */
    fault(writer: string, receipt: Receipt): string | null {
      if (writer !== run) newest.clear()
      run = writer
      return faultOfAny(named(receipt))
    },
    /** The same of prices that were marked, or followed by trailing stops. */
    faultOfPrices(writer: string, prices: readonly ReceiptTick[]): string | null {
      if (writer !== run) newest.clear()
      run = writer
      return faultOfAny(prices)
    },
  }
}
