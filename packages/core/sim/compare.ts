/** Compares the core with its reference model, exactly. Every difference is a line of text. */
import { isDeepStrictEqual } from 'node:util'
import {
  figuresOf,
  floatingProfit,
  stopOutPrice,
  type Account,
  type Author,
  type Command,
  type Entry,
  type OpenRollover,
  type Order,
  type RejectionCode,
  type DecisionContext,
  WHOLE_MARKET,
  type State,
} from '../src/index.ts'
import { show } from './canonical.ts'
import type { Done } from './host.ts'
import { protectionDuring } from './reference/withdrawals.ts'
import { distanceToStopOut, isPriced, referenceFigures, referenceFloating } from './reference/figures.ts'
import type { ReferenceHours } from './reference/trading-hours.ts'
import {
  decisionsOf,
  hasTwoOperatorRules,
  isSingleOperatorMode,
  maySingleOperatorPay,
  recoveryIn,
  progressOf,
  staffOf,
} from './reference/operator-rules.ts'
import {
  balanceAt,
  frozenAccount,
  ordersOf,
  type ReferenceModel,
  type ReferenceRollover,
  type ReferenceOrder,
} from './reference/state.ts'
import type { ReferenceDone } from './reference/reference-model.ts'

function differ(what: string, expected: unknown, got: unknown): string[] {
  if (isDeepStrictEqual(expected, got)) return []
  return differences(what, expected, got)
}

/** Where two values differ, field by field. */
function differences(where: string, expected: unknown, got: unknown): string[] {
  if (isDeepStrictEqual(expected, got)) return []
  const [left, right] = [partsOf(expected), partsOf(got)]
  if (!left || !right) return [`${where}\n  expected ${show(expected)}\n  got      ${show(got)}`]
  const names = new Set([...left.keys(), ...right.keys()])
  return [...names].flatMap((name) => differences(`${where}.${name}`, left.get(name), right.get(name)))
}

function partsOf(value: unknown): Map<string, unknown> | null {
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [String(key), part]))
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null
}

/** Closed orders leave the core's memory, which reports them as unknown; a host looks them up in its tables. */
const asKnownToCore = (refused: RejectionCode | null) =>
  refused === 'alreadyClosed' ? 'orderNotFound' : refused

export function compareDone(expected: ReferenceDone, got: Done, command: Command): string[] {
  return [
    ...differ('refused', asKnownToCore(expected.refused), got.refused),
    ...differ('request', expected.request, got.request),
    ...differ('events', expected.events, got.events),
    ...differ('ledger rows', expected.rows, got.postings),
    ...differ('trailed', expected.trailed, got.trailed),
    ...differ('authors', authorsOf(expected, command), coreAuthors(got)),
    ...differ('repeated', expected.repeated, got.repeated && entryOf(got.repeated)),
  ]
}

const entryOf = ({ at, request, events }: Entry): Omit<Entry, 'author'> => ({ at, request, events })

/** The author of every event: the clock for due work, the market for a price, else who requested it. */
function authorsOf({ events, due }: ReferenceDone, command: Command): Author[] {
  return events.map((event, index) => {
    if (index < due || command.type === 'clock') return { type: 'clock' }
    if (command.type === 'tick') return { type: 'market' }
    if ('by' in command) return command.by
    const accountId = 'accountId' in command ? command.accountId : 0
    return { type: 'user', accountId: event.type === 'accountOpened' ? event.accountId : accountId }
  })
}

const coreAuthors = ({ entries }: Done): Author[] =>
  entries.flatMap(({ author, events }) => events.map(() => author))

export function compareAccount(model: ReferenceModel, state: State, accountId: number): string[] {
  const account = state.accounts.get(accountId)
  if (!account) return [`account ${accountId} is unknown to the core`]
  const named = `account ${accountId}`
  return [
    ...differ(`${named} orders`, referenceOrders(model, accountId), coreOrders(account)),
    ...differ(`${named} figures`, referenceFigures(model, accountId), coreFigures(state, account)),
    ...differ(
      `${named} entries`,
      model.balances.get(account.available.id)?.count ?? 0,
      account.available.entryCount,
    ),
    ...differ(`${named} frozen`, balanceAt(model, frozenAccount(accountId)), account.frozen.balance),
    ...compareFloating(model, state, account),
    ...compareLevel(model, state, account),
  ]
}

