import type { Queries } from '../database/open.ts'
import type { Engine } from '../engine/engine.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../http/refusal.ts'
import type { UserCall } from '../http/api.ts'

/** Cases of one kind that a user may have open: each lies in the memory until somebody ends it. */
const OPEN_CASES_MAX = 20

/** Why a user can open no further case of a kind; null when they can. */
export async function refusalOfMore(
  engine: Engine,
  userId: number,
  kind: 'deposit' | 'withdrawal',
): Promise<Refusal | null> {
  const open = await readEngine(engine, ({ cases }) => {
    let count = 0
    for (const each of cases.values()) if (each.accountId === userId && each.kind === kind) count += 1
    return count
  })
  if (isRefusal(open)) return open
  return open < OPEN_CASES_MAX ? null : refuse('tooManyCases', { most: OPEN_CASES_MAX })
}

/** Whether a change is one that was taken before: its answer is the engine's to repeat, whatever has changed since. */
export async function isRepeat(
  { engine, queries }: { readonly engine: Engine; readonly queries: Queries },
  { request }: Pick<UserCall<unknown>, 'request'>,
): Promise<boolean> {
  if (!request) return false
  await engine.caughtUp()
  const row = await queries
    .selectFrom('request')
    .select('journal_seq')
    .where('account_id', '=', BigInt(request.accountId))
    .where('call', '=', request.call)
    .where('request_id', '=', request.id)
    .executeTakeFirst()
  return row !== undefined
}
