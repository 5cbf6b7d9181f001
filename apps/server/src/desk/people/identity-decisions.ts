import { IDENTITY_FAULTS, type FoundFault } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import { identityCase } from '../../database/identity-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { faultLines } from '../../i18n/identity-faults.ts'
import { translatorFor } from '../../i18n/translate.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import type { NoticeFact } from '../../notifications/notice-fact.ts'

type Looked = { readonly accountId: number; readonly sentAt: number }

type Decision = {
  readonly operator: DeskOperator
  readonly looked: Looked
  readonly reason: string
  /** None: it shows who they are. */
  readonly faults: readonly FoundFault[]
}

/** Ends of what somebody has sent: it shows who they are, or some of it has to be sent again. */
export const createIdentityDecisions = (services: DeskServices) => ({
  approve: (operator: DeskOperator, { reason, ...looked }: Looked & { readonly reason: string }) =>
    decide(services, { operator, looked, reason, faults: [] }),

  refuse: async (
    operator: DeskOperator,
    { faults, ...looked }: Looked & { readonly faults: readonly FoundFault[] },
  ) => {
    if (!areFaults(faults)) return refuse('identityFaultInvalid', { field: 'faults' })
    // Colleagues read it among the acts.
    const reason = shortened(faultLines(translatorFor('en'), faults))
    return decide(services, { operator, looked, reason, faults })
  },
})

async function decide(services: DeskServices, decision: Decision): Promise<null | Refusal> {
  const { acts, holders, hub, notices, now } = services
  const { operator, looked, reason, faults } = decision
  const { accountId } = looked
  const caseKey = identityCase(accountId)
  const act = { operator, act: 'verifyPerson', subject: caseKey, accountId, caseKey, reason } as const
  const held = await holders.refusalOf(operator, caseKey)
  if (held) {
    await acts.tellRefused(act, held)
    return held
  }
  const news: NoticeFact =
    faults.length === 0 ? { kind: 'identityVerified' } : { kind: 'identityRejected', faults }
  const after = { identity: statusOf(decision), ...(faults.length > 0 && { faults }) }
  const done = await acts.perform({ ...act, before: { identity: 'waiting' }, after }, async (within) => {
    if (!(await end(within, decision, BigInt(now())))) return refuse('caseEnded')
    await notices.write(within, accountId, news)
    return null
  })
  if (isRefusal(done)) return done
  await holders.forget(caseKey)
  notices.tell(accountId, news)
  hub.changed('waiting', 'people')
  return null
}

const statusOf = ({ faults }: Decision): 'approved' | 'rejected' =>
  faults.length === 0 ? 'approved' : 'rejected'

/** False where what was looked at does not wait any more. */
async function end(within: Transaction<Tables>, decision: Decision, at: bigint): Promise<boolean> {
  const { operator, looked, reason, faults } = decision
  const userId = BigInt(looked.accountId)
  const { numUpdatedRows } = await within
    .updateTable('identity_check')
    .set({
      ...{ status: statusOf(decision), decided_at: at },
      faults: faults.length > 0 ? JSON.stringify(faults) : '',
    })
    .where('user_id', '=', userId)
    .where('status', '=', 'waiting')
    .where('sent_at', '=', BigInt(looked.sentAt))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  if (faults.length > 0) return true
  const row = { user_id: userId, at, operator_id: BigInt(operator.id), reason }
  await within.deleteFrom('verified_person').where('user_id', '=', userId).execute()
  await within.insertInto('verified_person').values(row).execute()
  return true
}

/** Each field once, by a fault that it can have; something else is said in words. */
function areFaults(faults: readonly FoundFault[]): boolean {
  const fields = new Set(faults.map(({ field }) => field))
  return (
    faults.length > 0 &&
    fields.size === faults.length &&
    faults.every(
      ({ field, fault, words }) =>
        (IDENTITY_FAULTS[field] as readonly string[]).includes(fault) && (fault !== 'other' || words !== ''),
    )
  )
}

/** As long as a reason may be. */
const REASON_LENGTH = 500
const shortened = (text: string): string =>
  text.length <= REASON_LENGTH ? text : `${text.slice(0, REASON_LENGTH - 1)}…`
