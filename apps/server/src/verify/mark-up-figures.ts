/** Mark-ups: the one in a published price is the one that the terms of its moment name. */
import { markUpTicks, ratio, sourcePrice, type Event, type ReceiptTick, type State } from '@fairlot/core'
import type { Figure } from './figure.ts'
import { named } from './tick-figures.ts'

type Since = { readonly from: number; readonly markUp: number }

/** Follows the mark-ups of all instruments as the journal goes on. */
export function createMarkUpBook() {
  const known = new Map<number, Since[]>()
  let version = -1
  let lastAt = -Infinity

  /** What was in force when a price came, and what has come into force since: a price that waited has the later one. */
  function possible(instrumentId: number, receivedAt: number): number[] {
    const all = known.get(instrumentId) ?? []
    const first = all.findLastIndex(({ from }) => from < receivedAt)
    return all.slice(Math.max(0, first)).map(({ markUp }) => markUp)
  }

  function figure({ instruments }: State, tick: ReceiptTick): Figure {
    const { markUp: found = 0, instrumentId } = tick
    const instrument = instruments.get(instrumentId)
    if (!instrument) return ['mark-up', found, 0]
    const sent = sourcePrice(tick)
    const ticks = possible(instrumentId, tick.receivedAt).map((markUp) =>
      markUpTicks({ ...instrument, markUp: ratio(markUp) }, sent),
    )
    return ['mark-up', found, ticks.includes(found) ? found : (ticks[0] ?? 0)]
  }

  return {
    /** Call it before every event, with the time of its entry: what the one before has changed is in force since then. */
    follow({ instruments, termsVersion }: State, at: number): void {
      if (termsVersion !== version) {
        for (const { id, markUp = 0 } of instruments.values()) {
          const all = known.get(id)
          if (!all) known.set(id, [{ from: -Infinity, markUp }])
          else if (all.at(-1)?.markUp !== markUp) all.push({ from: lastAt, markUp })
        }
      }
      version = termsVersion
      lastAt = at
    },
    /** The prices that an event names. */
    figures: (state: State, event: Event): Figure[] => ticksOf(event).map((tick) => figure(state, tick)),
  }
}

function ticksOf(event: Event): readonly ReceiptTick[] {
  if ('receipt' in event) return named(event.receipt)
  if (event.type === 'pricesMarked') return event.prices
  return event.type === 'trailingMoved' ? [event.tick] : []
}
