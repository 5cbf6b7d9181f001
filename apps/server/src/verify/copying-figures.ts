/** Checks of copying (trading-rules §12): sizes, skipped orders, prices, fees, and that every copy has followed. */
import {
  carriedLoss,
  copiesAmong,
  decideCopiedOpening,
  endedEvent,
  EXPOSURE_LIMIT_MAX,
  figuresOf,
  hasDetailedCopying,
  isAtStopLoss,
  isCopy,
  followsEveryEvent,
  lots,
  lotsLeft,
  MAX_FEE_SHARE,
  money,
  monthFee,
  MULTIPLIER_MAX,
  MULTIPLIER_MIN,
  NO_MONEY,
  openingEquities,
  openOrdersOf,
  transferThrough,
  type Account,
  type Core,
  type CopyAccount,
  type Event,
  type Money,
  type ProviderOrder,
  type ReceiptTick,
  type State,
} from '@fairlot/core'
import { sizeFigures } from './copied-size.ts'
import type { Figure } from './figure.ts'

type Closing = Extract<Event, { type: 'positionClosed' | 'positionReduced' }>

/** What the copies of a provider's event still have to do before the journal row ends. */
type Followed = {
  readonly order: ProviderOrder
  readonly prices: readonly ReceiptTick[]
  readonly tick: ReceiptTick | null
  /** Lots left of the provider's order; null for an opening. */
  readonly lotsLeft: number | null
  /** Copies without an event of theirs. */
  readonly missing: Set<number>
}

export type CopyingBook = ReturnType<typeof createCopyingBook>

/** Follows the journal event by event; `figures` is called on the state just before each event. */
export function createCopyingBook() {
  const followed = new Map<number, Followed>()

  /** Notes an event that copies follow. */
  const begin = (state: State, event: Event): void => {
    if (event.type === 'positionOpened' && event.strategyEquity !== undefined) {
      const provider = state.accounts.get(event.accountId)
      const strategyId = provider?.strategy?.id
      const copies = copiesAmong(state, provider?.copiers ?? [])
      const active = copies.filter(({ copy }) => copy.strategyId === strategyId && copy.status !== 'ending')
      const { receipt, strategyEquity } = event
      followed.set(event.orderId, {
        order: { ...event, equity: strategyEquity },
        prices: receipt.prices ?? [],
        tick: receipt.tick,
        lotsLeft: null,
        missing: new Set(active.map(({ id }) => id)),
      })
    }
    if (event.type === 'copyStarted' && event.openOrders) beginWithOpenOrders(state, event, event.openOrders)
    if ((event.type === 'positionClosed' || event.type === 'positionReduced') && event.reason !== 'demoReset')
      beginClosing(state, event)
  }

  const beginWithOpenOrders = (
    state: State,
    event: Extract<Event, { type: 'copyStarted' }>,
    { strategyEquity, prices }: NonNullable<Extract<Event, { type: 'copyStarted' }>['openOrders']>,
  ): void => {
    const provider = state.accounts.get(event.providerId)
    const equities = openingEquities(state, event, { strategyEquity })
    for (const order of provider ? openOrdersOf(provider, equities) : [])
      followed.set(order.orderId, {
        order,
        prices,
        tick: null,
        lotsLeft: null,
        missing: new Set([event.accountId]),
      })
  }

  const beginClosing = (state: State, event: Closing): void => {
    const copies = copiesAmong(state, state.accounts.get(event.accountId)?.copiers ?? [])
    if (copies.length === 0) return
    const order = state.orders.get(event.orderId)
    if (!order) return
    const left = event.type === 'positionReduced' ? order.lots - event.lots : 0
    const concerned = copies.filter((account) => isConcerned(state, account, event.orderId, left))
    followed.set(event.orderId, {
      order: { ...order, orderId: order.id, equity: NO_MONEY },
      prices: [],
      tick: event.receipt.tick,
      lotsLeft: left,
      missing: new Set(concerned.map(({ id }) => id)),
    })
  }

  return {
    figures: (core: Core, event: Event, at: number): readonly Figure[] => {
      const { state } = core
      const figures = [
        ...strategyFigures(state, event),
        ...copyFigures(state, event, at),
        ...copiedFigures(core, followed, event, at),
      ]
      begin(state, event)
      return figures
    },
    /** At the end of a journal row every copy has followed. */
    finish: (): string | null => {
      for (const [orderId, { missing }] of followed) {
        const [copy] = missing
        if (copy !== undefined) return `copy ${copy} has not followed order ${orderId}`
      }
      followed.clear()
      return null
    },
  }
}

