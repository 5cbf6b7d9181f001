import type { InputOf } from '@fairlot/contract'
import {
  approveWithdrawal,
  decideAdjustment,
  depositChannelsFile,
  DESK_PAGE_ROWS,
  type DeskPermission,
  type DeskTransfer,
  findReference,
  finishDeposit,
  getPayment,
  getPaymentSetup,
  listTransfers,
  type PaymentDetail,
  payWithdrawal,
  previewCredit,
  refuseDeposit,
  refuseWithdrawal,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  startPayment,
  switchOffReceiving,
  transfersFile,
  wireAccountsFile,
  withdrawalCurrenciesFile,
} from '@fairlot/contract/desk'
import { money, type TransferKind } from '@fairlot/core'
import { latinDigits } from '@fairlot/core/decimal'
import { sql } from 'kysely'
import type { DeskServices } from '../../desk/desk-services.ts'
import { type DeskOperator, findOperator } from '../../desk/operators/operators.ts'
import type { Queries } from '../../platform/database/open.ts'
import { transactionKey } from '../../platform/database/transaction-number.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { adjustmentSource, createAdjustmentDecision } from './adjustments.ts'
import { casesByReference, depositSource } from './deposit-cases.ts'
import { createDepositDecisions } from './deposit-decisions.ts'
import { shownChannel, shownCurrency, shownWire } from './payment-forms.ts'
import { createReceivingAccounts } from './receiving-accounts.ts'
import { createCurrencyChanges } from './withdrawal-currencies.ts'
import { createWithdrawalDecisions, payToOf, withdrawalSource } from './withdrawals.ts'

/** The calls that decide deposits, withdrawals and adjustments. */
export function registerMoney(services: DeskServices): void {
  const { api, queries, assignments, waiting, deployment, hub } = services
  waiting.register(depositSource(services))
  waiting.register(withdrawalSource(services))
  waiting.register(adjustmentSource(services))
  const deposits = createDepositDecisions(services)
  const withdrawals = createWithdrawalDecisions(services)
  const adjust = createAdjustmentDecision(services)

  type Case = { readonly caseKey: string; readonly act: DeskPermission }
  const deciding = async <T>(operator: DeskOperator, of: Case, decide: () => Promise<T | Refusal>) => {
    const result = await assignments.decideUnlessTaken(operator, of, decide)
    if (!isRefusal(result)) {
      await deployment.engine.caughtUp()
      hub.changed('waiting', 'payments')
    }
    return result
  }
  /** Decides a case and releases it. */
  const ending = (operator: DeskOperator, of: Case, end: () => Promise<null | Refusal>) =>
    deciding(operator, of, async () => {
      const refusal = await end()
      if (refusal === null) await assignments.clear(of.caseKey)
      return refusal
    })
  const depositOf = (id: number) => ({ caseKey: `deposit:${id}`, act: 'decideDeposit' }) as const
  const withdrawalOf = (id: number) => ({ caseKey: `withdrawal:${id}`, act: 'decideWithdrawal' }) as const

  api.operator(finishDeposit, ({ operator, input, request }) =>
    deciding(operator, depositOf(input.id), () => deposits.finish(operator, input, request)),
  )
  api.operator(previewCredit, ({ operator, input }) => deposits.preview(operator, input))
  api.operator(refuseDeposit, ({ operator, input }) =>
    ending(operator, depositOf(input.id), () => deposits.refuse(operator, input)),
  )
  api.operator(approveWithdrawal, ({ operator, input }) =>
    deciding(operator, withdrawalOf(input.id), () => withdrawals.approve(operator, input)),
  )
  api.operator(payWithdrawal, ({ operator, input }) =>
    ending(operator, withdrawalOf(input.id), () => withdrawals.pay(operator, input)),
  )
  api.operator(startPayment, ({ operator, input }) =>
    deciding(operator, withdrawalOf(input.id), () => withdrawals.start(operator, input)),
  )
  api.operator(refuseWithdrawal, ({ operator, input, request }) =>
    deciding(operator, withdrawalOf(input.id), async () => {
      const outcome = await withdrawals.reject(operator, input, request)
      if (!isRefusal(outcome) && outcome.approvalId === null)
        await assignments.clear(withdrawalOf(input.id).caseKey)
      return outcome
    }),
  )
  api.operator(decideAdjustment, ({ operator, input }) =>
    ending(operator, { caseKey: `adjustment:${input.id}`, act: 'decideAdjustment' }, () =>
      adjust(operator, input),
    ),
  )
  api.operator(
    getPayment,
    async ({ input }) => (await paymentOf(services, input.id)) ?? refuse('caseNotFound'),
  )
  api.operator(findReference, async ({ input: { id, reference } }) => ({
    cases: await casesByReference(queries, reference, id),
  }))
}

