import type { CoinDeposit, DepositPage, DepositQuery, DepositView, WireDeposit } from '@fairlot/contract'
import { PAGE_ROWS, tellCoinDeposit, tellWireDeposit } from '@fairlot/contract'
import type { Money } from '@fairlot/core'
import type { UserCall } from '../http/api.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { findChannel, type Channel } from './charge-channels.ts'
import { leftByChannel } from './day-limits.ts'
import { depositsOf, shownDeposit } from './deposit-view.ts'
import { isRepeat, refusalOfMore } from './open-cases.ts'
import type { DepositTable } from '../database/payment-schema.ts'
import type { CaseServices } from './case-services.ts'
import type { OwnPicture, PaymentServices } from './payment-services.ts'

type Told = {
  readonly amount: Money
  readonly proof: string
  readonly shownAddress: string
  readonly reference: string
  readonly channel: Channel
}

/** Deposits as users tell of them: an operator finishes, rejects or invalidates each. */
export function createDeposits(services: CaseServices) {
  const { queries, engine, now } = services

  const open = async (call: UserCall<unknown>, name: string, told: Told): Promise<number | Refusal> => {
    const { user, request } = call
    const picture = await services.proofs.ownPictureOf(told.proof, user.id)
    if (!picture) return refuse('proofUnknown', { field: 'proofImg' })
    if (!(await isRepeat(services, call))) {
      if (picture.usedBy !== null) return refuse('proofUsed', { field: 'proofImg' })
      const refusal =
        (await refusalOfMore(engine, user.id, 'deposit')) ?? (await overDayLimit(services, user.id, told))
      if (refusal) return refusal
    }
    return services.drafts.open({
      ...{ userId: user.id, call: name, request, kind: 'deposit' },
      row: rowOf(user.id, { ...told, picture, at: now() }),
      command: (named) => ({
        ...{ type: 'openDeposit', accountId: user.id, amount: told.amount, request: named },
      }),
    })
  }
  const tell = async (call: UserCall<unknown>, name: string, told: Told): Promise<DepositView | Refusal> => {
    const { kind, id } = told.channel
    // One after the other, so that two at once have not the same picture, and are not both within the limit of the day.
    const caseId = await services.inTurn(`deposits of ${call.user.id}`, () =>
      services.inTurn(`deposits to ${kind} ${id}`, () => open(call, name, told)),
    )
    if (isRefusal(caseId)) return caseId
    await engine.caughtUp()
    services.onSent()
    const [shown] = await depositsOf(queries, { userId: call.user.id, caseId })
    return shown ? shownDeposit(shown) : refuse('internal')
  }

  return {
    tellCoin: async (call: UserCall<CoinDeposit>): Promise<DepositView | Refusal> => {
      const { amount, proof, address, channelId, reference } = call.input
      const channel = await findChannel(queries, 'coin', channelId)
      return channel
        ? tell(call, tellCoinDeposit.name, { amount, proof, shownAddress: address ?? '', reference, channel })
        : refuse('channelNotFound', { field: 'charge_id' })
    },
    tellWire: async (call: UserCall<WireDeposit>): Promise<DepositView | Refusal> => {
      const { amount, proof, wireId, reference } = call.input
      const channel = await findChannel(queries, 'bank', wireId)
      return channel
        ? tell(call, tellWireDeposit.name, { amount, proof, shownAddress: '', reference, channel })
        : refuse('channelNotFound', { field: 'wire_id' })
    },
    find: ({ user, input }: UserCall<{ id: number }>) => findDeposit(services, user.id, input.id),
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

async function findDeposit(
  { engine, queries }: PaymentServices,
  userId: number,
  caseId: number,
): Promise<DepositView | Refusal> {
  await engine.caughtUp()
  const [row] = await depositsOf(queries, { userId, caseId })
  return row ? shownDeposit(row) : refuse('caseNotFound')
}

type Row = Told & { readonly picture: OwnPicture; readonly at: number }

const rowOf = (
  userId: number,
  { channel, shownAddress, reference, picture, at }: Row,
): Omit<DepositTable, 'case_id'> => ({
  ...{ user_id: BigInt(userId), kind: channel.kind },
  ...{ channel_id: BigInt(channel.id), currency_code: channel.currency, protocol_code: channel.network },
  ...{ address: channel.address, shown_address: shownAddress },
  ...{ proof: picture.key, proof_hash: picture.originalSha256, reference, told_at: BigInt(at) },
})

/** What has been told of a channel since midnight, with this one on top, is within its limits. */
async function overDayLimit(
  { queries, engine, now }: PaymentServices,
  userId: number,
  { channel, amount }: Told,
): Promise<Refusal | null> {
  await engine.caughtUp()
  const { all, own } = await leftByChannel({ queries, userId, now: now() }, channel)
  if (own !== null && amount > own) return refuse('personDayLimitReached', { limit: own, field: 'number' })
  return all !== null && amount > all ? refuse('dayLimitReached', { limit: all, field: 'number' }) : null
}