/**
 * True for a copy that has an event of its own: where the rule leaves it fewer lots, and from version 4 of the rules on
 * also where nothing changes, with the reason.
 */
function isConcerned(state: State, account: CopyAccount, orderId: number, left: number): boolean {
  const isHeld = account.copy.orders.has(orderId)
  if (!isHeld) return followsEveryEvent(state, account)
  return hasDetailedCopying(state) || isReduced(state, account, orderId, left)
}

/** True where the rule leaves a copy fewer lots than it has. */
function isReduced(state: State, account: CopyAccount, orderId: number, left: number): boolean {
  const order = account.orders.get(account.copy.orders.get(orderId) ?? 0)
  const instrument = order && state.instruments.get(order.instrumentId)
  if (!order?.copied || !instrument) return false
  return left === 0 || lotsLeft(instrument, order.copied, lots(left)) < order.lots
}

const pricedBy = (state: State, ticks: readonly ReceiptTick[]): State => ({
  ...state,
  quotes: new Map(ticks.map((tick) => [tick.instrumentId, tick])),
})

/** What a copy did because of its provider: the same size, reason and price again. */
function copiedFigures(
  { state, isOpen }: Core,
  followed: ReadonlyMap<number, Followed>,
  event: Event,
  at: number,
): Figure[] {
  const source = sourceOf(event)
  if (!source || !('accountId' in event)) return []
  const account = state.accounts.get(event.accountId)
  if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
  const figures: Figure[] = [['provider', source.accountId, account.copy.providerId]]
  const cause = followed.get(source.orderId)
  if (event.type === 'copySkipped' && (event.reason === 'belowStep' || event.reason === 'notHeld'))
    return [...figures, ...unchangedFigures(state, cause, account, event)]
  if (event.type === 'positionClosed' || event.type === 'positionReduced')
    return event.reason === 'providerClosed'
      ? [...figures, ...closingFigures(state, cause, account, event)]
      : figures
  if (!cause || cause.lotsLeft !== null)
    return [...figures, ["provider's order", source.orderId, 'in the row']]
  const order = orderOf(cause, account)
  const priced = pricedBy(state, [...cause.prices, ...(cause.tick ? [cause.tick] : [])])
  const expected = decideCopiedOpening({ state: priced, isOpen }, cause.order, account, at)
  return [...figures, order, ['', event, expected], ...openedSize(priced, cause.order, account, event)]
}

/** The copy has followed: copies do so by their account's id, none before another. */
function orderOf({ missing }: Followed, { id }: CopyAccount): Figure {
  const [next] = missing
  missing.delete(id)
  return ['order of the copies', id, next ?? null]
}

/** The core has sized the expected event; this is the rule once more. */
function openedSize(state: State, order: ProviderOrder, account: CopyAccount, event: Event): Figure[] {
  if (event.type !== 'positionOpened') return []
  const instrument = state.instruments.get(event.instrumentId)
  if (!instrument) return [['instrument', event.instrumentId, 'a known one']]
  return sizeFigures({
    lots: event.lots,
    providerLots: order.lots,
    multiplier: account.copy.multiplier,
    equity: order.copyEquity ?? figuresOf(state, account).equity,
    providerEquity: order.equity,
    instrument,
    isNearCounted: hasDetailedCopying(state),
  })
}

