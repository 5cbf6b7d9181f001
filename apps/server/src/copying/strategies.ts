/** Publishing: a user's own strategy, its texts, reports about strategies, and the limits of copying. */
import { plainText, type CopyingTerms, type OwnStrategy, type StrategyForm } from '@fairlot/contract'
import {
  copyingOf,
  figuresOf,
  isPriced,
  MAX_FEE_SHARE,
  money,
  PUBLISH_AGAIN_MS,
  ratio,
  type Account,
  type Money,
  type State,
} from '@fairlot/core'
import { sql } from 'kysely'
import { readEngine, resultOf } from '../engine/calls.ts'
import { isVerified } from '../funds/withdrawals.ts'
import { createMutex } from '../platform/concurrency.ts'
import type { StrategyTextTable } from '../platform/database/copying-schema.ts'
import type { UserCall } from '../platform/http/api.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import type { CopyingServices } from './copying-services.ts'
import { claimDemo, publisherOf, type Publisher } from './publishers.ts'
import { methodFrom } from './method-change.ts'
import { DAY_MS, METHOD_VERSION } from './strategy-figures.ts'
import { imitates, skeletonOf, strategyName } from './strategy-name.ts'

const DESCRIPTION_MAX = 1_000
const REPORT_MAX = 500
/** The name of an ended strategy stays taken for a year, as long as it is listed, ms. */
const NAME_TAKEN_MS = 365 * DAY_MS

export type Strategies = {
  own(call: UserCall<unknown>): Promise<OwnStrategy | Refusal>
  publish(call: UserCall<StrategyForm>): Promise<OwnStrategy | Refusal>
  unpublish(call: UserCall<unknown>): Promise<null | Refusal>
  /** A registered user names a demo account as the own one. */
  claimDemo(call: UserCall<{ readonly demoId: string }>): Promise<null | Refusal>
  report(call: UserCall<{ readonly id: number; readonly reason: string }>): Promise<null | Refusal>
  terms(): CopyingTerms
}

export function createStrategies(services: CopyingServices): Strategies {
  const { engine, queries, now } = services
  // One at a time, so that two users cannot take one name at once.
  const withLock = createMutex()
  return {
    own: ({ user }) => ownStrategy(services, user),
    publish: (call) => withLock(() => publish(services, call)),
    unpublish: async ({ user, request }) => {
      const entry = await resultOf(engine, { type: 'endStrategy', accountId: user.id, request })
      return isRefusal(entry) ? entry : null
    },
    claimDemo: ({ user, input }) =>
      claimDemo(queries, {
        userId: user.id,
        secret: input.demoId,
        copiedBy: (id) => copiedBy(engine.state(), id),
      }),
    report: (call) => withLock(() => report(services, call)),
    terms: () => {
      const settings = copyingOf(engine.state().settings)
      const { days, orders } = services.rankedAfter()
      return {
        minAmount: settings.minAmount,
        maxCopies: settings.maxCopiesPerUser,
        isDemoOn: settings.isDemoOn,
        isRealOn: settings.isRealOn,
        legalBasis: settings.legalBasis,
        providerMinEquity: settings.providerMinEquity,
        methodVersion: METHOD_VERSION,
        methodFrom: methodFrom(engine, now()),
        rankedAfterDays: days,
        rankedAfterOrders: orders,
      }
    },
  }

  async function publish(
    { operatorName }: CopyingServices,
    { user, input, request }: UserCall<StrategyForm>,
  ): Promise<OwnStrategy | Refusal> {
    const running = engine.state().accounts.get(user.id)?.strategy
    const barred = running ? null : await refusalOfPublisher(services, user)
    if (barred) return barred
    const name = strategyName(input.name)
    if (isRefusal(name)) return name
    if (imitates(name, operatorName())) return refuse('strategyNameOfOperator', { field: 'name' })
    if (await isTaken(services, name, user.id)) return refuse('strategyNameTaken', { field: 'name' })
    const description = plainText(input.description)
    if (description.length > DESCRIPTION_MAX)
      return refuse('textTooLong', { field: 'description', most: DESCRIPTION_MAX })
    const { feeShare } = input
    if (running?.feeShare !== feeShare) {
      const type = running ? 'setStrategyFee' : 'publishStrategy'
      const entry = await resultOf(engine, { type, accountId: user.id, feeShare, request })
      if (isRefusal(entry)) return entry
    }
    await engine.caughtUp()
    const strategyId = engine.state().accounts.get(user.id)?.strategy?.id
    if (strategyId !== undefined)
      await writeText(services, {
        strategy_id: BigInt(strategyId),
        user_id: BigInt(user.id),
        name,
        name_key: skeletonOf(name),
        description,
        changed_at: BigInt(Math.floor(now())),
      })
    return ownStrategy(services, user)
  }
}

