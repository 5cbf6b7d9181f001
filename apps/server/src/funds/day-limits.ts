import { formatDecimal, money, MONEY_DECIMALS, type Money } from '@fairlot/core'
import type { DepositChannelTable, WithdrawalCurrencyTable } from '../platform/database/content-schema.ts'
import type { Queries } from '../platform/database/open.ts'

const DAY_MS = 86_400_000

/** A user and the current time (epoch ms). Days begin at midnight UTC. */
export type Today = { readonly queries: Queries; readonly userId: number; readonly now: number }

/** A deposit channel with its daily limits; null for none. */
export type LimitedChannel = {
  readonly kind: 'coin' | 'bank'
  readonly id: number
  readonly dayLimit: bigint | null
  readonly personDayLimit: bigint | null
}

/** Daily limits of all users and of one; null for none. */
export type DayLimits = { readonly dayLimit: bigint | null; readonly personDayLimit: bigint | null }
export type LimitColumns = Pick<
  DepositChannelTable,
  'day_limit' | 'person_day_limit' | 'day_limit_before' | 'user_day_limit_before' | 'limits_from'
>

const isComing = ({ limits_from: from }: Pick<LimitColumns, 'limits_from'>, now: number): boolean =>
  from !== null && from > BigInt(Math.floor(now))

/** The limits in force at a moment (epoch ms of real time). */
export const limitsAt = (row: LimitColumns, now: number): DayLimits =>
  isComing(row, now)
    ? { dayLimit: row.day_limit_before, personDayLimit: row.user_day_limit_before }
    : { dayLimit: row.day_limit, personDayLimit: row.person_day_limit }

/** The announced limits, and when they take effect; null for none. */
export const comingLimits = (
  row: LimitColumns,
  now: number,
): (DayLimits & { readonly from: number }) | null =>
  isComing(row, now)
    ? { dayLimit: row.day_limit, personDayLimit: row.person_day_limit, from: Number(row.limits_from) }
    : null

const isLower = (after: bigint | null, before: bigint | null): boolean =>
  after !== null && (before === null || after < before)

/** The names of the limits that are lower than before: users may count on those, so they are announced. */
export const loweredLimits = (before: DayLimits, after: DayLimits): ReadonlySet<string> =>
  new Set((['dayLimit', 'personDayLimit'] as const).filter((name) => isLower(after[name], before[name])))

/** The columns of new limits, of which lower ones take effect at `from`. `before`: in force; null for a new row. */
export function limitColumns(before: DayLimits | null, after: DayLimits, from: number): LimitColumns {
  const lowered = before ? loweredLimits(before, after) : new Set()
  const until = (name: keyof DayLimits) => (lowered.has(name) && before ? before[name] : after[name])
  const isAnnounced = lowered.size > 0
  return {
    day_limit: after.dayLimit,
    person_day_limit: after.personDayLimit,
    day_limit_before: isAnnounced ? until('dayLimit') : null,
    user_day_limit_before: isAnnounced ? until('personDayLimit') : null,
    limits_from: isAnnounced ? BigInt(Math.floor(from)) : null,
  }
}

type AnnouncedLimits = Omit<LimitColumns, 'day_limit' | 'person_day_limit' | 'day_limit_before'> &
  Partial<Pick<LimitColumns, 'day_limit_before'>>

/** What an audit entry says of announced limits: those until then, and when that is. Empty for none. */
export function announcedFacts({
  limits_from: from,
  day_limit_before: all,
  user_day_limit_before: own,
}: AnnouncedLimits): Readonly<Record<string, string>> {
  if (from === null) return {}
  const text = (limit: bigint | null) => (limit === null ? 'none' : formatDecimal(limit, MONEY_DECIMALS))
  return {
    ...(all !== undefined && { dayLimitUntil: text(all) }),
    userDayLimitUntil: text(own),
    limitsFrom: new Date(Number(from)).toISOString(),
  }
}

