/** The desk's calls about strategies, reports of users about them, and the copies of a user. */
import type { InputOf, OutputOf } from '@fairlot/contract'
import {
  answerStrategyReports,
  DESK_PAGE_ROWS,
  hideStrategy,
  listDeskStrategies,
  listStrategyReports,
  listUserCopies,
  setStaff,
  showStrategy,
  strategiesFile,
  type DeskStrategy,
  type UserCopy,
  userCopiesFile,
} from '@fairlot/contract/desk'
import { figuresOf, isPosition, isPriced, money, ratio, type Money, type State } from '@fairlot/core'
import { sql, type Transaction } from 'kysely'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { copyMoneyOf } from '../copy-money.ts'
import { publisherOf } from '../publishers.ts'

type Show = 'all' | 'reported' | 'hidden' | 'running' | 'ended'

export function registerStrategiesDesk(services: DeskServices): void {
  const { api, queries, deployment, auditLog, notices, hub, now } = services
  const { engine } = deployment

  const listed = async (
    { search, show, page }: InputOf<typeof listDeskStrategies>,
    limit = DESK_PAGE_ROWS,
  ): Promise<OutputOf<typeof listDeskStrategies> | Refusal> => {
    await engine.caughtUp()
    const found = strategiesOf(queries, { search, show })
    const { total } = await found
      .clearSelect()
      .select(({ fn }) => fn.countAll<bigint>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await found
      .orderBy('strategy.id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const strategies = await readEngine(engine, (state) => rows.map((row) => shownStrategy(state, row)))
    return isRefusal(strategies) ? strategies : { strategies, total: Number(total) }
  }
  api.list(listDeskStrategies, ({ input }, limit) => listed(input, limit), {
    file: strategiesFile,
    rowsOf: ({ strategies }) => strategies,
  })

  api.operator(listStrategyReports, async ({ input: { id } }) => {
    const rows = await queries
      .selectFrom('strategy_report')
      .selectAll()
      .where('strategy_id', '=', BigInt(id))
      .orderBy('id', 'desc')
      .execute()
    return {
      reports: rows.map((row) => ({
        id: Number(row.id),
        at: Number(row.at),
        userId: Number(row.user_id),
        reason: row.reason,
        answeredAt: row.answered_at === null ? null : Number(row.answered_at),
      })),
    }
  })

  /** Changes the row of a strategy, with an entry of the audit log. */
  const change = async (
    { operator, input }: { readonly operator: DeskOperator; readonly input: Change },
    after: string,
    effect: (within: Transaction<Tables>, text: Text) => Promise<void>,
  ): Promise<{ id: number } | Refusal> => {
    const { id, reason } = input
    const text = await textOf(queries, id)
    if (!text) return refuse('strategyNotFound')
    const changed = await auditLog.perform(
      {
        operator,
        act: 'hideStrategy',
        subject: `strategy:${id}`,
        accountId: Number(text.user_id),
        reason,
        before: { name: text.name, hiddenFor: text.hidden_for },
        after: { change: after },
      },
      async (within) => {
        await effect(within, text)
        await within
          .updateTable('strategy_report')
          .set({ answered_at: BigInt(Math.floor(now())) })
          .where('strategy_id', '=', BigInt(id))
          .where('answered_at', 'is', null)
          .execute()
        return { id }
      },
    )
    if (!isRefusal(changed)) hub.changed('copying')
    return changed
  }
  api.operator(hideStrategy, async (call) => {
    const { id, reason } = call.input
    let hidden: { readonly userId: number; readonly name: string } | null = null
    const changed = await change(call, 'hidden', async (within, { user_id, name }) => {
      await setHidden(within, id, reason.trim())
      hidden = { userId: Number(user_id), name }
      await notices.write(within, Number(user_id), { kind: 'strategyHidden', name, reason: reason.trim() })
    })
    if (!isRefusal(changed) && hidden) publishHidden(hidden, reason.trim())
    return changed
  })
  const publishHidden = ({ userId, name }: { userId: number; name: string }, reason: string) =>
    notices.publish(userId, { kind: 'strategyHidden', name, reason })

  api.operator(showStrategy, (call) =>
    change(call, 'shown', async (within) => void (await setHidden(within, call.input.id, null))),
  )
  api.operator(answerStrategyReports, (call) => change(call, 'reports answered', async () => undefined))

  registerStaff(services)

  const copiesOfUser = async (
    { id, page }: InputOf<typeof listUserCopies>,
    limit = DESK_PAGE_ROWS,
  ): Promise<OutputOf<typeof listUserCopies> | Refusal> => {
    await engine.caughtUp()
    const all = queries.selectFrom('copy').where('owner_id', '=', BigInt(id))
    const { total } = await all
      .select(({ fn }) => fn.countAll<bigint>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await copiesOf(queries, id, { page, limit })
    const moneyOf = await copyMoneyOf(
      queries,
      rows.map(({ account_id }) => account_id),
    )
    const own = await strategiesOf(queries, { search: '', show: 'running' })
      .where('strategy.account_id', '=', BigInt(id))
      .executeTakeFirst()
    const { accountIds, isStaff } = await publisherOf(queries, id)
    return readEngine(engine, (state) => ({
      isStaff,
      otherAccounts: accountIds.filter((one) => one !== id),
      copies: rows.map((row): UserCopy => {
        const copyId = Number(row.account_id)
        const account = state.accounts.get(copyId)
        return {
          id: copyId,
          strategyId: Number(row.strategy_id),
          name: row.name ?? '',
          providerId: Number(row.provider_id),
          state: row.status as UserCopy['state'],
          endReason: row.end_reason,
          ...moneyOf(copyId),
          equity: account && isPriced(state, account) ? figuresOf(state, account).equity : null,
          positions: [...(account?.orders.values() ?? [])].filter(isPosition).length,
          startedAt: Number(row.started_at),
          endedAt: row.ended_at === null ? null : Number(row.ended_at),
        }
      }),
      strategy: own ? shownStrategy(state, own) : null,
      total: Number(total),
    }))
  }
  api.list(listUserCopies, ({ input }, limit) => copiesOfUser(input, limit), {
    file: userCopiesFile,
    rowsOf: ({ copies }) => copies,
  })
}

/** Records who works for the broker, and hides what such a person publishes. */
function registerStaff({ api, queries, auditLog, notices, hub }: DeskServices): void {
  api.operator(setStaff, async ({ operator, input }) => {
    const { id, isStaff } = input
    const reason = input.reason.trim()
    const publisher = await publisherOf(queries, id)
    const ids = publisher.accountIds.map(BigInt)
    const published = isStaff ? await publishedBy(queries, ids) : []
    const entry = {
      operator,
      act: 'recordStaff',
      subject: `person:${id}`,
      accountId: id,
      reason: input.reason,
      before: { worksForBroker: publisher.isStaff },
      after: { worksForBroker: isStaff, hidden: published.map(({ strategy_id }) => Number(strategy_id)) },
    } as const
    const changed = await auditLog.perform(entry, async (within) => {
      const known = await within
        .selectFrom('app_user')
        .select('id')
        .where('id', '=', BigInt(id))
        .executeTakeFirst()
      if (!known) return refuse('accountNotFound')
      await within.deleteFrom('staff_user').where('user_id', 'in', ids).execute()
      if (isStaff)
        await within
          .insertInto('staff_user')
          .values({ user_id: BigInt(id) })
          .execute()
      for (const { strategy_id, user_id, name } of published) {
        await setHidden(within, Number(strategy_id), reason)
        await notices.write(within, Number(user_id), { kind: 'strategyHidden', name, reason })
      }
      return { isStaff }
    })
    if (isRefusal(changed)) return changed
    for (const { user_id, name } of published)
      notices.publish(Number(user_id), { kind: 'strategyHidden', name, reason })
    hub.changed('people', 'copying')
    return changed
  })
}

/** The strategies that these accounts publish and that are shown. */
const publishedBy = (queries: Queries, accountIds: readonly bigint[]) =>
  queries
    .selectFrom('strategy_text')
    .innerJoin('strategy', 'strategy.id', 'strategy_text.strategy_id')
    .select(['strategy_id', 'user_id', 'name'])
    .where('user_id', 'in', accountIds)
    .where('ended_at', 'is', null)
    .where('hidden_for', 'is', null)
    .execute()

const setHidden = (within: Transaction<Tables>, id: number, hidden_for: string | null) =>
  within.updateTable('strategy_text').set({ hidden_for }).where('strategy_id', '=', BigInt(id)).execute()

type Change = { readonly id: number; readonly reason: string }
type Text = { readonly user_id: bigint; readonly name: string; readonly hidden_for: string | null }

const textOf = async (queries: Queries, id: number): Promise<Text | null> =>
  (await queries
    .selectFrom('strategy_text')
    .select(['user_id', 'name', 'hidden_for'])
    .where('strategy_id', '=', BigInt(id))
    .executeTakeFirst()) ?? null

const openReports = sql<bigint>`(select count(*) from strategy_report where strategy_report.strategy_id = strategy.id
  and strategy_report.answered_at is null)`

/** Strategies by a part of their name, or by the number of one or of its user. */
function strategiesOf(queries: Queries, { search, show }: { readonly search: string; readonly show: Show }) {
  const sought = search.trim()
  const number = /^\d{1,15}$/.test(sought) ? BigInt(sought) : null
  return queries
    .selectFrom('strategy')
    .innerJoin('account', 'account.id', 'strategy.account_id')
    .leftJoin('strategy_text', 'strategy_text.strategy_id', 'strategy.id')
    .selectAll('strategy')
    .select(['account.ledger', 'strategy_text.name', 'strategy_text.description', 'strategy_text.hidden_for'])
    .select(openReports.as('open_reports'))
    .$if(sought !== '', (query) =>
      query.where((where) =>
        where.or([
          where(
            sql`lower(strategy_text.name)`,
            'like',
            `%${sought.toLowerCase().replaceAll(/[%_\\]/g, '')}%`,
          ),
          ...(number === null
            ? []
            : [where('strategy.id', '=', number), where('strategy.account_id', '=', number)]),
        ]),
      ),
    )
    .$if(show === 'reported', (query) => query.where(openReports, '>', 0n))
    .$if(show === 'hidden', (query) => query.where('strategy_text.hidden_for', 'is not', null))
    .$if(show === 'running', (query) => query.where('strategy.ended_at', 'is', null))
    .$if(show === 'ended', (query) => query.where('strategy.ended_at', 'is not', null))
}

type StrategyRow = Awaited<ReturnType<ReturnType<typeof strategiesOf>['execute']>>[number]

function shownStrategy(state: State, row: StrategyRow): DeskStrategy {
  const { copiers, copiedMoney } = copiersOf(state, Number(row.account_id), Number(row.id))
  return {
    id: Number(row.id),
    userId: Number(row.account_id),
    ledger: row.ledger as DeskStrategy['ledger'],
    name: row.name ?? '',
    description: row.description ?? '',
    feeShare: ratio(Number(row.fee_share)),
    publishedAt: Number(row.published_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
    endedAs: row.end_reason,
    copiers,
    copiedMoney,
    openReports: Number(row.open_reports),
    isHidden: row.hidden_for !== null,
    hiddenFor: row.hidden_for,
  }
}

function copiersOf(
  state: State,
  accountId: number,
  strategyId: number,
): { readonly copiers: number; readonly copiedMoney: Money } {
  const copies = (state.accounts.get(accountId)?.copiers ?? [])
    .flatMap((id) => state.accounts.get(id) ?? [])
    .filter(({ copy }) => copy?.strategyId === strategyId)
  const copiedMoney = copies.reduce((sum, copy) => sum + figuresOf(state, copy).equity, 0n)
  return { copiers: copies.length, copiedMoney: money(copiedMoney) }
}

const copiesOf = (queries: Queries, userId: number, { page, limit }: { page: number; limit: number }) =>
  queries
    .selectFrom('copy')
    .leftJoin('strategy_text', 'strategy_text.strategy_id', 'copy.strategy_id')
    .selectAll('copy')
    .select('strategy_text.name as name')
    .where('copy.owner_id', '=', BigInt(userId))
    .orderBy(sql<number>`case when copy.ended_at is null then 0 else 1 end`)
    .orderBy('copy.account_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
