/** What deposits, withdrawals and adjustments share in the reference model (trading-rules §11). */
import type { Operator, RejectionCode } from '../../src/index.ts'
import type { Faults } from './refusals.ts'
import type { ReferenceCase, ReferenceModel } from './state.ts'

export type Refused = RejectionCode | null

export const isValidAmount = (amount: bigint): boolean => amount > 0n && amount <= 10n ** 18n
export const isByTwoOperators = ({ id, second }: Operator): boolean => second !== null && second.id !== id

export const accountFaults = (model: ReferenceModel, accountId: number): Faults => {
  const account = model.accounts.find(({ id }) => id === accountId)
  return { accountNotFound: !account, realOnly: account?.ledger === 'demo' }
}

/** The case must exist, be of this kind and be open. */
export function caseFaults(model: ReferenceModel, caseId: number, kind: ReferenceCase['kind']): Faults {
  const known = model.cases.find(({ id }) => id === caseId)
  return {
    caseNotFound: !known || (known.end === null && known.kind !== kind),
    caseEnded: known !== undefined && known.end !== null,
  }
}

export const findOpenCase = (model: ReferenceModel, caseId: number): ReferenceCase | undefined =>
  model.cases.find(({ id, end }) => id === caseId && end === null)

/** Opens a case and returns its id. */
export function addCase(
  model: ReferenceModel,
  draft: Omit<ReferenceCase, 'id' | 'sent' | 'payout' | 'end'>,
  extra: Partial<Pick<ReferenceCase, 'sent' | 'payout'>> = {},
): number {
  const id = model.cases.length + 1
  model.cases.push({ ...draft, id, sent: null, payout: null, end: null, ...extra })
  return id
}