const midnight = (now: number): bigint => BigInt(now - (now % DAY_MS))

/**
 * An undecided report proves nothing. So that nobody can use up a channel with false reports, the open ones of each
 * other user count up to a tenth of its limit, and those of all other users up to half.
 */
const CLAIMS_OF_ONE_DIVISOR = 10n
const CLAIMS_OF_ALL_DIVISOR = 2n

/**
 * What this user may still deposit through a channel today, under the limit for all users and the one for each user;
 * null for no limit. Of credited deposits what was credited counts; this user's own reports count in full. The tables must
 * be up to date.
 */
export async function leftForChannel(
  { queries, userId, now }: Today,
  { kind, id, dayLimit, personDayLimit }: LimitedChannel,
): Promise<{ readonly all: Money | null; readonly own: Money | null }> {
  if (dayLimit === null && personDayLimit === null) return { all: null, own: null }
  const rows = await queries
    .selectFrom('deposit')
    .innerJoin('money_case', 'money_case.id', 'deposit.case_id')
    .select(['user_id', 'status'])
    .select(({ fn }) => [fn.sum('money_case.amount').as('reported'), fn.sum('credited').as('credited')])
    .where('deposit.kind', '=', kind)
    .where('channel_id', '=', BigInt(id))
    .where('told_at', '>=', midnight(now))
    .where('status', 'in', ['open', 'finished'])
    .groupBy(['user_id', 'status'])
    .execute()
  let [own, credited, claimed] = [0n, 0n, 0n]
  const maxOfOne = (dayLimit ?? 0n) / CLAIMS_OF_ONE_DIVISOR
  for (const { user_id: user, status, ...sums } of rows) {
    const amount = BigInt(status === 'finished' ? sums.credited : sums.reported)
    if (user === BigInt(userId)) own += amount
    else if (status === 'finished') credited += amount
    else claimed += amount < maxOfOne ? amount : maxOfOne
  }
  const maxOfAll = (dayLimit ?? 0n) / CLAIMS_OF_ALL_DIVISOR
  const used = own + credited + (claimed < maxOfAll ? claimed : maxOfAll)
  return {
    all: dayLimit === null ? null : leftOf(dayLimit, used),
    own: personDayLimit === null ? null : leftOf(personDayLimit, own),
  }
}

export type CurrencyLimit = Pick<
  WithdrawalCurrencyTable,
  'person_day_limit' | 'user_day_limit_before' | 'limits_from'
>

/** A payout currency has no limit for all users. */
export const ofCurrency = (row: CurrencyLimit): LimitColumns => ({
  person_day_limit: row.person_day_limit,
  user_day_limit_before: row.user_day_limit_before,
  limits_from: row.limits_from,
  day_limit: null,
  day_limit_before: null,
})

/** What this user may still withdraw today in a currency; null for no limit. The tables must be up to date. */
export async function leftInCurrency(
  { queries, userId, now }: Today,
  { id, ...currency }: Pick<WithdrawalCurrencyTable, 'id'> & CurrencyLimit,
): Promise<Money | null> {
  const { personDayLimit: limit } = limitsAt(ofCurrency(currency), now)
  if (limit === null) return null
  const row = await queries
    .selectFrom('withdrawal')
    .innerJoin('money_case', 'money_case.id', 'withdrawal.case_id')
    .select((select) => select.fn.sum('money_case.amount').as('sum'))
    .where('user_id', '=', BigInt(userId))
    .where('currency_id', '=', id)
    .where('asked_at', '>=', midnight(now))
    .where('status', 'in', ['open', 'paid'])
    .executeTakeFirst()
  return leftOf(limit, BigInt(row?.sum ?? 0))
}

/** The smaller of two limits; null if there is neither. */
export function smallerOf(one: Money | null, other: Money | null): Money | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

const leftOf = (limit: bigint, used: bigint): Money => money(limit > used ? limit - used : 0n)