/** Nothing changed in a copy: it has no position of the order, or the nearest step is what it has. */
function unchangedFigures(
  state: State,
  cause: Followed | undefined,
  account: CopyAccount,
  { source, reason, equity }: Extract<Event, { type: 'copySkipped' }>,
): Figure[] {
  if (!cause || cause.lotsLeft === null) return [["provider's order", source.orderId, 'closed in the row']]
  const isHeld = account.copy.orders.has(source.orderId)
  return [
    orderOf(cause, account),
    ['reason', reason, isHeld ? 'belowStep' : 'notHeld'],
    ['lots change', isHeld && isReduced(state, account, source.orderId, cause.lotsLeft), false],
    ['equity', equity, null],
  ]
}

function sourceOf(event: Event) {
  if (event.type === 'copySkipped') return event.source
  return 'receipt' in event ? event.receipt.copied : undefined
}

function closingFigures(
  state: State,
  cause: Followed | undefined,
  account: CopyAccount,
  event: Closing,
): Figure[] {
  if (!cause || cause.lotsLeft === null) return [["provider's order", event.orderId, 'closed in the row']]
  const inOrder = orderOf(cause, account)
  const order = account.orders.get(event.orderId)
  const instrument = order && state.instruments.get(order.instrumentId)
  if (!order?.copied || !instrument) return [['order', event.orderId, 'a copied one']]
  const left = cause.lotsLeft === 0 ? 0 : lotsLeft(instrument, order.copied, lots(cause.lotsLeft))
  const closed = event.type === 'positionReduced' ? event.lots : order.lots
  return [inOrder, ['lots', closed, order.lots - left], ['tick', event.receipt.tick, cause.tick]]
}

function strategyFigures(state: State, event: Event): Figure[] {
  switch (event.type) {
    case 'positionOpened':
      return equityFigures(state, event)
    case 'strategyPublished':
      return [
        ['strategy', event.strategyId, state.lastStrategyId + 1],
        ['strategy before', state.accounts.get(event.accountId)?.strategy ?? null, null],
        ['fee share', event.feeShare >= 0 && event.feeShare <= MAX_FEE_SHARE, true],
      ]
    case 'strategyFeeSet': {
      const strategy = state.accounts.get(event.accountId)?.strategy
      return [
        ['strategy', event.strategyId, strategy?.id ?? null],
        ['fee share', event.feeShare >= 0 && event.feeShare <= MAX_FEE_SHARE, true],
        ['fee share as before', event.feeShare === strategy?.feeShare, false],
      ]
    }
    case 'strategyEnded':
      return [['strategy', event.strategyId, state.accounts.get(event.accountId)?.strategy?.id ?? null]]
    default:
      return []
  }
}

/** The equity by which copies size theirs: of every opening of a strategy, and of no other. */
function equityFigures(state: State, event: Extract<Event, { type: 'positionOpened' }>): Figure[] {
  const account = state.accounts.get(event.accountId)
  if (!account?.strategy) return [['equity of a strategy', event.strategyEquity, undefined]]
  return [
    ['equity of the strategy', event.strategyEquity, equityAt(state, account, event.receipt.prices ?? [])],
  ]
}

const equityAt = (state: State, account: Account, ticks: readonly ReceiptTick[]): Money =>
  figuresOf(pricedBy(state, ticks), account).equity

function copyFigures(state: State, event: Event, at: number): Figure[] {
  switch (event.type) {
    case 'copyStarted':
      return startFigures(state, event, at)
    case 'copyFunded': {
      const account = state.accounts.get(event.accountId)
      if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
      const { base, mark } = account.copy
      return [
        ['base', event.base, money(base + event.amount)],
        ['mark', event.mark, money(mark + event.amount)],
        ['transfers', event.transfers, funding(state, account.ownerId, account.id, event.amount)],
      ]
    }
    case 'copyTermsSet':
      return termsFigures(state, event)
    case 'copyReduced':
      return takingFigures(state, event)
    case 'copyStopped': {
      const account = state.accounts.get(event.accountId)
      if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
      if (event.reason !== 'stopLoss') return [['proof', event.proof, undefined]]
      const equity = equityAt(state, account, event.proof?.prices ?? [])
      return [
        ['equity', event.proof?.equity, equity],
        ['copy stop loss reached', isAtStopLoss(account.copy, equity), true],
      ]
    }
    case 'copyEnded': {
      const account = state.accounts.get(event.accountId)
      if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
      return [
        ['active orders', account.orders.size, 0],
        ['', event, endedEvent(state, account)],
      ]
    }
    case 'performanceFeeCharged': {
      const account = state.accounts.get(event.accountId)
      if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
      return [
        ['month already charged', account.copy.feeChargedAt >= event.moment, false],
        ['', event, monthFee(state, account, event.moment)],
      ]
    }
    default:
      return []
  }
}

