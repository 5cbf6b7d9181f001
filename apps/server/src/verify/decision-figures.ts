import {
  decide,
  isRejection,
  money,
  NO_MONEY,
  type Account,
  type Arrival,
  type ArrivalClaim,
  type Author,
  type CopyEndReason,
  type DecisionContext,
  type Entry,
  type Event,
  type Operator,
  type OrderPlaced,
  type PositionOpened,
  type Receipt,
  type SentMoney,
  type SingleCommand,
  type State,
} from '@fairlot/core'
import type { Figure } from './figure.ts'

type Kind = Author['type']

const DUE_WORK: readonly Kind[] = ['clock', 'market']
const OPERATORS: readonly Kind[] = ['operator']

/** Who may cause an event (trading-rules §11); who ends an order depends on the reason. */
function allowed(event: Event): readonly Kind[] {
  switch (event.type) {
    case 'accountOpened':
    case 'orderPlaced':
    case 'stopsSet':
    case 'demoReset':
    case 'depositOpened':
    case 'withdrawalHeld':
    case 'payoutMethodRemoved':
    case 'accountClosed':
    case 'alertSet':
    case 'alertRemoved':
      return ['user']
    case 'strategyPublished':
    case 'strategyFeeSet':
    case 'copyStarted':
    case 'copyPaused':
    case 'copyResumed':
    case 'copyStopLossSet':
    case 'copyTermsSet':
    case 'copyFunded':
    case 'copyReduced':
      return ['user']
    case 'strategyEnded':
      return event.reason === 'copyingOff' || event.reason === 'providerFrozen' ? ['clock'] : ['user']
    case 'copySkipped':
      // By the user: with the open orders at the start of a copy.
      return ['copy', 'user']
    case 'copyStopped':
      return stoppedBy(event.reason)
    case 'copyEnded':
      return ['user', 'copy', ...DUE_WORK]
    case 'performanceFeeCharged':
      return ['copy', ...DUE_WORK]
    case 'monthFeesCharged':
      return ['clock']
    case 'positionOpened':
      if (event.copied) return ['copy', 'user']
      // A limit order whose price was there already fills at once, by its user.
      return event.receipt.trigger === 'user' ? ['user'] : ['market']
    case 'positionReduced':
      return event.reason === 'providerClosed' ? ['copy'] : ['user']
    case 'positionClosed':
      return closedBy(event.reason)
    case 'orderCancelled':
      return cancelledBy(event.reason)
    case 'withdrawalEnded':
      return event.outcome === 'cancelled' ? ['user'] : OPERATORS
    case 'alertFired':
    case 'alertRearmed':
    case 'trailingMoved':
    case 'referenceSettled':
      return ['market']
    case 'alertEnded':
    case 'pricesMarked':
      return DUE_WORK
    case 'swapBooked':
      // Due work of a copy comes before what its provider causes.
      return ['copy', ...DUE_WORK]
    case 'equityRangeNoted':
    case 'rolledOver':
    case 'termsTookEffect':
      return ['clock']
    case 'termsSet':
      return ['operator', 'deployment']
    case 'rulesSet':
    case 'operatorsAdopted':
    case 'recoveryAnnounced':
    case 'recoveryUsed':
      return ['deployment']
    case 'operatorSet':
    case 'operatorJoined':
    case 'singleOperatorEnded':
    case 'withdrawalApprovalVoided':
      return ['operator', 'deployment']
    case 'adjustmentEnded':
      // Switching off its requester ends it, also when a recovery by the deployment does.
      return event.outcome === 'refused' ? ['operator', 'deployment'] : OPERATORS
    case 'payoutMethodBound':
      return ['user', 'deployment']
    case 'termsWithdrawn':
      // The clock withdraws terms that cannot take effect any more, a change of terms those that hold later.
      return ['operator', 'deployment', 'clock']
    case 'accountStatusSet':
    case 'instrumentHalted':
    case 'tradingModeSet':
      // The clock ends limits that one operator set alone.
      return ['operator', 'clock']
    default:
      return OPERATORS
  }
}