const copiedBy = ({ accounts }: State, accountId: number): number[] =>
  (accounts.get(accountId)?.copies ?? []).flatMap((id) => accounts.get(id)?.copy?.providerId ?? [])

/** Writes the texts of a strategy; a hidden one stays hidden. */
async function writeText(
  { queries }: CopyingServices,
  row: Omit<StrategyTextTable, 'hidden_for'>,
): Promise<void> {
  const { strategy_id: _id, user_id: _user, ...texts } = row
  await queries
    .insertInto('strategy_text')
    .values({ ...row, hidden_for: null })
    .onConflict((conflict) => conflict.column('strategy_id').doUpdateSet(texts))
    .execute()
}

/** Whether somebody else has a name that looks the same. */
async function isTaken({ queries, now }: CopyingServices, name: string, userId: number): Promise<boolean> {
  const other = await queries
    .selectFrom('strategy_text')
    .innerJoin('strategy', 'strategy.id', 'strategy_text.strategy_id')
    .select('strategy.id')
    .where('name_key', '=', skeletonOf(name))
    .where('user_id', '!=', BigInt(userId))
    .where((where) =>
      where.or([
        where('ended_at', 'is', null),
        where('ended_at', '>', BigInt(Math.floor(now()) - NAME_TAKEN_MS)),
      ]),
    )
    .executeTakeFirst()
  return other !== undefined
}

type Caller = { readonly id: number; readonly isDemo: boolean }

/** What the engine knows about the caller's strategy and copiers. */
type Standing = {
  readonly strategy: { readonly id: number; readonly publishedAt: number; readonly feeShare: number } | null
  readonly copiers: number
  readonly copiedMoney: Money
  readonly barrier: Exclude<OwnStrategy['barrier'], PersonalBarrier>
  readonly publishableAt: number | null
}

/** Barriers that only the server knows: the engine knows accounts, but not who is behind them. */
type PersonalBarrier = 'identity' | 'registration' | 'staff'

const PERSONAL_REFUSALS = {
  identity: 'strategyNeedsIdentity',
  registration: 'strategyNeedsRegistration',
  staff: 'strategyOfStaff',
} as const satisfies Record<PersonalBarrier, string>

async function personalBarrier(
  { queries }: CopyingServices,
  user: Caller,
  { isStaff, isRegistered }: Publisher,
): Promise<PersonalBarrier | null> {
  if (isStaff) return 'staff'
  if (!isRegistered) return 'registration'
  return user.isDemo || (await isVerified(queries, user.id)) ? null : 'identity'
}

/** Why this person may not publish with any account now; null where only the account decides. */
async function refusalOfPublisher(services: CopyingServices, user: Caller): Promise<Refusal | null> {
  const { engine, queries, now } = services
  const publisher = await publisherOf(queries, user.id)
  const barrier = await personalBarrier(services, user, publisher)
  if (barrier) return refuse(PERSONAL_REFUSALS[barrier])
  const others = await readEngine(engine, (state) => otherAccounts(state, user, publisher))
  if (isRefusal(others)) return others
  if (others.some(({ strategy }) => strategy)) return refuse('strategyRunning')
  const from = publishableFrom(others)
  return now() < from ? refuse('strategyTooSoon', { from }) : null
}

const otherAccounts = ({ accounts }: State, user: Caller, { accountIds }: Publisher): Account[] =>
  accountIds.flatMap((id) => (id === user.id ? [] : (accounts.get(id) ?? [])))

/** When a person with these accounts may publish again, epoch ms; 0 for at once. */
function publishableFrom(accounts: readonly Account[]): number {
  const endedAt = Math.max(0, ...accounts.map(({ strategyEndedAt }) => strategyEndedAt))
  return endedAt === 0 ? 0 : endedAt + PUBLISH_AGAIN_MS
}

function standingOf(state: State, account: Account, others: readonly Account[], now: number): Standing {
  const { strategy } = account
  const copies = account.copiers.flatMap((id) => state.accounts.get(id) ?? [])
  const running = copies.filter(({ copy }) => copy?.strategyId === strategy?.id)
  const again = publishableFrom([account, ...others])
  const isTooSoon = now < again
  return {
    strategy: strategy && {
      id: strategy.id,
      publishedAt: strategy.publishedAt,
      feeShare: strategy.feeShare,
    },
    copiers: running.length,
    copiedMoney: money(running.reduce((sum, copy) => sum + figuresOf(state, copy).equity, 0n)),
    barrier: strategy ? null : barrierOf(state, account, { others, isTooSoon }),
    publishableAt: !strategy && isTooSoon ? again : null,
  }
}

