import type { BalanceHistory } from '@fairlot/contract'
import { money, type Money } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { movementsSince } from './movements-since.ts'

/** More than a phone has pixels for is not worth sending. */
const STEPS = 200

/** Moments, epoch ms. */
export type Span = { readonly from: number; readonly to: number }

/**
 * The booked balance (on hand, not frozen) at the start of a span and after each of its equal steps, oldest first. It follows from
 * the movements: each counts from its own date on, also a night that was booked late. It begins with the account, where that is younger.
 */
export async function balanceHistory(
  queries: Queries,
  accountId: number,
  { from: asked, to }: Span,
): Promise<BalanceHistory['points']> {
  const account = await queries
    .selectFrom('account')
    .select('opened_at')
    .where('id', '=', BigInt(accountId))
    .executeTakeFirst()
  // A young account shows its own days, not those before it, and what it began with from the start.
  const from = Math.min(Math.max(asked, Number(account?.opened_at ?? 0n) + 1), to)
  const stepMs = Math.max(Math.ceil((to - from) / STEPS), 1)
  const changes = new Map<number, bigint>()
  const before = await movementsSince(queries, accountId, {
    from,
    take: ({ row, change }) => {
      const step = Math.floor((Number(row.at) - from) / stepMs)
      changes.set(step, (changes.get(step) ?? 0n) + change.available)
      return true
    },
  })
  if (before === null) return []
  let balance: Money = before.available
  const points = [{ at: from, balance }]
  const steps = Math.ceil((to - from) / stepMs)
  for (let step = 0; step < steps; step += 1) {
    balance = money(balance + (changes.get(step) ?? 0n))
    points.push({ at: Math.min(from + (step + 1) * stepMs, to), balance })
  }
  return points
}