function stoppedBy(reason: CopyEndReason): readonly Kind[] {
  if (reason === 'owner' || reason === 'ownerReset') return ['user']
  return reason === 'stopLoss' ? ['market', 'copy'] : ['clock']
}

function closedBy(reason: string): readonly Kind[] {
  if (reason === 'operator') return OPERATORS
  if (reason === 'providerClosed') return ['copy']
  if (reason === 'copyEnded') return ['user', 'copy', ...DUE_WORK]
  return reason === 'user' || reason === 'demoReset' ? ['user'] : ['market']
}

function cancelledBy(reason: string): readonly Kind[] {
  if (reason === 'cancelledByUser' || reason === 'demoReset') return ['user']
  const isByPrice = reason === 'stopOut' || reason === 'notEnoughAtTrigger' || reason === 'stopPassed'
  return isByPrice ? ['market'] : DUE_WORK
}

/** The author of an entry may cause its events, and a user only those of the accounts they own. */
export function authorFigures(state: State, { author, request }: Entry, event: Event): Figure[] {
  const isAllowed = allowed(event).includes(author.type)
  const figures: Figure[] = [['author', author.type, isAllowed ? author.type : allowed(event).join(' or ')]]
  if (author.type === 'user' && 'accountId' in event)
    figures.push(['account of the author', author.accountId, ownerBehind(state, event)])
  if (request) figures.push(['account of the request', request.accountId, ownerOf(author)])
  return figures
}

/** The user to whom the account of an event belongs. */
function ownerBehind({ accounts }: State, event: Extract<Event, { accountId: number }>): number {
  if (event.type === 'copyStarted') return event.ownerId
  return accounts.get(event.accountId)?.ownerId ?? event.accountId
}

const OF_THE_DEPLOYMENT = 0

/** The owner of an author's request ids: the account of a user, the id of an operator. */
function ownerOf(author: Author): number | null {
  if (author.type === 'operator') return author.id
  if (author.type === 'deployment') return OF_THE_DEPLOYMENT
  return author.type === 'user' ? author.accountId : null
}

/** More than any order costs: the real free margin depended on prices that the journal does not name. */
const UNLIMITED = money(10n ** 17n)

/** Decides a request again at the prices of its receipt, which must give the same event: finds sizes, leverage and stops beyond the terms. */
export function requestFigures(
  { state, isOpen }: DecisionContext,
  event: Event,
  { author, at }: Entry,
): Figure[] {
  if (!('receipt' in event)) return []
  if (author.type === 'operator') return operatorFigures({ state, isOpen }, event, author, at)
  if (author.type !== 'user') return []
  const account = state.accounts.get(event.accountId)
  if (!account) return []
  const priced = pricedBy(state, event.receipt)
  const again = (view: State, command: SingleCommand) => decidedAgain({ state: view, isOpen }, command, event)
  switch (event.type) {
    case 'orderPlaced':
      return again(withUnlimitedMoney(priced, account), placingCommand(event, at))
    case 'positionOpened':
      // How a copied position came about is compared by `copying-figures`.
      if (event.copied) return []
      return decidedAgain(
        { state: withUnlimitedMoney(priced, account), isOpen },
        placingCommand(event, at),
        event,
        (expected) => withStrategyEquity(expected, event),
      )
    case 'positionReduced':
      return event.reason === 'user' ? again(priced, closingCommand(event, at, event.lots)) : []
    case 'positionClosed':
      return event.reason === 'user' ? again(priced, closingCommand(event, at, null)) : []
    default:
      return []
  }
}

/** The equity of a published strategy and its prices are compared by `copying-figures`. */
const withStrategyEquity = (expected: Event | undefined, event: PositionOpened): Event | undefined =>
  expected?.type === 'positionOpened' && event.strategyEquity !== undefined
    ? {
        ...expected,
        strategyEquity: event.strategyEquity,
        receipt: { ...expected.receipt, ...(event.receipt.prices && { prices: event.receipt.prices }) },
      }
    : expected

