import {
  approveWithdrawal,
  findReference,
  finishDeposit,
  getPayment,
  payWithdrawal,
  refuseDeposit,
  refuseWithdrawal,
  verifyPerson,
  type PaymentDetail,
} from '@fairlot/contract/desk'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { createDepositDecisions } from './deposit-decisions.ts'
import { casesByReference } from './deposit-twins.ts'
import { depositSource } from './deposit-source.ts'
import { payToOf } from './pay-to.ts'
import { createPersonVerification } from './person-verification.ts'
import { createWithdrawalDecisions } from './withdrawal-decisions.ts'
import { withdrawalSource } from './withdrawal-source.ts'

/** Deposits and withdrawals at the desk: what waits, and how it ends. */
export function registerMoney(services: DeskServices): void {
  const { api, queries, acts, holders, waiting, deployment, hub } = services
  waiting.register(depositSource(services))
  waiting.register(withdrawalSource(services))
  const deposits = createDepositDecisions(services)
  const withdrawals = createWithdrawalDecisions(services)

  /** Not while somebody else has the case. A refused try is written down. */
  const deciding = async <T>(
    operator: DeskOperator,
    { caseKey, act }: { readonly caseKey: string; readonly act: 'decideDeposit' | 'decideWithdrawal' },
    decide: () => Promise<T | Refusal>,
  ): Promise<T | Refusal> => {
    const held = await holders.refusalOf(operator, caseKey)
    if (held) {
      await acts.tellRefused({ operator, act, subject: caseKey, caseKey }, held)
      return held
    }
    const result = await decide()
    if (!isRefusal(result)) {
      await deployment.engine.caughtUp()
      hub.changed('waiting', 'payments')
    }
    return result
  }
  /** Nobody has a case once it is over. */
  const ending = (
    operator: DeskOperator,
    of: { readonly caseKey: string; readonly act: 'decideDeposit' | 'decideWithdrawal' },
    end: () => Promise<null | Refusal>,
  ) =>
    deciding(operator, of, async () => {
      const refusal = await end()
      if (refusal === null) await holders.forget(of.caseKey)
      return refusal
    })
  const depositOf = (id: number) => ({ caseKey: `deposit:${id}`, act: 'decideDeposit' }) as const
  const withdrawalOf = (id: number) => ({ caseKey: `withdrawal:${id}`, act: 'decideWithdrawal' }) as const

  api.operator(finishDeposit, ({ operator, input, request }) =>
    deciding(operator, depositOf(input.id), () => deposits.finish(operator, input, request)),
  )
  api.operator(refuseDeposit, ({ operator, input }) =>
    ending(operator, depositOf(input.id), () => deposits.refuse(operator, input)),
  )
  api.operator(approveWithdrawal, ({ operator, input }) =>
    deciding(operator, withdrawalOf(input.id), () => withdrawals.approve(operator, input)),
  )
  api.operator(payWithdrawal, ({ operator, input }) =>
    ending(operator, withdrawalOf(input.id), () => withdrawals.pay(operator, input)),
  )
  api.operator(refuseWithdrawal, ({ operator, input }) =>
    ending(operator, withdrawalOf(input.id), () => withdrawals.reject(operator, input)),
  )
  api.operator(
    getPayment,
    async ({ input }) => (await paymentOf(queries, input.id)) ?? refuse('caseNotFound'),
  )
  api.operator(findReference, async ({ input: { id, reference } }) => ({
    cases: await casesByReference(queries, reference, id),
  }))
  api.operator(verifyPerson, createPersonVerification(services))
}

async function paymentOf(queries: DeskServices['queries'], id: number): Promise<PaymentDetail | null> {
  const deposit = await queries
    .selectFrom('deposit')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  const none = { proof: null, isApproved: false, approvedBy: null, received: '', payTo: '' }
  if (deposit)
    return { ...none, kind: 'deposit', id, accountId: Number(deposit.user_id), proof: deposit.proof }
  const row = await queries
    .selectFrom('withdrawal')
    .selectAll()
    .where('case_id', '=', BigInt(id))
    .executeTakeFirst()
  if (!row) return null
  return {
    ...{ kind: 'withdrawal', id, accountId: Number(row.user_id), proof: null },
    ...{ isApproved: row.approved_at !== null, approvedBy: row.approved_name },
    ...{ received: `${row.received} ${row.code}`, payTo: payToOf(row) },
  }
}
