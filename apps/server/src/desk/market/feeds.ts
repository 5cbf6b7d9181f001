/** Where prices come from: their age, rate and spread, and how many of them were not let in. */
import type { FeedRow, FeedSource } from '@fairlot/contract/desk'
import { fromTicks, price, TICK_REFUSALS } from '@fairlot/core'
import type { DeskServices } from '../desk-services.ts'
import { countRates } from './feed-rates.ts'

export function readFeeds({ deployment, now }: Pick<DeskServices, 'deployment' | 'now'>) {
  const { engine, market } = deployment
  const perMinute = countRates(engine, now)
  const codeOf = (id: number) => market.registry.byId.get(id)?.instrument.code ?? String(id)

  const rowOf = (id: number, priceDecimals: number, held: number): FeedRow => {
    const quote = market.quoteOf(id)
    const instrument = market.registry.byId.get(id)?.instrument
    const refusals = market.intake.refusals(id)
    const inPrice = (ticks: number) => fromTicks(price(ticks), priceDecimals)
    return {
      ...{ instrumentId: id, code: codeOf(id), source: quote?.source ?? null, kind: market.sourceOf(id) },
      sourceOrder: instrument?.sourceOrder ?? [],
      isOpen: instrument !== undefined && market.hours.status(instrument, market.now()).isOpen,
      ageMs: quote && Math.max(0, market.now() - quote.receivedAt),
      perMinute: perMinute(id),
      bid: quote && inPrice(quote.bid),
      ask: quote && inPrice(quote.ask),
      spread: quote && inPrice(quote.ask - quote.bid),
      freshnessMs: market.freshnessMs(id),
      held,
      refused: TICK_REFUSALS.flatMap((reason) =>
        refusals[reason] > 0 ? { reason, count: refusals[reason] } : [],
      ),
    }
  }

  const sourceRows = (rows: readonly FeedRow[]): FeedSource[] =>
    market.feeds.map((feed) => ({
      ...{ name: feed.name, kind: feed.kind, ...feed.counters() },
      instruments: rows.filter(({ source }) => source === feed.name).length,
    }))

  /** By source and by instrument. */
  return () => {
    const waiting = market.intake.records.held()
    const instruments = market.registry.instruments.map(({ instrument: { id, priceDecimals } }) =>
      rowOf(id, priceDecimals, waiting.filter(({ instrumentId }) => instrumentId === id).length),
    )
    return { sources: sourceRows(instruments), instruments, unknownCount: market.intake.unknownCount() }
  }
}
