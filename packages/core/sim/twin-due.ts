/** Due work once more: moments that have passed, and what they leave to be done account by account. */
import { cancel } from './twin-deals.ts'
import type { NewYorkClose } from './twin-hours.ts'
import { bookNights, isOwed, isWaiting, mark } from './twin-nights.ts'
import { byId, instrumentOf, ordersOf, type Moment, type Twin, type TwinOrder } from './twin-state.ts'
import { comeIntoForce } from './twin-terms.ts'

type Work = Generator<void, void, void>
const HOUR_MS = 3_600_000

/**
 * Nothing happens before the moments that have passed: every 17:00 New York, the last full hour, and every change of terms that was
 * announced for a time; in the order of time, terms first.
 */
export function* tellMoments(twin: Twin, { at, events }: Moment): Work {
  const changes = twin.announced
    .filter(({ effectiveAt }) => effectiveAt <= at)
    .map((announced) => ({ moment: announced.effectiveAt, rank: announced.changeId, announced, night: null }))
  const marks = marksUntil(twin, at).map((each) => ({ ...each, rank: Infinity, announced: null }))
  const inOrder = [...changes, ...marks].toSorted((a, b) => a.moment - b.moment || a.rank - b.rank)
  for (const { moment, announced, night } of inOrder) {
    if (announced) comeIntoForce(twin, announced, events)
    else mark(twin, moment, night, events)
    yield
  }
}

function marksUntil(twin: Twin, at: number): { moment: number; night: NewYorkClose | null }[] {
  const hour = Math.floor(at / HOUR_MS) * HOUR_MS
  if (twin.accounts.length === 0 || hour <= twin.lastMark) return []
  const nights = twin.hours.closesBetween(twin.lastNight, at).map((night) => ({ moment: night.at, night }))
  if (nights.length > 1) twin.notes.push('several nights missed')
  return nights.some(({ moment }) => moment === hour) ? nights : [...nights, { moment: hour, night: null }]
}

/** What comes before any decision about an account: its nights, and orders that may not become positions any more. */
export function* settleAccount(twin: Twin, accountId: number, moment: Moment): Work {
  yield* bookNights(twin, accountId, moment)
  for (const order of ordersOf(twin, accountId).toSorted(byId)) {
    if (!isBarredForGood(twin, order)) continue
    const { at, events } = moment
    twin.notes.push(whyWithdrawn(twin, order))
    cancel(twin, order, { reason: 'withdrawnByOperator', trigger: 'operator', at, events })
    yield
  }
}

const statusOf = (twin: Twin, accountId: number) =>
  twin.accounts.find(({ id }) => id === accountId)?.status ?? 'active'

const isBarredForGood = (twin: Twin, order: TwinOrder): boolean =>
  order.status === 'pending' &&
  (statusOf(twin, order.accountId) !== 'active' || !instrumentOf(twin, order).isEnabled)

const whyWithdrawn = (twin: Twin, { accountId }: TwinOrder): string => {
  const status = statusOf(twin, accountId)
  return `pending withdrawn: ${status === 'active' ? 'instrument off' : status}`
}

/** All accounts in turn; at the end the nights that nothing waits for are over, up to the first that something does. */
export function* workOff(twin: Twin, moment: Moment): Work {
  for (const { id } of twin.accounts) yield* settleAccount(twin, id, moment)
  for (const night of twin.nights) {
    if (isWaiting(twin, night)) return
    twin.nights = twin.nights.filter((other) => other !== night)
    moment.events.push({ type: 'rolledOver', rollover: night.at })
    if (night.hasWaited) twin.notes.push('night that waited is over')
    yield
  }
}

/** What should be done by now where the core says that nothing is due. */
export function leftUndone(twin: Twin): string[] {
  const owed = twin.nights.filter((night) => isOwed(twin, night))
  // One that waits keeps all after it open.
  const first = twin.nights.findIndex((night) => night.hasWaited)
  const open = twin.nights.slice(0, first === -1 ? twin.nights.length : first)
  const barred = twin.living.filter((order) => isBarredForGood(twin, order))
  return [
    ...owed.map(({ at }) => `night ${at} is not booked for everybody, and nothing is due`),
    ...open.map(({ at }) => `night ${at} is not over, and nothing is due`),
    ...barred.map(({ orderId }) => `order ${orderId} may never become a position, and nothing is due`),
  ]
}
