import {
  type CoinDeposit,
  type DepositPage,
  type DepositQuery,
  type DepositView,
  reportCoinDeposit,
  reportWireDeposit,
  type WireDeposit,
} from '@fairlot/contract'
import {
  invalidSentAmount,
  isRejection,
  isValidSentAmount,
  money,
  MONEY_DECIMALS,
  rateOfSent,
  rescale,
  SENT_DECIMALS,
  type SentMoney,
  type State,
  amountAtRate,
} from '@fairlot/core'
import { readEngine } from '../engine/calls.ts'
import type { Engine } from '../engine/engine.ts'
import { arrivalCodec, sentCodec } from '../engine/journal/event-codec.ts'
import type { Queries } from '../platform/database/open.ts'
import type { DepositTable } from '../platform/database/payment-schema.ts'
import type { MoneyCaseTable } from '../platform/database/schema.ts'
import type { StoredFile } from '../platform/files/stored-files.ts'
import type { UserCall } from '../platform/http/api.ts'
import { atField, isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import {
  type CaseServices,
  earlierCase,
  type PaymentServices,
  refusalOfAnotherCase,
} from './payment-cases.ts'
import { leftForChannel } from './day-limits.ts'
import { type Channel, findChannel } from './deposit-channels.ts'
import { ONE_ROW, type RowSlice, sliceOf } from './row-slice.ts'

type DepositReport = {
  /** In units of 1e-8 of the channel's currency. */
  readonly amount: bigint
  readonly proof: string
  readonly shownAddress: string
  readonly reference: string
  readonly channel: Channel
}

/** Deposits that users report. An operator credits, rejects or invalidates each. */
export function createDeposits(services: CaseServices) {
  const { queries, engine, now } = services

  const open = async (
    call: UserCall<unknown>,
    name: string,
    deposit: DepositReport,
  ): Promise<number | Refusal> => {
    const { user, request } = call
    const earlier = await earlierCase(services, call)
    if (earlier !== null) return earlier
    const picture = await services.proofs.ownPictureOf(deposit.proof, user.id)
    if (!picture) return refuse('proofUnknown', { field: 'proofImg' })
    if (picture.usedBy !== null) return refuse('proofUsed', { field: 'proofImg' })
    const refusal =
      (await refusalOfAnotherCase(engine, user.id, 'deposit')) ??
      (await overDayLimit(services, user.id, deposit))
    if (refusal) return refusal
    return services.cases.open({
      userId: user.id,
      call: name,
      request,
      kind: 'deposit',
      row: rowOf(user.id, { ...deposit, picture, at: now() }),
      command: (named) => ({
        type: 'openDeposit',
        accountId: user.id,
        sent: sentBy(deposit),
        request: named,
      }),
    })
  }
  const report = async (
    call: UserCall<unknown>,
    name: string,
    deposit: DepositReport,
  ): Promise<DepositView | Refusal> => {
    const { kind, id } = deposit.channel
    // One at a time, so that two concurrent reports neither share a picture nor both pass the daily limit.
    const caseId = await services.withLock(`deposits of ${call.user.id}`, () =>
      services.withLock(`deposits to ${kind} ${id}`, () => open(call, name, deposit)),
    )
    if (isRefusal(caseId)) return caseId
    await engine.caughtUp()
    services.onSubmitted()
    const [shown] = await depositsOf(queries, { userId: call.user.id, caseId })
    return shown ? shownDeposit(shown, currencyOf(engine)) : refuse('internal')
  }

  return {
    reportCoin: async (call: UserCall<CoinDeposit>): Promise<DepositView | Refusal> => {
      const { amount, proof, address, channelId, reference } = call.input
      const channel = await findChannel(services, 'coin', channelId)
      return channel
        ? report(call, reportCoinDeposit.name, {
            amount,
            proof,
            shownAddress: address ?? '',
            reference,
            channel,
          })
        : refuse('channelNotFound', { field: 'charge_id' })
    },
    reportWire: async (call: UserCall<WireDeposit>): Promise<DepositView | Refusal> => {
      const { amount, proof, wireId, reference } = call.input
      const channel = await findChannel(services, 'bank', wireId)
      return channel
        ? report(call, reportWireDeposit.name, { amount, proof, shownAddress: '', reference, channel })
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
      const rows = await depositsOf(queries, which, sliceOf(input))
      return { deposits: rows.map((row) => shownDeposit(row, currencyOf(engine))), total: Number(total) }
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
  return row ? shownDeposit(row, currencyOf(engine)) : refuse('caseNotFound')
}

const currencyOf = (engine: Engine): string => engine.state().settings.accountCurrency

const sentBy = ({ amount, channel: { currency, fixedRate } }: DepositReport): SentMoney => ({
  currency,
  amount,
  fixedRate,
})

type Row = DepositReport & { readonly picture: StoredFile; readonly at: number }

const rowOf = (
  userId: number,
  { channel, shownAddress, reference, picture, at }: Row,
): Omit<DepositTable, 'case_id' | 'reference_key'> => ({
  user_id: BigInt(userId),
  kind: channel.kind,
  channel_id: BigInt(channel.id),
  currency_code: channel.currency,
  protocol_code: channel.network,
  address: channel.address,
  tag: channel.tag,
  shown_address: shownAddress,
  proof: picture.key,
  proof_hash: picture.originalSha256,
  reference,
  told_at: BigInt(at),
})

/** The refusal of a deposit that exceeds today's limits of its channel; null if it does not. */
async function overDayLimit(
  { queries, engine, now }: PaymentServices,
  userId: number,
  deposit: DepositReport,
): Promise<Refusal | null> {
  const { channel } = deposit
  await engine.caughtUp()
  const worth = await readEngine(engine, (state) => worthNow(state, sentBy(deposit)))
  if (isRefusal(worth)) return atField(worth, 'number')
  const { amount } = worth
  const { all, own } = await leftForChannel({ queries, userId, now: now() }, channel)
  if (own !== null && amount > own) return refuse('personDayLimitReached', { limit: own, field: 'number' })
  return all !== null && amount > all ? refuse('dayLimitReached', { limit: all, field: 'number' }) : null
}

/** The amount sent, in the account currency: limits are in that currency. */
function worthNow(state: State, sent: SentMoney): { readonly amount: bigint } | Refusal {
  if (!isValidSentAmount(sent.amount)) return invalidSentAmount(sent)
  const priced = rateOfSent(state, sent)
  return isRejection(priced) ? priced : { amount: amountAtRate(sent.amount, priced.rate) }
}

/** A deposit with its case. */
export type DepositRow = DepositTable &
  Pick<
    MoneyCaseTable,
    'amount' | 'status' | 'credited' | 'opened_at' | 'ended_at' | 'ended_reason' | 'sent' | 'arrived'
  >

export type WhichDeposits = {
  readonly userId: number
  readonly kind?: 'coin' | 'bank'
  readonly caseId?: number
}

/** Deposits of a user, newest first. The tables must be up to date. */
function depositsOf(
  queries: Queries,
  { userId, kind, caseId }: WhichDeposits,
  { limit, offset, before }: RowSlice = ONE_ROW,
): Promise<DepositRow[]> {
  return queries
    .selectFrom('deposit')
    .innerJoin('money_case', 'money_case.id', 'deposit.case_id')
    .selectAll('deposit')
    .select(['amount', 'status', 'credited', 'opened_at', 'ended_at', 'ended_reason', 'sent', 'arrived'])
    .where('user_id', '=', BigInt(userId))
    .$if(kind !== undefined, (q) => q.where('deposit.kind', '=', kind ?? ''))
    .$if(caseId !== undefined, (q) => q.where('case_id', '=', BigInt(caseId ?? 0)))
    .$if(before !== null, (q) => q.where('case_id', '<', before ?? 0n))
    .orderBy('case_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

const STATUSES: Readonly<Record<string, DepositView['status']>> = {
  open: 'unchecked',
  finished: 'finished',
  rejected: 'rejected',
  invalid: 'invalid',
}

/** What was sent and what has arrived. In older cases, which have no currency, the amount stands for both. */
function valuesOf({ amount, status, credited, sent, arrived }: Valued) {
  const reported = sent === null ? null : sentCodec.read(JSON.parse(sent))
  const counted = arrived === null ? null : arrivalCodec.read(JSON.parse(arrived))
  return {
    amount: reported?.amount ?? rescale(amount, MONEY_DECIMALS, SENT_DECIMALS),
    estimate: reported && money(amount),
    estimatedRate: reported?.rate ?? null,
    arrived: counted?.amount ?? null,
    arrivedAt: counted?.at ?? null,
    rate: counted?.rate ?? null,
    credited: status === 'finished' ? money(credited) : null,
  }
}

type Valued = Pick<MoneyCaseTable, 'amount' | 'status' | 'credited' | 'sent' | 'arrived'>

const shownDeposit = (row: DepositRow, accountCurrency: string): DepositView => ({
  id: Number(row.case_id),
  ...valuesOf(row),
  accountCurrency,
  kind: row.kind === 'bank' ? 'bank' : 'coin',
  currency: row.currency_code,
  network: row.protocol_code,
  status: STATUSES[row.status] ?? 'unchecked',
  createdAt: Number(row.opened_at),
  remark: row.status === 'open' ? '' : row.ended_reason,
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
})
