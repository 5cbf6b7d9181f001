import type { FastifyInstance } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Subscribe } from '../platform/emitter.ts'
import type { Api } from '../platform/http/api.ts'
import type { SocketHub } from '../platform/sockets/socket-hub.ts'
import type { CategoryBook } from './category-book.ts'
import { publishMarketState, publishPrices } from './public-stream.ts'
import type { Market } from './market.ts'
import { registerMarket, registerWatchList, type TermsSource } from './routes.ts'

/** The services of a server that this area uses. */
type MarketServices = {
  readonly server: FastifyInstance
  readonly api: Api
  readonly hub: SocketHub
  readonly deployment: {
    readonly database: { readonly queries: Queries }
    readonly engine: Engine
    readonly market: Market
    readonly categories: CategoryBook
    readonly payments: { readonly onAnnounced: Subscribe<null> }
  }
}

/** Registers instruments, candles, terms and watch lists, and publishes prices and the market's state. */
export function registerMarketArea(
  { server, api, hub, deployment }: MarketServices,
  { otherChanges }: Pick<TermsSource, 'otherChanges'>,
): void {
  const { engine, market } = deployment
  const { queries } = deployment.database
  registerMarket(api, market, { queries, engine, otherChanges })
  registerWatchList(api, queries, market.registry)
  const stops = [publishPrices(hub, engine, market), publishMarketState(hub, deployment)]
  server.addHook('onClose', async () => {
    for (const stop of stops) stop()
  })
}