const referenceOrders = (model: ReferenceModel, accountId: number): object[] =>
  ordersOf(model, accountId)
    .toSorted((a, b) => a.orderId - b.orderId)
    .map(({ reason: _reason, parentId: _parent, ...order }: ReferenceOrder) => order)

const coreOrders = (account: Account): object[] =>
  [...account.orders.values()]
    .toSorted((a, b) => a.id - b.id)
    // The simulation has no copies.
    .map(({ id: orderId, copied: _copied, ...order }: Order) => ({ orderId, ...order }))

function coreFigures(state: State, account: Account): object {
  const { level: _level, ...figures } = figuresOf(state, account)
  return figures
}

function compareFloating(model: ReferenceModel, state: State, account: Account): string[] {
  return ordersOf(model, account.id).flatMap((order) => {
    const known = account.orders.get(order.orderId)
    return known
      ? differ(`order ${order.orderId} profit`, referenceFloating(model, order), floatingProfit(state, known))
      : []
  })
}

/** The level is a fraction, so it is compared by multiplying across. */
function compareLevel(model: ReferenceModel, state: State, account: Account): string[] {
  const { level } = figuresOf(state, account)
  const { equity, margin } = referenceFigures(model, account.id)
  const isSame = level ? level.numerator * margin === equity * level.denominator : margin === 0n
  return isSame
    ? []
    : [`account ${account.id} level\n  expected ${equity}/${margin}\n  got      ${show(level)}`]
}

/** Compares everything: all accounts, every ledger account from its rows, quotes, ids. */
export function compareAll(model: ReferenceModel, state: State): string[] {
  const held = [...state.ledger.balances.values()].filter(({ entryCount }) => entryCount > 0)
  return [
    ...differ(
      'accounts',
      model.accounts,
      [...state.accounts.values()].map(({ id, ledger, status, statusReason }) => ({
        id,
        ledger,
        status,
        statusReason,
        freeze: state.freezes.get(id) ?? null,
        recentFreeze: state.recentFreezes.get(id) ?? null,
      })),
    ),
    ...model.accounts.flatMap(({ id }) => compareAccount(model, state, id)),
    ...differ('ledger', sumRows(model), new Map(held.map(({ id, balance }) => [id, balance]))),
    ...differ('quotes', model.quotes, state.quotes),
    ...differ('active orders', model.active.length, state.orders.size),
    ...differ('last order', model.lastOrderId, state.lastOrderId),
    ...differ('last hour', model.lastPriceSnapshot, state.lastPriceSnapshot),
    ...differ('last rollover', model.lastRollover, state.lastRollover),
    ...differ('rollovers', model.rollovers.map(rolloverOf), [...state.rollovers.values()].map(coreRollover)),
    ...compareAlerts(model, state),
    ...compareTerms(model, state),
    ...differ('cases', casesOf(model), [...state.cases.values()]),
    ...compareDesk(model, state),
    ...differ('last case', model.cases.length, state.lastCaseId),
    ...differ('mode', model.mode, modeIn(state)),
    ...differ('halts', haltedBy(model), endsIn(state)),
    ...differ(
      'alone again',
      withoutZero(model.singleOperatorHaltAllowedFrom),
      withoutZero(state.singleOperatorHaltAllowedFrom),
    ),
  ]
}

function compareAlerts(model: ReferenceModel, state: State): string[] {
  const alerts = [...state.alerts.values()].flatMap((ofAccount) => [...ofAccount.values()])
  return [
    ...differ(
      'alerts',
      model.alerts,
      alerts.toSorted((a, b) => a.id - b.id),
    ),
    ...differ('last alert', model.lastAlertId, state.lastAlertId),
  ]
}

/** The core forgets decisions more than 24 hours older than the last one. */
function compareDesk(model: ReferenceModel, state: State): string[] {
  const staff = staffOf(model).map(({ id, ...standing }) => [id, standing] as const)
  const decisions = decisionsOf(model)
  const reach = (decisions.at(-1)?.at ?? 0) - 24 * 3_600_000
  return [
    ...differ('operators', new Map(staff), state.operators),
    ...differ('two-operator rules', hasTwoOperatorRules(model), state.hasOperators),
    ...differ('recovery', recoveryIn(model), state.recovery),
    ...differ('one operator', isSingleOperatorMode(model), state.hasOperators && !state.hasSecondOperator),
    ...differ('pays alone', maySingleOperatorPay(model), state.mayPayAlone && !state.hasSecondOperator),
    ...differ(
      'decisions',
      decisions.filter(({ at }) => at > reach),
      state.recentCreditsAndPayouts,
    ),
  ]
}