/** The only event of an order that an operator may cause is closing a position. */
function operatorFigures(
  { state, isOpen }: DecisionContext,
  event: Extract<Event, { receipt: Receipt }>,
  by: Operator,
  at: number,
): Figure[] {
  if (event.type !== 'positionClosed') return []
  const { accountId, orderId, receipt } = event
  const view = { state: pricedBy(state, event.receipt), isOpen }
  return decidedAgain(
    view,
    { type: 'closeByOperator', at, by, accountId, orderId, ground: receipt.ground },
    event,
  )
}

/** `adjust` changes the expected event before it is compared. */
function decidedAgain(
  context: DecisionContext,
  command: SingleCommand,
  event: Event,
  adjust: (expected: Event | undefined) => Event | undefined = (expected) => expected,
): Figure[] {
  const decided = decide(context, command)
  if (isRejection(decided)) return [['decision', `refused: ${decided.rejected}`, 'accepted']]
  return [['', event, adjust(decided[0])]]
}

const pricedBy = (state: State, { tick, conversion }: Receipt): State => ({
  ...state,
  quotes: new Map([...(tick ? [tick] : []), ...conversion].map((one) => [one.instrumentId, one])),
})

function withUnlimitedMoney(state: State, account: Account): State {
  const funded = {
    ...account,
    exposures: new Map(),
    margin: NO_MONEY,
    reserved: NO_MONEY,
    available: { ...account.available, balance: UNLIMITED },
  }
  return { ...state, accounts: new Map([[account.id, funded]]) }
}

const placingCommand = (event: OrderPlaced | PositionOpened, at: number): SingleCommand => {
  const { accountId, instrumentId, side, lots, leverage, takeProfit, stopLoss, expiresAt } = event
  const { targetPrice } = event
  const size = { instrumentId, side, lots, leverage }
  // An order without a kind is the same; only one that filled at once needs its kind.
  const kind = event.type === 'positionOpened' && event.kind === 'limit' ? ('limit' as const) : undefined
  return { type: 'placeOrder', at, accountId, ...size, targetPrice, kind, takeProfit, stopLoss, expiresAt }
}

type Closed = Extract<Event, { type: 'positionClosed' | 'positionReduced' }>

const closingCommand = ({ accountId, orderId }: Closed, at: number, lots: PartSize): SingleCommand => ({
  type: 'closePosition',
  at,
  accountId,
  orderId,
  lots,
})

type PartSize = Extract<Event, { type: 'positionReduced' }>['lots'] | null

/** Decides a command of an operator or of a payment again on the state just before, which must give the same event. */
export function decidedFigures({ state, isOpen }: DecisionContext, event: Event, entry: Entry): Figure[] {
  const [first] = entry.events
  if (first && STARTS_OPERATOR_ENTRY.has(first.type))
    return event === first ? operatorEntryFigures({ state, isOpen }, entry) : []
  if (PARTS_OF_OPERATOR_ENTRY.has(event.type)) return [['decision', 'alone', 'with a change of an operator']]
  if (first?.type === 'termsSet' && (first.rules ?? 1) >= 3 && !isAdoption(entry))
    return event === first ? termsEntryFigures({ state, isOpen }, first, entry) : []
  if (event.type === 'termsWithdrawn' && entry.author.type === 'deployment')
    return [['decision', 'alone', 'with a change of terms']]
  const command = commandBehind(event, entry)
  if (!command) return []
  const view = { ...viewFor(state, command), quotes: pricesBehind(event) }
  return decidedAgain({ state: view, isOpen }, command, event, (expected) =>
    expected?.type === 'termsSet' && event.type === 'termsSet' && isAdoption(entry)
      ? { ...expected, ...(event.rules && { rules: event.rules }) }
      : expected,
  )
}

type Types = ReadonlySet<Event['type']>

const STARTS_OPERATOR_ENTRY: Types = new Set([
  'operatorsAdopted',
  'operatorSet',
  'operatorJoined',
  'recoveryUsed',
])
const PARTS_OF_OPERATOR_ENTRY: Types = new Set(['withdrawalApprovalVoided', 'singleOperatorEnded'])

