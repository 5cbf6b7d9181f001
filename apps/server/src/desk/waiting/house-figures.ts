import type { DeskServices } from '../desk-services.ts'

/** How the house stands, under the list of what waits: how many prices of open markets are young enough to fill, and ticks refused so far. */
export async function houseFigures({ deployment, queries }: Pick<DeskServices, 'deployment' | 'queries'>) {
  const { market, engine } = deployment
  const at = market.now()
  const offered = [...engine.state().instruments.values()].filter(
    (instrument) => instrument.isEnabled && market.hours.status(instrument, at).isOpen,
  )
  const fresh = offered.filter(({ id }) => {
    const quote = market.quoteOf(id)
    return quote !== null && at - quote.receivedAt <= market.freshnessMs(id)
  })
  const { refused } = await queries
    .selectFrom('refused_tick')
    .select((select) => select.fn.sum('count').as('refused'))
    .executeTakeFirstOrThrow()
  return { freshPrices: fresh.length, instruments: offered.length, refusedTicks: Number(refused ?? 0) }
}
