/** What happens in copies because of an event: of their provider, or of the copy itself (trading-rules §12). */
import {
  copiedPosition,
  copyAuthor,
  decideCopiedOpening,
  decideCopiedReduction,
  decideCopyClose,
  openOrdersOf,
  skippedEvent,
  withStrategyEquity,
} from '../copying/copied-order.ts'
import { copiesAmong, isCopy, type CopyAccount } from '../state/copy-account.ts'
import { decideCopyStopLoss, endCopy, settleCopy } from '../copying/end-copy.ts'
import { lots, type Money } from '../model/number.ts'
import { hasDetailedCopying } from '../model/rules.ts'
import type { Event } from '../model/event.ts'
import type { Core } from '../state/running-core.ts'
import type { State } from '../state/state.ts'
import { isFinding, type Steps } from '../state/work-in-steps.ts'

/** True for a command's event that causes something in copies. */
export const isFollowed = (state: Pick<State, 'accounts'>, event: Event): boolean =>
  (event.type === 'copyStopped' && event.reason === 'owner') ||
  (event.type === 'copyStarted' && event.openOrders !== undefined) ||
  isOfProvider(state, event)

/** True for a fill of a provider that its copies follow. */
function isOfProvider({ accounts }: Pick<State, 'accounts'>, event: Event): boolean {
  switch (event.type) {
    case 'positionOpened':
    case 'positionReduced':
      return hasCopiers(accounts.get(event.accountId))
    case 'positionClosed':
      // After a demo reset the strategy ends, and its copies close at the market.
      return event.reason !== 'demoReset' && hasCopiers(accounts.get(event.accountId))
    default:
      return false
  }
}

const hasCopiers = (account: { readonly copiers: readonly number[] } | undefined): boolean =>
  account !== undefined && account.copiers.length > 0

/** What an event that has been applied causes in copies, by account id. */
function* follow(core: Core, event: Event, at: number): Steps {
  switch (event.type) {
    case 'positionOpened':
      yield { type: 'copiesFollow', author: copyAuthor(event.accountId, event.orderId) }
      return yield* followOpening(core, event, at)
    case 'positionReduced':
    case 'positionClosed':
      yield { type: 'copiesFollow', author: copyAuthor(event.accountId, event.orderId) }
      return yield* followClosing(core, event, at)
    case 'copyStarted':
      return yield* copyOpenOrders(core, event, at)
    case 'copyStopped': {
      const account = core.state.accounts.get(event.accountId)
      if (isCopy(account)) yield* endCopy(core, account, at)
      return
    }
    default:
  }
}

/** The copies of the running strategy: those of an ended one only close. */
function* followOpening(core: Core, event: Extract<Event, { type: 'positionOpened' }>, at: number): Steps {
  const provider = core.state.accounts.get(event.accountId)
  const { strategyEquity: equity } = event
  if (!provider?.strategy || equity === undefined) return
  const strategyId = provider.strategy.id
  for (const account of copiersOf(core.state, event.accountId)) {
    const { copy } = account
    if (copy.strategyId !== strategyId || copy.status === 'ending') continue
    yield* settleCopy(core, account, at)
    yield decideCopiedOpening(core, { ...event, equity }, account, at)
  }
}

type ProviderClose = Extract<Event, { type: 'positionClosed' | 'positionReduced' }>

function* followClosing(core: Core, event: ProviderClose, at: number): Steps {
  const source = { accountId: event.accountId, orderId: event.orderId }
  const left = event.type === 'positionReduced' ? lots(event.position.lots - event.lots) : lots(0)
  for (const account of copiersOf(core.state, event.accountId)) {
    const order = copiedPosition(account, event.orderId)
    if (!order) {
      if (followsEveryEvent(core.state, account)) yield skippedEvent(account, source, 'notHeld')
      continue
    }
    yield* settleCopy(core, account, at)
    yield left === 0
      ? decideCopyClose(core, account, order, { reason: 'providerClosed', at })
      : decideCopiedReduction(core, account, order, { providerLotsLeft: left, at })
    // Without a position no price reaches its copy stop loss any more.
    if (account.orders.size === 0) yield* decideCopyStopLoss(core, account, at)
    yield null
  }
}

/** True for a copy of a running strategy: each event of the provider has a row in it. */
export const followsEveryEvent = (state: State, { copy }: CopyAccount): boolean =>
  hasDetailedCopying(state) &&
  copy.status !== 'ending' &&
  state.accounts.get(copy.providerId)?.strategy?.id === copy.strategyId

/** A list of its own: a copy may end while the others follow. */
const copiersOf = (state: State, providerId: number) =>
  copiesAmong(state, state.accounts.get(providerId)?.copiers ?? [])

/** A copy that starts with the provider's open orders opens them at the present price. */
function* copyOpenOrders(core: Core, event: Extract<Event, { type: 'copyStarted' }>, at: number): Steps {
  const { accounts } = core.state
  const [provider, account] = [accounts.get(event.providerId), accounts.get(event.accountId)]
  if (!provider || !isCopy(account) || !event.openOrders) return
  const orders = openOrdersOf(provider, openingEquities(core.state, event, event.openOrders))
  for (const order of orders) yield decideCopiedOpening(core, order, account, at)
}

/** The equities by which a copy sizes the orders that were open when it started. By earlier rules its own changed between them. */
export const openingEquities = (
  state: State,
  { amount }: { readonly amount: Money },
  { strategyEquity }: { readonly strategyEquity: Money },
) => ({ equity: strategyEquity, ...(hasDetailedCopying(state) && { copyEquity: amount }) })

/** What several applied events cause, one after the other; the journal row stays open until all have followed. */
export function* followAll(core: Core, events: readonly Event[], at: number): Steps {
  for (const event of events) yield* follow(core, event, at)
  yield { type: 'rowCloses' }
}

/** The same steps, each event of a provider followed by its copies before the next step. */
export function* withCopies(core: Core, steps: Steps, at: number): Steps {
  for (const step of steps) {
    const event = step && !isFinding(step) ? withStrategyEquity(core.state, step) : null
    if (!event || !isOfProvider(core.state, event)) {
      yield event ?? step
      continue
    }
    yield { type: 'rowOpens' }
    yield event
    yield* follow(core, event, at)
    yield { type: 'rowCloses' }
  }
}