/**
 * A change of an operator voids what they decided and may end single-operator mode: no such event may be left out or
 * added. Journals of earlier versions may lack the refusal of an adjustment.
 */
function operatorEntryFigures(context: DecisionContext, entry: Entry): Figure[] {
  const { events } = entry
  const command = operatorCommand(entry)
  const decided = command ? decide(context, command) : null
  if (decided === null) return [['decision', 'without a command', 'accepted']]
  if (isRejection(decided)) return [['decision', `refused: ${decided.rejected}`, 'accepted']]
  const isRefused = (caseId: number) =>
    events.some((event) => event.type === 'adjustmentEnded' && event.caseId === caseId)
  const expected = decided.filter((event) => event.type !== 'adjustmentEnded' || isRefused(event.caseId))
  return [['event', events, expected]]
}

/** A change of terms withdraws what was announced for later: no withdrawal may be left out or added. */
function termsEntryFigures(context: DecisionContext, first: Event, entry: Entry): Figure[] {
  const command = commandBehind(first, entry)
  const decided = command ? decide(context, command) : null
  if (decided === null) return [['decision', 'without a command', 'accepted']]
  if (isRejection(decided)) return [['decision', `refused: ${decided.rejected}`, 'accepted']]
  return [
    ['', first, decided[0]],
    ['withdrawn changes', entry.events.slice(1), decided.slice(1)],
  ]
}

function operatorCommand({ at, author, events }: Entry): SingleCommand | null {
  const [first] = events
  const hasJoined = (operatorId: number) =>
    events.some((event) => event.type === 'operatorJoined' && event.operatorId === operatorId)
  if (first?.type === 'operatorSet' && (author.type === 'operator' || author.type === 'deployment')) {
    const { operatorId, role, isActive } = first
    const change = { type: 'setOperator', at, operatorId, role, isActive } as const
    return { ...change, by: author, ...(hasJoined(operatorId) && { hasJoined: true }) }
  }
  if (first?.type === 'operatorJoined' && author.type === 'operator')
    return { type: 'joinOperator', at, by: author }
  if (author.type !== 'deployment') return null
  if (first?.type === 'recoveryUsed')
    return { type: 'useRecovery', at, by: author, operatorId: first.operatorId }
  if (first?.type !== 'operatorsAdopted') return null
  const operators = events.flatMap((event) =>
    event.type === 'operatorSet' ? [{ ...event, hasJoined: hasJoined(event.operatorId) }] : [],
  )
  return { type: 'adoptOperators', at, by: author, operators }
}

/** The first terms of a journal, which the bounds of later ones do not limit. */
const isAdoption = ({ author, events: [first] }: Entry): boolean =>
  author.type === 'deployment' && first?.type === 'termsSet' && first.changeId === 1

