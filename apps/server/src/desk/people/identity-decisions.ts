import { IDENTITY_FAULTS, type FoundFault } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import { identityCase } from '../../database/identity-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { faultLines } from '../../i18n/identity-faults.ts'
import { translatorFor } from '../../i18n/translate.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { identityTelling, type IdentityNews } from './tell-identity.ts'

type Looked = { readonly accountId: number; readonly sentAt: number }

type Decided = {
  readonly operator: DeskOperator
  readonly looked: Looked
  readonly reason: string
  readonly news: IdentityNews
  /** What the act keeps besides the state. */
  readonly faults: readonly FoundFault[]
  readonly effect: (within: Transaction<Tables>, at: bigint) => Promise<void>
}

/** Ends of what somebody has sent: it shows who they are, or some of it has to be sent again. */
export function createIdentityDecisions(services: DeskServices) {
  const { queries, acts, holders, hub, now } = services

  const decide = async (decided: Decided): Promise<null | Refusal> => {
    const { operator, looked, reason, news, faults, effect } = decided
    const { accountId } = looked
    const caseKey = identityCase(accountId)
    const act = { operator, act: 'verifyPerson', subject: caseKey, accountId, caseKey, reason } as const
    const held = await holders.refusalOf(operator, caseKey)
    if (held) {
      await acts.tellRefused(act, held)
      return held
    }
    const telling = await identityTelling(services, accountId)
    const status = news.kind === 'identityVerified' ? 'approved' : 'rejected'
    const after = { identity: status, ...(faults.length > 0 && { faults }) }
    const done = await acts.perform({ ...act, before: { identity: 'waiting' }, after }, async (within) => {
      const at = BigInt(now())
      const { numUpdatedRows } = await within
        .updateTable('identity_check')
        .set({ status, decided_at: at, faults: faults.length > 0 ? JSON.stringify(faults) : '' })
        .where('user_id', '=', BigInt(accountId))
        .where('status', '=', 'waiting')
        .where('sent_at', '=', BigInt(looked.sentAt))
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return refuse('caseEnded')
      await effect(within, at)
      await telling.write(news, within)
      return null
    })
    if (isRefusal(done)) return done
    await holders.forget(caseKey)
    telling.send(news)
    hub.changed('waiting', 'people')
    return null
  }

  const isKnown = async (accountId: number) =>
    (await queries
      .selectFrom('identity_check')
      .select('user_id')
      .where('user_id', '=', BigInt(accountId))
      .executeTakeFirst()) !== undefined

  return {
    approve: async (operator: DeskOperator, { reason, ...looked }: Looked & { readonly reason: string }) =>
      (await isKnown(looked.accountId))
        ? decide({
            ...{ operator, looked, reason, news: { kind: 'identityVerified' }, faults: [] },
            effect: async (within, at) => {
              const userId = BigInt(looked.accountId)
              await within.deleteFrom('verified_person').where('user_id', '=', userId).execute()
              const row = { user_id: userId, at, operator_id: BigInt(operator.id), reason }
              await within.insertInto('verified_person').values(row).execute()
            },
          })
        : refuse('caseNotFound'),

    refuse: async (
      operator: DeskOperator,
      { faults, ...looked }: Looked & { readonly faults: readonly FoundFault[] },
    ) => {
      if (!areFaults(faults)) return refuse('identityFaultInvalid', { field: 'faults' })
      if (!(await isKnown(looked.accountId))) return refuse('caseNotFound')
      const news = { kind: 'identityRejected', faults } as const
      // Colleagues read it among the acts.
      const reason = faultLines(translatorFor('en'), faults)
      return decide({
        operator,
        looked,
        reason: shortened(reason),
        news,
        faults,
        effect: async () => undefined,
      })
    },
  }
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
