import {
  addToCopy,
  claimDemo,
  closeCopyPosition,
  getCopy,
  getCopyingTerms,
  getOwnStrategy,
  listCopies,
  listCopyLog,
  pauseCopy,
  publishStrategy,
  reportStrategy,
  resumeCopy,
  setCopyStopLoss,
  setCopyTerms,
  startCopy,
  stopCopy,
  takeFromCopy,
  tryCopy,
  unpublishStrategy,
} from '@fairlot/contract'
import type { Services } from '../deployment/services.ts'
import type { Notices } from '../notices/notices.ts'
import { isRefusal } from '../platform/refusal.ts'
import type { OrderQueries } from '../trading/order-queries.ts'
import { createCopies } from './copies.ts'
import { startCopyNotices } from './copy-notices.ts'
import type { CopyingServices } from './copying-services.ts'
import { createDryRun } from './dry-run.ts'
import { startRanking } from './ranking.ts'
import { registerRanking } from './ranking-routes.ts'
import { createStrategies } from './strategies.ts'

/** What the area needs from others. */
type Links = {
  readonly orderQueries: OrderQueries
  readonly checkSecondFactor: CopyingServices['checkSecondFactor']
}

/** Strategies, the ranking, and copies. */
export async function registerCopyingArea(
  { server, api, sessions, deployment }: Services,
  { orderQueries, checkSecondFactor }: Links,
): Promise<void> {
  const { engine, market, settings, onError } = deployment
  const { queries } = deployment.database
  const rankedAfter = () => ({ days: settings.ranked_after_days, orders: settings.ranked_after_orders })
  const ranking = await startRanking({ engine, queries, now: market.now, rankedAfter, onError })
  server.addHook('onClose', () => ranking.stop())
  const services: CopyingServices = {
    engine,
    queries,
    orderQueries,
    ranking,
    now: market.now,
    operatorName: () => settings.company_name,
    rankedAfter,
    instrumentOf: (id) => {
      const listed = market.registry.byId.get(id)
      return {
        code: listed?.showCode ?? '',
        name: listed?.name ?? '',
        priceDecimals: listed?.instrument.priceDecimals ?? 0,
      }
    },
    checkSecondFactor,
  }
  registerRanking(api, services, async ({ token }) => (token === null ? null : sessions.userOf(token)))

  const strategies = createStrategies(services)
  api.visitor(getCopyingTerms, () => strategies.terms())
  api.user(getOwnStrategy, strategies.own)
  api.user(publishStrategy, strategies.publish)
  api.user(unpublishStrategy, strategies.unpublish)
  api.user(claimDemo, strategies.claimDemo)
  api.user(reportStrategy, strategies.report)

  api.user(tryCopy, createDryRun(services))

  const copies = createCopies(services)
  api.user(startCopy, copies.start)
  api.user(pauseCopy, copies.pause)
  api.user(resumeCopy, copies.resume)
  api.user(stopCopy, copies.stop)
  api.user(addToCopy, copies.add)
  api.user(takeFromCopy, copies.takeOut)
  api.user(setCopyStopLoss, copies.setStopLoss)
  api.user(setCopyTerms, copies.setTerms)
  api.user(closeCopyPosition, copies.close)
  api.user(listCopies, async ({ user }) => {
    const list = await copies.list(user.id)
    return isRefusal(list) ? list : { copies: list }
  })
  api.user(getCopy, ({ user, input }) => copies.details(user.id, input.copyId))
  api.user(listCopyLog, ({ user, input }) => copies.log(user.id, input.copyId, input.page))
}

/** Notices to copiers; they come from a higher area than the calls. */
export async function openCopyNotices({ server, deployment }: Services, notices: Notices): Promise<void> {
  const { engine, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const { stop } = await startCopyNotices({ engine, queries, notices, now, onError })
  server.addHook('onClose', stop)
}