function commandBehind(event: Event, entry: Entry): SingleCommand | null {
  const { at, author } = entry
  if (author.type === 'operator' || author.type === 'deployment') {
    if (event.type === 'termsSet') {
      const effectiveAt = event.effectiveAt === at ? null : event.effectiveAt
      const rules = isAdoption(entry) ? 1 : (event.rules ?? 1)
      return { type: 'setTerms', at, by: author, change: event.change, effectiveAt, rules }
    }
  }
  if (author.type === 'deployment' && event.type === 'rulesSet')
    return { type: 'setRules', at, by: author, rules: event.rules }
  if (author.type === 'deployment' && event.type === 'recoveryAnnounced') {
    const { operatorId, name, role, reason, digest } = event
    return { type: 'announceRecovery', at, by: author, operatorId, name, role, reason, digest }
  }
  if (author.type !== 'operator') return commandOfUser(event, entry)
  const common = { at, by: author }
  switch (event.type) {
    case 'termsWithdrawn':
      return { type: 'withdrawTerms', ...common, changeId: event.changeId, rules: event.rules ?? 2 }
    case 'accountStatusSet':
      return { type: 'setAccountStatus', ...common, accountId: event.accountId, status: event.status }
    case 'instrumentHalted':
      return { type: 'haltInstrument', ...common, instrumentId: event.instrumentId, reason: event.reason }
    case 'referenceAdmitted': {
      const { instrumentId, bid, ask, source, market } = event
      return { type: 'admitReference', ...common, instrumentId, bid, ask, source, market }
    }
    case 'tradingModeSet':
      return { type: 'setTradingMode', ...common, mode: event.mode }
    case 'depositEnded':
      return {
        type: 'endDeposit',
        ...common,
        caseId: event.caseId,
        outcome: event.outcome,
        ...(event.arrived ? { arrived: claimOf(event.arrived, at) } : { amount: event.amount }),
      }
    case 'withdrawalEnded':
      return event.outcome === 'cancelled'
        ? null
        : { type: 'endWithdrawal', ...common, caseId: event.caseId, outcome: event.outcome }
    case 'withdrawalApproved':
      return { type: 'approveWithdrawal', ...common, caseId: event.caseId }
    case 'withdrawalPaying':
      return { type: 'startPayment', ...common, caseId: event.caseId }
    case 'recoveryCalledOff':
      return { type: 'callOffRecovery', ...common }
    case 'adjustmentAsked':
      return { type: 'askAdjustment', ...common, accountId: event.accountId, amount: event.amount }
    case 'adjustmentEnded':
      return { type: 'endAdjustment', ...common, caseId: event.caseId, outcome: event.outcome }
    default:
      return null
  }
}

function commandOfUser(event: Event, { at, events }: Entry): SingleCommand | null {
  switch (event.type) {
    case 'depositOpened':
      return event.sent
        ? { type: 'openDeposit', at, accountId: event.accountId, sent: sentIn(event.sent) }
        : { type: 'openDeposit', at, accountId: event.accountId, amount: event.amount }
    case 'withdrawalHeld': {
      const { accountId, amount, fee, payout } = event
      return { type: 'requestWithdrawal', at, accountId, amount, fee, ...(payout && { payout }) }
    }
    case 'accountClosed':
      return { type: 'closeAccount', at, accountId: event.accountId, leftMax: event.left }
    case 'alertSet': {
      const { accountId, condition, pauseMs, expiresAt = null } = event
      return { type: 'setAlert', at, accountId, condition, pauseMs, expiresAt }
    }
    case 'alertRemoved':
      // Those of a closed or reset account are removed with it.
      return events.length > 1
        ? null
        : { type: 'removeAlert', at, accountId: event.accountId, alertId: event.alertId }
    case 'withdrawalEnded':
      return { type: 'cancelWithdrawal', at, accountId: event.accountId, caseId: event.caseId }
    default:
      return null
  }
}

const sentIn = ({ currency, amount, fixedRate }: SentMoney): SentMoney => ({ currency, amount, fixedRate })

/** Money that arrived at the decision is converted by its prices; an earlier rate is only stated in the journal. */
const claimOf = ({ amount, at, rate }: Arrival, decidedAt: number): ArrivalClaim =>
  at === decidedAt ? { amount } : { amount, at, rate }

/** The prices that a decision names. */
function pricesBehind(event: Event): State['quotes'] {
  const quotes =
    event.type === 'depositOpened'
      ? event.sent?.quotes
      : event.type === 'depositEnded'
        ? event.arrived?.quotes
        : event.type === 'alertSet' && event.tick
          ? [event.tick]
          : undefined
  return new Map(quotes?.map((tick) => [tick.instrumentId, tick]))
}

/** The state without the account's positions and margin, so that only the balance limits: the journal does not name their value. */
function viewFor(state: State, command: SingleCommand): State {
  const account = accountOf(state, command)
  if (!account || account.exposures.size === 0) return state
  const free = { ...account, exposures: new Map(), margin: NO_MONEY, reserved: NO_MONEY }
  return { ...state, accounts: new Map([[account.id, free]]) }
}

function accountOf({ accounts, cases }: State, command: SingleCommand): Account | undefined {
  if ('accountId' in command) return accounts.get(command.accountId)
  return 'caseId' in command ? accounts.get(cases.get(command.caseId)?.accountId ?? 0) : undefined
}
