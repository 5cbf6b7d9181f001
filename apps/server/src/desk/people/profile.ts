import type { PersonProfile } from '@fairlot/contract/desk'
import { figuresOf, money, percentOf, type State } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../database/open.ts'
import { isRefusal, readEngine, refuse, type Refusal } from '../../http/refusal.ts'
import { findUser } from '../../user/routes.ts'
import type { DeskServices } from '../desk-services.ts'

type Services = Pick<DeskServices, 'deployment' | 'queries'>

/** Who somebody is and what their account is worth at the prices of now. */
export async function profileOf(
  { deployment, queries }: Services,
  id: number,
): Promise<PersonProfile | Refusal> {
  const seen = await readEngine(deployment.engine, (state) => seeAccount(state, id))
  if (seen === null || isRefusal(seen)) return seen ?? refuse('accountNotFound')
  await deployment.engine.caughtUp()
  const user = await findUser(queries, id)
  if (!user) return refuse('accountNotFound')
  return { ...seen, user, ...(await personOf(queries, id)), ...(await paidOf(queries, id)) }
}

/** The account from the engine's memory, by the core's own arithmetic. */
function seeAccount(state: State, id: number) {
  const account = state.accounts.get(id)
  if (!account) return null
  const { level, ...figures } = figuresOf(state, account)
  return {
    ...{ status: account.status, statusReason: account.statusReason },
    figures: {
      ...figures,
      frozen: account.frozen.balance,
      level: level && percentOf(level),
      openOrders: account.orders.size,
    },
  }
}

async function personOf(queries: Queries, id: number) {
  const row = await queries
    .selectFrom('app_user')
    .leftJoin('member', 'member.user_id', 'app_user.id')
    .leftJoin('second_factor', 'second_factor.user_id', 'app_user.id')
    .select(['created_at', 'area', 'language', 'invited_by', 'second_factor.confirmed_at'])
    .where('app_user.id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  const { count } = await queries
    .selectFrom('person_note')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('account_id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  const inviter = row.invited_by === null ? null : await findUser(queries, Number(row.invited_by))
  return {
    ...{ area: row.area, language: row.language, registeredAt: Number(row.created_at) },
    hasSecondFactor: row.confirmed_at !== null,
    invitedBy: inviter && { id: inviter.id, uid: inviter.uid },
    noteCount: Number(count),
  }
}

/** Of finished cases: what came in, and what went out with its fees. */
async function paidOf(queries: Queries, id: number) {
  const { deposits, withdrawals } = await queries
    .selectFrom('money_case')
    .select([
      sql<bigint>`cast(coalesce(sum(case when kind = 'deposit' then credited else 0 end), 0) as bigint)`.as(
        'deposits',
      ),
      sql<bigint>`cast(coalesce(sum(case when kind = 'withdrawal' and status = 'paid' then amount else 0 end), 0) as bigint)`.as(
        'withdrawals',
      ),
    ])
    .where('account_id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  return { deposits: money(deposits), withdrawals: money(withdrawals) }
}