async function paymentOf({ queries, deployment }: DeskServices, id: number): Promise<PaymentDetail | null> {
  const deposit = await queries
    .selectFrom('deposit')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  const none = {
    proof: null,
    isApproved: false,
    isPaying: false,
    approvedBy: null,
    currency: '',
    reportedAt: null,
    received: '',
    payTo: '',
  }
  if (deposit) {
    const { cases, settings } = deployment.engine.state()
    const open = cases.get(id)
    const sent = open?.kind === 'deposit' ? open.sent : null
    return {
      ...none,
      kind: 'deposit',
      id,
      accountId: Number(deposit.user_id),
      proof: deposit.proof,
      currency: sent?.currency ?? settings.accountCurrency,
      reportedAt: Number(deposit.told_at),
    }
  }
  const row = await queries
    .selectFrom('withdrawal')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  if (!row) return null
  await deployment.engine.caughtUp()
  const held = await queries
    .selectFrom('money_case')
    .select(['approved_at', 'approved_by', 'paying_at'])
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  const approvedBy = held?.approved_by ?? null
  const approver = approvedBy === null ? null : await findOperator(queries, Number(approvedBy))
  return {
    kind: 'withdrawal',
    ...none,
    id,
    accountId: Number(row.user_id),
    isApproved: (held?.approved_at ?? null) !== null,
    isPaying: (held?.paying_at ?? null) !== null,
    approvedBy: approver?.name ?? null,
    received: `${row.received} ${row.code}`,
    payTo: payToOf(row),
  }
}

/** The calls that set up deposit accounts and payout currencies. */
export function registerPaymentSetup(services: DeskServices): void {
  const { api, queries } = services
  const receiving = createReceivingAccounts({
    ...services,
    announced: services.deployment.payments.announced,
    market: () => services.deployment.engine.state(),
  })
  const saveCurrency = createCurrencyChanges(services)

  const setup = async () => ({
    channels: (await queries.selectFrom('deposit_channel').selectAll().orderBy('id').execute()).map((row) =>
      shownChannel(services.deployment.engine.state(), row, services.now()),
    ),
    wires: (await queries.selectFrom('wire_account').selectAll().orderBy('id').execute()).map((row) =>
      shownWire(services.deployment.engine.state(), row, services.now()),
    ),
    currencies: (await queries.selectFrom('withdrawal_currency').selectAll().orderBy('id').execute()).map(
      (row) => shownCurrency(row, services.now()),
    ),
  })
  api.list(
    getPaymentSetup,
    setup,
    { file: depositChannelsFile, rowsOf: ({ channels }) => channels },
    { file: wireAccountsFile, rowsOf: ({ wires }) => wires },
    { file: withdrawalCurrenciesFile, rowsOf: ({ currencies }) => currencies },
  )
  api.operator(saveDepositChannel, ({ operator, request, input }) => {
    const { id, version, reason, isUnlistedNetwork, ...form } = input
    const change = { kind: 'channel', id, version, form, reason, isUnlistedNetwork } as const
    return receiving.request(operator, change, request)
  })
  api.operator(saveWireAccount, ({ operator, request, input: { id, version, reason, ...form } }) =>
    receiving.request(operator, { kind: 'wire', id, version, form, reason }, request),
  )
  api.operator(switchOffReceiving, ({ operator, input }) => receiving.switchOff(operator, input))
  api.operator(saveWithdrawalCurrency, ({ operator, request, input }) =>
    saveCurrency(operator, input, request),
  )
}

type TransferQuery = InputOf<typeof listTransfers>

/** Ids have at most this many digits. */
const NUMBER = /^\d{1,18}$/

/** Every transfer of the ledger, searchable by user, kind, time, and id or transaction number. */
export function registerTransfers({ api, queries, deployment: { engine } }: DeskServices): void {
  const page = async ({ input }: { readonly input: TransferQuery }, limit = DESK_PAGE_ROWS) => {
    await engine.caughtUp()
    return { transfers: await findTransfers(queries, input, limit) }
  }
  api.list(listTransfers, page, { file: transfersFile, rowsOf: ({ transfers }) => transfers })
}

async function findTransfers(
  queries: Queries,
  filter: TransferQuery,
  limit: number,
): Promise<DeskTransfer[]> {
  const { ledger, accountId, kind, since, until, page } = filter
  const reference = filter.reference ?? ''
  const key = transactionKey(reference)
  const number = latinDigits(reference.normalize('NFKC'))
  const rows = await queries
    .selectFrom('transfer')
    .leftJoin('app_user', 'app_user.id', 'transfer.account_id')
    .selectAll('transfer')
    .where(sql<bigint>`coalesce(app_user.is_demo, 0)`, '=', ledger === 'demo' ? 1n : 0n)
    .$if(accountId !== null, (query) => query.where('transfer.account_id', '=', BigInt(accountId ?? 0)))
    .$if(kind !== null, (query) => query.where('transfer.kind', '=', kind ?? ''))
    .$if(since !== null, (query) => query.where('transfer.at', '>=', BigInt(since ?? 0)))
    .$if(until !== null, (query) => query.where('transfer.at', '<', BigInt(until ?? 0)))
    .$if(reference !== '', (query) =>
      query.where(({ or, eb, selectFrom }) => {
        const named = (['deposit', 'withdrawal'] as const).map((table) =>
          eb(
            'transfer.case_id',
            'in',
            selectFrom(table)
              .select('case_id')
              .where('reference_key', '=', key)
              .where('reference_key', '!=', ''),
          ),
        )
        if (!NUMBER.test(number)) return or(named)
        const columns = ['transfer.id', 'transfer.order_id', 'transfer.case_id'] as const
        return or([...named, ...columns.map((column) => eb(column, '=', BigInt(number)))])
      }),
    )
    .orderBy('transfer.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return rows.map((row) => ({
    id: Number(row.id),
    at: Number(row.at),
    kind: row.kind as TransferKind,
    accountId: numberOf(row.account_id),
    debit: row.debit,
    credit: row.credit,
    amount: money(row.amount),
    orderId: numberOf(row.order_id),
    caseId: numberOf(row.case_id),
  }))
}

const numberOf = (value: bigint | null): number | null => (value === null ? null : Number(value))
