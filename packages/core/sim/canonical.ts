/** A canonical text of a state: equal states give equal texts, and a state can be restored from it. */
import { createHash } from 'node:crypto'
import {
  addAccount,
  createCore,
  evolve,
  indexAlert,
  indexOrder,
  openCase,
  type Account,
  type Alert,
  type Core,
  type DayPrices,
  type DayRollover,
  type Entry,
  type Event,
  type FreezeAlone,
  type RecentFreeze,
  type RecoveryAnnounced,
  type LedgerBalance,
  type ModeAndReason,
  type MoneyCase,
  type MoneyDecision,
  type OpenRollover,
  type OperatorStanding,
  type Order,
  type AcceptedRequest,
  type State,
  type TradingMode,
} from '../src/index.ts'

/** JSON on one line; a bigint is written with the suffix n. */
export const show = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : JSON.stringify(value, (_key, part: unknown) =>
        typeof part === 'bigint' ? `${part}n` : part instanceof Map ? [...part] : part,
      )

/**
 * The state that follows from the journal, without the quotes (the market's memory) and the terms (which have their
 * own events).
 */
export type Snapshot = {
  readonly accounts: readonly Pick<Account, 'id' | 'ledger' | 'status' | 'statusReason'>[]
  readonly orders: readonly Order[]
  readonly balances: readonly LedgerBalance[]
  readonly cases: readonly MoneyCase[]
  readonly rollovers: readonly OpenRollover[]
  readonly requests: readonly (readonly [string, AcceptedRequest])[]
  readonly halts: readonly (readonly [number, string])[]
  readonly haltEnds: readonly (readonly [number, number])[]
  readonly singleOperatorHaltAllowedFrom: readonly (readonly [number, number])[]
  readonly freezes: readonly (readonly [number, FreezeAlone])[]
  readonly recentFreezes: readonly (readonly [number, RecentFreeze])[]
  readonly mode: TradingMode
  readonly modeReason: string
  readonly modeAfterHalt: ModeAndReason
  readonly rulesVersion: number
  readonly equityRangesFrom: number
  readonly operators: readonly (readonly [number, OperatorStanding])[]
  readonly recentCreditsAndPayouts: readonly MoneyDecision[]
  readonly hasOperators: boolean
  readonly hasSecondOperator: boolean
  readonly recovery: RecoveryAnnounced | null
  readonly mayPayAlone: boolean
  readonly alerts: readonly Alert[]
  readonly dayPrices: Record<DayRollover, DayPrices>
  readonly lastAlertId: number
  readonly lastPriceSnapshot: number
  readonly lastRollover: number
  readonly lastOrderId: number
  readonly lastAccountId: number
  readonly lastCaseId: number
}

export function snapshotOf(state: State): Snapshot {
  return {
    accounts: [...state.accounts.values()].map(({ id, ledger, status, statusReason }) => ({
      id,
      ledger,
      status,
      statusReason,
    })),
    orders: structuredClone([...state.orders.values()].toSorted((a, b) => a.id - b.id)),
    balances: [...state.ledger.balances.values()]
      .filter(({ entryCount }) => entryCount > 0)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((balance) => ({ ...balance })),
    cases: structuredClone([...state.cases.values()].toSorted((a, b) => a.id - b.id)),
    rollovers: structuredClone([...state.rollovers.values()]),
    requests: [...state.requests],
    halts: [...state.halts].toSorted(([a], [b]) => a - b),
    haltEnds: [...state.haltEnds].toSorted(([a], [b]) => a - b),
    singleOperatorHaltAllowedFrom: [...state.singleOperatorHaltAllowedFrom].toSorted(([a], [b]) => a - b),
    freezes: [...state.freezes].toSorted(([a], [b]) => a - b),
    recentFreezes: [...state.recentFreezes].toSorted(([a], [b]) => a - b),
    mode: state.mode,
    modeReason: state.modeReason,
    modeAfterHalt: state.modeAfterHalt,
    rulesVersion: state.rulesVersion,
    equityRangesFrom: state.equityRangesFrom,
    operators: [...state.operators],
    recentCreditsAndPayouts: [...state.recentCreditsAndPayouts],
    hasOperators: state.hasOperators,
    hasSecondOperator: state.hasSecondOperator,
    recovery: state.recovery,
    mayPayAlone: state.mayPayAlone,
    alerts: structuredClone(
      [...state.alerts.values()]
        .flatMap((ofAccount) => [...ofAccount.values()])
        .toSorted((a, b) => a.id - b.id),
    ),
    dayPrices: structuredClone(state.dayPrices),
    lastAlertId: state.lastAlertId,
    lastPriceSnapshot: state.lastPriceSnapshot,
    lastRollover: state.lastRollover,
    lastOrderId: state.lastOrderId,
    lastAccountId: state.lastAccountId,
    lastCaseId: state.lastCaseId,
  }
}

