/** What the clock tells: the oldest moment that has passed and was not told of, with the terms and rates of then. */
import { dueMoments, type Entry, type Event, type PricesMarked, type State } from '@fairlot/core'
import type { Figure } from './figure.ts'
import { soundness } from './tick-figures.ts'

type MomentEvent = Extract<Event, { type: 'pricesMarked' | 'termsTookEffect' | 'termsWithdrawn' }>

/** True for an event that tells of a moment; terms are withdrawn by operators too. */
export const isMoment = (event: Event, { author }: Pick<Entry, 'author'>): event is MomentEvent =>
  event.type === 'pricesMarked' ||
  event.type === 'termsTookEffect' ||
  (event.type === 'termsWithdrawn' && author.type === 'clock')

/** A moment is told of in its turn, on the state just before it; a price that a night waits for has none. */
export function momentFigures(state: State, event: MomentEvent, at: number): Figure[] {
  const [next] = dueMoments(state, at)
  switch (event.type) {
    case 'termsTookEffect':
    case 'termsWithdrawn':
      return isDue(state, event.changeId, at)
        ? [['', event, next]]
        : [['moment of the terms', 'yet to come', 'passed']]
    case 'pricesMarked':
      return [
        ...event.prices.map((tick) => soundness(state, tick)),
        ...(state.nights.has(event.moment) ? lateFigures(state, event) : markFigures(event, next ?? null)),
      ]
  }
}

const isDue = ({ announced }: State, changeId: number, at: number): boolean =>
  (announced.get(changeId)?.effectiveAt ?? Infinity) <= at

/** Only what the night lacked. */
function lateFigures({ nights }: State, { moment, prices, night }: PricesMarked): Figure[] {
  const missing = prices.filter(({ instrumentId }) => !nights.get(moment)?.prices.has(instrumentId))
  return [
    ['night', night, null],
    ['prices that were missing', prices.length, missing.length],
  ]
}

/** Which prices were known then the journal does not say; their rates follow from the terms in force. */
function markFigures({ moment, night }: PricesMarked, next: Event | null): Figure[] {
  if (next?.type !== 'pricesMarked') return [['moment', moment, next ? next.type : 'a due one']]
  return [
    ['moment', moment, next.moment],
    ['night', night, next.night],
  ]
}