function barrierOf(
  state: State,
  account: Account,
  { others, isTooSoon }: { readonly others: readonly Account[]; readonly isTooSoon: boolean },
): Standing['barrier'] {
  const { isDemoOn, isRealOn, providerMinEquity } = copyingOf(state.settings)
  if (!(account.ledger === 'demo' ? isDemoOn : isRealOn)) return 'copyingOff'
  if (account.status !== 'active') return 'restricted'
  if (others.some((other) => other.strategy)) return 'otherStrategy'
  if (isTooSoon) return 'tooSoon'
  const isEnough = isPriced(state, account) && figuresOf(state, account).equity >= providerMinEquity
  return isEnough ? null : 'equity'
}

async function ownStrategy(services: CopyingServices, user: Caller): Promise<OwnStrategy | Refusal> {
  const { engine, queries, now } = services
  const publisher = await publisherOf(queries, user.id)
  const found = await readEngine(engine, (state) => {
    const account = state.accounts.get(user.id)
    if (!account) return refuse('accountNotFound')
    return standingOf(state, account, otherAccounts(state, user, publisher), now())
  })
  if (isRefusal(found)) return found
  const { strategy, barrier, publishableAt } = found
  const { providerMinEquity: minEquity } = copyingOf(engine.state().settings)
  const common = { minEquity, maxFeeShare: MAX_FEE_SHARE, publishableAt }
  if (!strategy) {
    const personal = barrier === 'copyingOff' ? null : await personalBarrier(services, user, publisher)
    return { strategy: null, barrier: personal ?? barrier, ...common }
  }
  await engine.caughtUp()
  const text = await queries
    .selectFrom('strategy_text')
    .select(['name', 'description', 'hidden_for'])
    .where('strategy_id', '=', BigInt(strategy.id))
    .executeTakeFirst()
  return {
    strategy: {
      id: strategy.id,
      name: text?.name ?? '',
      kind: user.isDemo ? 'demo' : 'real',
      publishedAt: strategy.publishedAt,
      endedAt: null,
      endedAs: null,
      description: text?.description ?? '',
      feeShare: ratio(strategy.feeShare),
      copiers: found.copiers,
      copiedMoney: found.copiedMoney,
      feesEarned: await feesEarned(services, user.id, strategy.publishedAt),
      hiddenFor: text?.hidden_for ?? null,
    },
    barrier: null,
    ...common,
  }
}

/** Performance fees since publication. Those of demo copies go to the demo broker. */
async function feesEarned({ queries }: CopyingServices, userId: number, since: number): Promise<Money> {
  const { earned } = await queries
    .selectFrom('transfer')
    .select(sql<bigint>`cast(coalesce(sum(amount), 0) as bigint)`.as('earned'))
    .where('account_id', '=', BigInt(userId))
    .where('kind', '=', 'performanceFee')
    .where('credit', '=', `available:${userId}`)
    .where('at', '>=', BigInt(since))
    .executeTakeFirstOrThrow()
  return money(BigInt(earned))
}

/** A second report of a user about a strategy changes nothing while the first waits. */
async function report(
  { queries, now }: CopyingServices,
  { user, input }: UserCall<{ readonly id: number; readonly reason: string }>,
): Promise<null | Refusal> {
  const reason = plainText(input.reason)
  if (reason === '') return refuse('reasonMissing', { field: 'reason' })
  if (reason.length > REPORT_MAX)
    return refuse('reasonTooLong', { field: 'reason', maximumLength: REPORT_MAX })
  const id = BigInt(input.id)
  const text = await queries
    .selectFrom('strategy_text')
    .select('user_id')
    .where('strategy_id', '=', id)
    .where('hidden_for', 'is', null)
    .executeTakeFirst()
  if (!text) return refuse('strategyNotFound')
  const { accountIds } = await publisherOf(queries, user.id)
  if (accountIds.includes(Number(text.user_id))) return refuse('ownStrategy')
  const mine = queries
    .selectFrom('strategy_report')
    .select('id')
    .where('strategy_id', '=', id)
    .where('user_id', '=', BigInt(user.id))
    .where('answered_at', 'is', null)
  if (await mine.executeTakeFirst()) return null
  await queries.transaction().execute(async (within) => {
    const { last } = await within
      .selectFrom('strategy_report')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    await within
      .insertInto('strategy_report')
      .values({
        id: ((last as bigint | null) ?? 0n) + 1n,
        strategy_id: id,
        user_id: BigInt(user.id),
        reason,
        at: BigInt(Math.floor(now())),
        answered_at: null,
      })
      .execute()
  })
  return null
}