const TERMS: ReadonlySet<Event['type']> = new Set(['termsSet', 'termsTookEffect', 'termsWithdrawn'])

/**
 * Restores as a host does at start: the terms from their own entries, then balances and accounts, then every active
 * order into every index. Of due work it knows only that there may be some.
 */
export function restore(before: readonly Entry[], snapshot: Snapshot): Core {
  const core = createCore()
  const { state } = core
  for (const entry of before) {
    const events = entry.events.filter(({ type }) => TERMS.has(type))
    if (events.length > 0) evolve(core, { ...entry, request: null, events })
  }
  for (const balance of snapshot.balances) state.ledger.balances.set(balance.id, { ...balance })
  for (const { id, ledger, status, statusReason } of snapshot.accounts) {
    Object.assign(addAccount(state, id, ledger), { status, statusReason })
  }
  for (const order of structuredClone(snapshot.orders)) {
    const account = state.accounts.get(order.accountId)
    if (!account) throw new Error(`order ${order.id} belongs to no account`)
    indexOrder(core, account, order)
  }
  Object.assign(state.dayPrices, structuredClone(snapshot.dayPrices))
  for (const open of structuredClone(snapshot.cases)) openCase(state, open)
  for (const openRollover of structuredClone(snapshot.rollovers))
    state.rollovers.set(openRollover.rollover, openRollover)
  for (const [key, request] of snapshot.requests) state.requests.set(key, request)
  for (const [instrumentId, reason] of snapshot.halts) state.halts.set(instrumentId, reason)
  for (const [key, endsAt] of snapshot.haltEnds) state.haltEnds.set(key, endsAt)
  for (const [key, from] of snapshot.singleOperatorHaltAllowedFrom)
    state.singleOperatorHaltAllowedFrom.set(key, from)
  for (const [accountId, freeze] of snapshot.freezes) state.freezes.set(accountId, freeze)
  for (const [accountId, freeze] of snapshot.recentFreezes) state.recentFreezes.set(accountId, freeze)
  Object.assign(core.sweep, { next: 1, isNeeded: true, waiting: Infinity })
  for (const [operatorId, standing] of snapshot.operators) state.operators.set(operatorId, standing)
  state.recentCreditsAndPayouts.push(...snapshot.recentCreditsAndPayouts)
  const { hasOperators, hasSecondOperator, mayPayAlone, recovery } = snapshot
  Object.assign(state, { hasOperators, hasSecondOperator, mayPayAlone, recovery })
  const { mode, modeReason, modeAfterHalt, rulesVersion, equityRangesFrom } = snapshot
  Object.assign(state, { mode, modeReason, modeAfterHalt, rulesVersion, equityRangesFrom })
  // When they end depends on the rules.
  for (const alert of structuredClone(snapshot.alerts)) indexAlert(core, alert)
  state.lastAlertId = snapshot.lastAlertId
  const { lastPriceSnapshot, lastRollover, lastOrderId, lastAccountId, lastCaseId } = snapshot
  Object.assign(state, { lastPriceSnapshot, lastRollover, lastOrderId, lastAccountId, lastCaseId })
  return core
}

/** The hash of a state, of the terms, and of the sums and exposures derived from the orders. */
export function stateHash(state: State): string {
  const sums = [...state.accounts.values()].map(({ id, margin, reserved, exposures }) => ({
    id,
    margin,
    reserved,
    exposures: [...exposures].toSorted(([a], [b]) => a - b),
  }))
  const { settings, instruments, listings, sources, calendar, announced } = state
  const terms = { settings, instruments, listings, sources, calendar, announced }
  const { termsVersion, lastChangeId, conversionPaths } = state
  return createHash('sha256')
    .update(show({ ...snapshotOf(state), ...terms, termsVersion, lastChangeId, conversionPaths, sums }))
    .digest('hex')
}
