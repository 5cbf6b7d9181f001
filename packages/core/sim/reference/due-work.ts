/** Due work in the reference model: moments that have passed, and the work they leave for each account. */
import { lapseFreeze } from './accounts.ts'
import { isAlertOver } from './alerts.ts'
import { cancel } from './deals.ts'
import { expiredHalts } from './halts.ts'
import type { NewYorkClose } from './trading-hours.ts'
import { bookSwaps, isUnbooked, isWaiting, snapshotPrices } from './overnight-swap.ts'
import {
  byId,
  instrumentOf,
  ordersOf,
  type Moment,
  type ReferenceModel,
  type ReferenceOrder,
} from './state.ts'
import { applyAnnounced } from './terms.ts'

type Work = Generator<void, void, void>
const HOUR_MS = 3_600_000

/**
 * Moments that have passed are reported before anything else: every 17:00 New York, the last full hour, announced
 * changes of terms, and the ends of halts and of freezes by one operator. They are in order of time; at the same
 * moment terms come first, then halts, freezes and prices.
 */
export function* reportMoments(model: ReferenceModel, { at, events }: Moment): Work {
  const passed: { moment: number; order: readonly [number, number]; report: () => void }[] = []
  for (const announced of model.announced) {
    const { effectiveAt: moment, changeId } = announced
    const report = () => applyAnnounced(model, announced, events)
    if (moment <= at) passed.push({ moment, order: [0, changeId], report })
  }
  for (const { moment, key, report } of expiredHalts(model, at))
    passed.push({ moment, order: [1, key], report: () => report(events) })
  for (const account of model.accounts) {
    const moment = account.freeze?.lapsesAt ?? Infinity
    if (moment <= at)
      passed.push({ moment, order: [2, account.id], report: () => lapseFreeze(model, account, events) })
  }
  for (const { moment, close } of snapshotsUntil(model, at))
    passed.push({ moment, order: [3, 0], report: () => snapshotPrices(model, moment, close, events) })
  const inOrder = passed.toSorted(
    (a, b) => a.moment - b.moment || a.order[0] - b.order[0] || a.order[1] - b.order[1],
  )
  for (const { report } of inOrder) {
    report()
    yield
  }
}

function snapshotsUntil(model: ReferenceModel, at: number): { moment: number; close: NewYorkClose | null }[] {
  const hour = Math.floor(at / HOUR_MS) * HOUR_MS
  if (model.accounts.length === 0 || hour <= model.lastPriceSnapshot) return []
  const rollovers = model.hours
    .closesBetween(model.lastRollover, at)
    .map((close) => ({ moment: close.at, close }))
  if (rollovers.length > 1) model.notes.push('several rollovers missed')
  return rollovers.some(({ moment }) => moment === hour)
    ? rollovers
    : [...rollovers, { moment: hour, close: null }]
}

/**
 * Before any decision about an account: books its swaps and cancels its orders that may no longer become positions.
 */
export function* settleAccount(model: ReferenceModel, accountId: number, moment: Moment): Work {
  yield* bookSwaps(model, accountId, moment)
  for (const order of ordersOf(model, accountId).toSorted(byId)) {
    if (!isBarredForGood(model, order)) continue
    const { at, events } = moment
    model.notes.push(withdrawalNote(model, order))
    cancel(model, order, { reason: 'withdrawnByOperator', trigger: 'operator', at, events })
    yield
  }
}

const statusOf = (model: ReferenceModel, accountId: number) =>
  model.accounts.find(({ id }) => id === accountId)?.status ?? 'active'

const isBarredForGood = (model: ReferenceModel, order: ReferenceOrder): boolean =>
  order.status === 'pending' &&
  (statusOf(model, order.accountId) !== 'active' || !instrumentOf(model, order).isEnabled)

const withdrawalNote = (model: ReferenceModel, { accountId }: ReferenceOrder): string => {
  const status = statusOf(model, accountId)
  return `pending withdrawn: ${status === 'active' ? 'instrument disabled' : status}`
}

/**
 * Settles all accounts in turn, then ends the rollovers that nothing waits for, up to the first that something does.
 */
export function* sweepAccounts(model: ReferenceModel, moment: Moment): Work {
  for (const { id } of model.accounts) yield* settleAccount(model, id, moment)
  for (const openRollover of model.rollovers) {
    if (isWaiting(model, openRollover)) return
    model.rollovers = model.rollovers.filter((other) => other !== openRollover)
    moment.events.push({ type: 'rolledOver', rollover: openRollover.at })
    if (openRollover.hasWaited) model.notes.push('rollover that waited is complete')
    yield
  }
}

/** True for a pending order that has expired at `at` (epoch ms). */
export const isExpired = (status: string, expiresAt: number | null, at: number): boolean =>
  status === 'pending' && expiresAt !== null && expiresAt <= at

/** What should have been done where the core says that nothing is due. */
export function missedWork(model: ReferenceModel, at: number): string[] {
  const unbooked = model.rollovers.filter((openRollover) => isUnbooked(model, openRollover))
  // A rollover that waits keeps all later ones open.
  const first = model.rollovers.findIndex((openRollover) => openRollover.hasWaited)
  const open = model.rollovers.slice(0, first === -1 ? model.rollovers.length : first)
  const expired = model.active.filter(({ status, expiresAt }) => isExpired(status, expiresAt, at))
  const over = model.alerts.filter((alert) => isAlertOver(model, alert, at))
  const barred = model.active.filter((order) => isBarredForGood(model, order))
  return [
    ...unbooked.map(({ at }) => `rollover ${at} is not booked for everybody, and nothing is due`),
    ...open.map(({ at }) => `rollover ${at} is not over, and nothing is due`),
    ...expired.map(({ orderId }) => `order ${orderId} is past its expiry, and nothing is due`),
    ...over.map(({ id }) => `alert ${id} is over, and nothing is due`),
    ...barred.map(({ orderId }) => `order ${orderId} may never become a position, and nothing is due`),
  ]
}