const rolloverOf = ({ at, rates, prices }: ReferenceRollover) => ({ at, rates, prices: byInstrument(prices) })
const coreRollover = ({ rollover, rates, prices }: OpenRollover) => ({
  at: rollover,
  rates: [...rates.values()],
  prices: byInstrument(prices),
})
const byInstrument = (prices: ReadonlyMap<number, unknown>) => [...prices].toSorted(([a], [b]) => a - b)

const casesOf = (model: ReferenceModel): object[] =>
  model.cases
    .filter(({ end }) => end === null)
    .map((each) => {
      const { id, kind, accountId, amount, fee, askedBy, openedAt, sent, payout } = each
      const common = { kind, id, accountId, amount, openedAt }
      const protection = protectionDuring(model, each)
      if (kind === 'withdrawal') return { ...common, fee, payout, ...progressOf(model, id), protection }
      return kind === 'adjustment' ? { ...common, askedBy } : { ...common, sent }
    })

function compareTerms(model: ReferenceModel, state: State): string[] {
  const announced = [...state.announced.values()].map(({ type: _type, ...each }) => each)
  return [
    ...differ('settings', model.settings, state.settings),
    ...differ('instruments', model.instruments, [...state.instruments.values()]),
    ...differ('announced', model.announced, announced),
    ...differ('terms version', model.termsVersion, state.termsVersion),
    ...differ('last change', model.lastChangeId, state.lastChangeId),
  ]
}

const haltedBy = ({ halts }: ReferenceModel): Map<number, number> =>
  new Map(
    halts.filter(({ until }) => until === Infinity).map(({ instrumentId, endsAt }) => [instrumentId, endsAt]),
  )

const endsIn = ({ halts, haltEnds }: State): Map<number, number> =>
  new Map([...halts.keys()].map((id) => [id, haltEnds.get(id) ?? Infinity]))

const modeIn = ({ mode, modeReason, modeAfterHalt, haltEnds }: State): ReferenceModel['mode'] => ({
  is: mode,
  reason: modeReason,
  after: modeAfterHalt,
  endsAt: haltEnds.get(WHOLE_MARKET) ?? Infinity,
})

/** Zero means that there was no such moment. */
const withoutZero = (moments: ReadonlyMap<number, number>): Map<number, number> =>
  new Map([...moments].filter(([, moment]) => moment > 0).toSorted(([a], [b]) => a - b))

/** The stop-out price that the core names for a position stops its account out, and one tick less does not. */
export function compareStopOutPrice(
  model: ReferenceModel,
  state: State,
  order: ReferenceOrder,
): { named: number | null; problems: string[] } {
  const account = state.accounts.get(order.accountId)
  const held = account?.orders.get(order.orderId)
  const named = account && held ? stopOutPrice(state, account, held) : null
  const quote = model.quotes.get(order.instrumentId)
  if (named === null || !quote || !isPriced(model, order.accountId)) return { named, problems: [] }
  const isStopped = (ticks: number) => {
    const moved = { ...quote, bid: quote.bid + ticks, ask: quote.ask + ticks }
    const quotes = new Map(model.quotes).set(order.instrumentId, moved)
    return (distanceToStopOut({ ...model, quotes }, order.accountId) ?? 1n) <= 0n
  }
  const move = named - (order.side === 'buy' ? quote.bid : quote.ask)
  const isRight = isStopped(move) && (move === 0 || !isStopped(move - Math.sign(move)))
  const fault = `order ${order.orderId}: ${named} is not where its account is stopped out first`
  return { named, problems: isRight ? [] : [fault] }
}

/** The core's calendar against the reference model's reading of the same windows. */
export const compareHours = (
  { state, isOpen }: DecisionContext,
  hours: ReferenceHours,
  at: number,
): string[] =>
  [...state.instruments.values()].flatMap((instrument) =>
    differ(`${instrument.code} open at ${at}`, hours.isOpen(instrument, at), isOpen(instrument, at)),
  )

/** Balances as sums over all rows. */
function sumRows(model: ReferenceModel): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { debit, credit, amount } of model.rows) {
    sums.set(debit, (sums.get(debit) ?? 0n) - amount)
    sums.set(credit, (sums.get(credit) ?? 0n) + amount)
  }
  return sums
}
