import { money, type Money } from '@fairlot/core'
import type { Queries } from '../database/open.ts'

const DAY_MS = 86_400_000

/** Whose day it is, and where it is: days begin at midnight UTC. */
export type Today = { readonly queries: Queries; readonly userId: number; readonly now: number }

/** A channel of deposits with its limits of a day; null for none. */
export type LimitedChannel = {
  readonly kind: 'coin' | 'bank'
  readonly id: number
  readonly dayLimit: bigint | null
  readonly personDayLimit: bigint | null
}

const midnight = (now: number): bigint => BigInt(now - (now % DAY_MS))

/** What may still come in by a channel on this day: from everybody, and from this person; null for no limit. The tables have to be up to date. */
export async function leftByChannel(
  { queries, userId, now }: Today,
  { kind, id, dayLimit, personDayLimit }: LimitedChannel,
): Promise<{ readonly all: Money | null; readonly own: Money | null }> {
  const toldBy = async (own: boolean) => {
    const row = await queries
      .selectFrom('deposit')
      .innerJoin('money_case', 'money_case.id', 'deposit.case_id')
      .select((select) => select.fn.sum('money_case.amount').as('sum'))
      .where('deposit.kind', '=', kind)
      .where('channel_id', '=', BigInt(id))
      .$if(own, (its) => its.where('user_id', '=', BigInt(userId)))
      .where('told_at', '>=', midnight(now))
      .where('status', 'in', ['open', 'finished'])
      .executeTakeFirst()
    return BigInt(row?.sum ?? 0)
  }
  return {
    all: dayLimit === null ? null : leftOf(dayLimit, await toldBy(false)),
    own: personDayLimit === null ? null : leftOf(personDayLimit, await toldBy(true)),
  }
}

/** What this person may still ask for on this day in a currency; null for no limit. The tables have to be up to date. */
export async function leftInCurrency(
  { queries, userId, now }: Today,
  { id, person_day_limit: limit }: { readonly id: bigint; readonly person_day_limit: bigint | null },
): Promise<Money | null> {
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

/** The smaller of two limits; null where there is neither. */
export function smallerOf(one: Money | null, other: Money | null): Money | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

const leftOf = (limit: bigint, used: bigint): Money => money(limit > used ? limit - used : 0n)
