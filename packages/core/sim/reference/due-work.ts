/** Due work once more: moments that have passed, and what they leave to be done account by account. */
import { cancel } from './deals.ts'
import type { NewYorkClose } from './trading-hours.ts'
import { bookNights, isOwed, isWaiting, mark } from './overnight-swap.ts'
import {
  byId,
  instrumentOf,
  ordersOf,
  type Moment,
  type ReferenceModel,
  type ReferenceOrder,
} from './state.ts'
import { comeIntoForce } from './terms.ts'

type Work = Generator<void, void, void>
const HOUR_MS = 3_600_000

/**
 * Nothing happens before the moments that have passed: every 17:00 New York, the last full hour, and every change of terms that was
 * announced for a time; in the order of time, terms first.
 */
export function* tellMoments(model: ReferenceModel, { at, events }: Moment): Work {
  const changes = model.announced
    .filter(({ effectiveAt }) => effectiveAt <= at)
    .map((announced) => ({ moment: announced.effectiveAt, rank: announced.changeId, announced, night: null }))
  const marks = marksUntil(model, at).map((each) => ({ ...each, rank: Infinity, announced: null }))
  const inOrder = [...changes, ...marks].toSorted((a, b) => a.moment - b.moment || a.rank - b.rank)
  for (const { moment, announced, night } of inOrder) {
    if (announced) comeIntoForce(model, announced, events)
    else mark(model, moment, night, events)
    yield
  }
}

function marksUntil(model: ReferenceModel, at: number): { moment: number; night: NewYorkClose | null }[] {
  const hour = Math.floor(at / HOUR_MS) * HOUR_MS
  if (model.accounts.length === 0 || hour <= model.lastMark) return []
  const nights = model.hours.closesBetween(model.lastNight, at).map((night) => ({ moment: night.at, night }))
  if (nights.length > 1) model.notes.push('several nights missed')
  return nights.some(({ moment }) => moment === hour) ? nights : [...nights, { moment: hour, night: null }]
}

/** What comes before any decision about an account: its nights, and orders that may not become positions any more. */
export function* settleAccount(model: ReferenceModel, accountId: number, moment: Moment): Work {
  yield* bookNights(model, accountId, moment)
  for (const order of ordersOf(model, accountId).toSorted(byId)) {
    if (!isBarredForGood(model, order)) continue
    const { at, events } = moment
    model.notes.push(whyWithdrawn(model, order))
    cancel(model, order, { reason: 'withdrawnByOperator', trigger: 'operator', at, events })
    yield
  }
}

const statusOf = (model: ReferenceModel, accountId: number) =>
  model.accounts.find(({ id }) => id === accountId)?.status ?? 'active'

const isBarredForGood = (model: ReferenceModel, order: ReferenceOrder): boolean =>
  order.status === 'pending' &&
  (statusOf(model, order.accountId) !== 'active' || !instrumentOf(model, order).isEnabled)

const whyWithdrawn = (model: ReferenceModel, { accountId }: ReferenceOrder): string => {
  const status = statusOf(model, accountId)
  return `pending withdrawn: ${status === 'active' ? 'instrument off' : status}`
}

/** All accounts in turn; at the end the nights that nothing waits for are over, up to the first that something does. */
export function* workOff(model: ReferenceModel, moment: Moment): Work {
  for (const { id } of model.accounts) yield* settleAccount(model, id, moment)
  for (const night of model.nights) {
    if (isWaiting(model, night)) return
    model.nights = model.nights.filter((other) => other !== night)
    moment.events.push({ type: 'rolledOver', rollover: night.at })
    if (night.hasWaited) model.notes.push('night that waited is over')
    yield
  }
}

/** True for a pending order whose time is over at `at` (epoch ms). */
export const isExpired = (status: string, expiresAt: number | null, at: number): boolean =>
  status === 'pending' && expiresAt !== null && expiresAt <= at

/** What should be done by now where the core says that nothing is due. */
export function leftUndone(model: ReferenceModel, at: number): string[] {
  const owed = model.nights.filter((night) => isOwed(model, night))
  // One that waits keeps all after it open.
  const first = model.nights.findIndex((night) => night.hasWaited)
  const open = model.nights.slice(0, first === -1 ? model.nights.length : first)
  const expired = model.living.filter(({ status, expiresAt }) => isExpired(status, expiresAt, at))
  const barred = model.living.filter((order) => isBarredForGood(model, order))
  return [
    ...owed.map(({ at }) => `night ${at} is not booked for everybody, and nothing is due`),
    ...open.map(({ at }) => `night ${at} is not over, and nothing is due`),
    ...expired.map(({ orderId }) => `order ${orderId} is past its expiry, and nothing is due`),
    ...barred.map(({ orderId }) => `order ${orderId} may never become a position, and nothing is due`),
  ]
}
