import type { CoinDeposit, DepositPage, DepositQuery, DepositView, WireDeposit } from '@fairlot/contract'
import { PAGE_ROWS } from '@fairlot/contract'
import { money, type Money } from '@fairlot/core'
import type { UserCall } from '../http/api.ts'
import { isRefusal, refuse, resultOf, type Refusal } from '../http/refusal.ts'
import { findChannel, type Channel } from './charge-channels.ts'
import { depositsOf, shownDeposit } from './deposit-view.ts'
import { isRepeat, refusalOfMore } from './open-cases.ts'
import type { DepositTable } from '../database/payment-schema.ts'
import type { OwnPicture, PaymentServices } from './payment-services.ts'

const DAY_MS = 86_400_000

type Told = {
  readonly amount: Money
  readonly proof: string
  readonly shownAddress: string
  readonly reference: string
  readonly channel: Channel
}

/** Deposits as users tell of them: an operator finishes, rejects or invalidates each. */
export function createDeposits(services: PaymentServices) {
  const { queries, engine, now } = services

  const tell = async (call: UserCall<unknown>, told: Told): Promise<DepositView | Refusal> => {
    const { user, request } = call
    const picture = await services.proofs.ownPictureOf(told.proof, user.id)
    if (!picture) return refuse('proofUnknown', { field: 'proofImg' })
    if (!(await isRepeat(services, call))) {
      if (picture.usedBy !== null) return refuse('proofUsed', { field: 'proofImg' })
      const refusal =
        (await refusalOfMore(engine, user.id, 'deposit')) ?? (await overDayLimit(services, told))
      if (refusal) return refusal
    }
    const entry = await resultOf(engine, {
      ...{ type: 'openDeposit', accountId: user.id, amount: told.amount, request },
    })
    if (isRefusal(entry)) return entry
    const opened = entry.events.find((event) => event.type === 'depositOpened')
    if (!opened) return refuse('internal')
    const row = rowOf(user.id, opened.caseId, { ...told, picture, at: now() })
    // A repeat of the call finds its row; a server that died in between gets it now.
    await queries.transaction().execute(async (within) => {
      await within
        .insertInto('deposit')
        .values(row)
        .onConflict((conflict) => conflict.column('case_id').doNothing())
        .execute()
      await services.proofs.tie(within, picture.key, `deposit:${opened.caseId}`)
    })
    await engine.caughtUp()
    const [shown] = await depositsOf(queries, { userId: user.id, caseId: opened.caseId })
    return shown ? shownDeposit(shown) : refuse('internal')
  }

  return {
    tellCoin: async (call: UserCall<CoinDeposit>): Promise<DepositView | Refusal> => {
      const { amount, proof, address, channelId, reference } = call.input
      const channel = await findChannel(queries, 'coin', channelId)
      return channel
        ? tell(call, { amount, proof, shownAddress: address ?? '', reference, channel })
        : refuse('channelNotFound', { field: 'charge_id' })
    },
    tellWire: async (call: UserCall<WireDeposit>): Promise<DepositView | Refusal> => {
      const { amount, proof, wireId, reference } = call.input
      const channel = await findChannel(queries, 'bank', wireId)
      return channel
        ? tell(call, { amount, proof, shownAddress: '', reference, channel })
        : refuse('channelNotFound', { field: 'wire_id' })
    },
    list: async ({ user, input }: UserCall<DepositQuery>): Promise<DepositPage> => {
      await engine.caughtUp()
      const which = { userId: user.id, kind: input.kind }
      const { total } = await queries
        .selectFrom('deposit')
        .select(({ fn }) => fn.countAll<bigint>().as('total'))
        .where('user_id', '=', BigInt(user.id))
        .where('kind', '=', input.kind)
        .executeTakeFirstOrThrow()
      const rows = await depositsOf(queries, which, {
        limit: PAGE_ROWS,
        offset: (input.page - 1) * PAGE_ROWS,
      })
      return { deposits: rows.map(shownDeposit), total: Number(total) }
    },
  }
}

type Row = Told & { readonly picture: OwnPicture; readonly at: number }

const rowOf = (
  userId: number,
  caseId: number,
  { channel, shownAddress, reference, picture, at }: Row,
): DepositTable => ({
  ...{ case_id: BigInt(caseId), user_id: BigInt(userId), kind: channel.kind },
  ...{ channel_id: BigInt(channel.id), currency_code: channel.currency, protocol_code: channel.network },
  ...{ address: channel.address, shown_address: shownAddress },
  ...{ proof: picture.key, proof_hash: picture.originalSha256, reference, told_at: BigInt(at) },
})

/** What has been told of a channel since midnight, with this one on top, is within its limit. */
async function overDayLimit(
  { queries, now }: PaymentServices,
  { channel, amount }: Told,
): Promise<Refusal | null> {
  if (channel.dayLimit === null) return null
  const midnight = now() - (now() % DAY_MS)
  const row = await queries
    .selectFrom('deposit')
    .innerJoin('money_case', 'money_case.id', 'deposit.case_id')
    .select((select) => select.fn.sum('money_case.amount').as('sum'))
    .where('deposit.kind', '=', channel.kind)
    .where('channel_id', '=', BigInt(channel.id))
    .where('told_at', '>=', BigInt(midnight))
    .where('status', 'in', ['open', 'finished'])
    .executeTakeFirst()
  const free = channel.dayLimit - BigInt(row?.sum ?? 0)
  return amount > free ? refuse('dayLimitReached', { limit: money(free > 0n ? free : 0n) }) : null
}