/** Choices within their ranges; an exposure limit from before version 4 may stay. */
function termsFigures(state: State, event: Extract<Event, { type: 'copyTermsSet' }>): Figure[] {
  const account = state.accounts.get(event.accountId)
  if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
  const { multiplier, exposureLimit, excluded } = event
  const isAscending = excluded.every((id, index) => index === 0 || id > (excluded[index - 1] ?? 0))
  return [
    ['ending', account.copy.status === 'ending', false],
    ['multiplier in its range', multiplier >= MULTIPLIER_MIN && multiplier <= MULTIPLIER_MAX, true],
    [
      'exposure limit in its range',
      exposureLimit === account.copy.exposureLimit ||
        (exposureLimit >= 1 && exposureLimit <= EXPOSURE_LIMIT_MAX),
      true,
    ],
    ['excluded in ascending order', isAscending && excluded.every((id) => state.instruments.has(id)), true],
  ]
}

function startFigures(state: State, event: Extract<Event, { type: 'copyStarted' }>, at: number): Figure[] {
  const { ownerId, providerId, strategyId, amount } = event
  const [owner, provider] = [state.accounts.get(ownerId), state.accounts.get(providerId)]
  return [
    ['account', event.accountId, state.lastAccountId + 1],
    ['strategy', strategyId, provider?.strategy?.id ?? null],
    ['fee share', event.feeShare, provider?.strategy?.feeShare ?? null],
    ['ledger', event.ledger, owner?.ledger ?? null],
    ['carried loss', event.carriedLoss, carriedLoss(state, ownerId, providerId, at)],
    ['transfers', event.transfers, funding(state, ownerId, event.accountId, amount)],
    ...(event.openOrders && provider
      ? [
          [
            'equity of the strategy',
            event.openOrders.strategyEquity,
            equityAt(state, provider, event.openOrders.prices),
          ] as const,
        ]
      : []),
  ]
}

function funding(state: State, ownerId: number, copyId: number, amount: Money) {
  const owner = state.accounts.get(ownerId)
  return owner ? transferThrough(owner, { id: copyId }, amount, 'copyIn') : []
}

/** Independent of the core's functions: the part taken out, its fee, and what is left of base and mark. */
function takingFigures(state: State, event: Extract<Event, { type: 'copyReduced' }>): Figure[] {
  const account = state.accounts.get(event.accountId)
  if (!isCopy(account)) return [['account', event.accountId, 'a copy']]
  const equity = equityAt(state, account, event.prices)
  const { balance } = account.available
  const basis = balance < equity ? balance : equity
  const { base, mark, feeShare } = account.copy
  const above = basis > mark ? basis - mark : 0n
  const part = (value: bigint, numerator: bigint, denominator: bigint): bigint =>
    (2n * value * numerator + denominator) / (2n * denominator)
  const due = part(above * BigInt(feeShare), event.amount, basis * 1_000_000n)
  const isPayable =
    account.ledger === 'demo' || state.accounts.get(account.copy.providerId)?.status !== 'closed'
  return [
    ['equity', event.equity, equity],
    ['fee', event.fee, isPayable ? due : 0n],
    ['base', event.base, part(base, equity - event.amount, equity)],
    [
      'mark',
      event.mark,
      hasDetailedCopying(state) && basis < mark
        ? mark - event.amount
        : part(mark, basis - event.amount, basis),
    ],
    [
      'money that arrives',
      event.transfers.filter(({ kind }) => kind === 'copyOut').at(-1)?.amount ?? 0n,
      event.amount - event.fee,
    ],
  ]
}
