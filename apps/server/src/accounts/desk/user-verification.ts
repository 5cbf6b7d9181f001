import type { CaseNotice, DeskOutcome } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Approved } from '../../desk/approvals/approvals.ts'
import { textsForUser } from '../../desk/approvals/user-texts.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import type { NoticeFact } from '../../engine/projection/notice-facts.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'

type VerificationCall = {
  readonly operator: DeskOperator
  readonly request?: Request | undefined
  readonly input: {
    readonly accountId: number
    readonly outcome: 'verified' | 'unverified'
    readonly reason: string
  }
}

/** The stored request. */
type Verification = { readonly accountId: number }

const KIND = 'verifyPerson'
const NOT_VERIFIED = { identity: 'unverified' }
const VERIFIED = { identity: 'verified' }

/**
 * Verifies a user whose documents were not checked here, which always needs two operators. One operator alone can
 * withdraw a verification, as that protects the account's owner.
 */
export function createUserVerification(services: DeskServices) {
  const { queries, auditLog, approvals, hub, notices, now } = services

  /** Sets or withdraws the verification and writes its notice; returns whether anything changed. */
  const setVerified = async (within: Transaction<Tables>, row: VerifiedRow, isVerified: boolean) => {
    const { numDeletedRows } = await within
      .deleteFrom('verified_person')
      .where('user_id', '=', row.user_id)
      .executeTakeFirst()
    if (isVerified) await within.insertInto('verified_person').values(row).execute()
    const isChanged = numDeletedRows > 0n !== isVerified
    if (isChanged) await notices.write(within, Number(row.user_id), factOf(row, isVerified))
    return isChanged
  }
  const rowOf = (accountId: number, { id }: DeskOperator, reason: string): VerifiedRow => ({
    user_id: BigInt(accountId),
    at: BigInt(now()),
    operator_id: BigInt(id),
    reason,
  })
  const announce = (row: VerifiedRow, isVerified: boolean): void => {
    notices.publish(Number(row.user_id), factOf(row, isVerified))
    hub.changed('people', 'waiting')
  }

  const verify = async ({ accountId }: Verification, approved: Approved): Promise<Refusal | null> => {
    const row = rowOf(accountId, approved.operator, approved.reason)
    const done = await auditLog.perform(
      {
        ...approved,
        act: 'verifyPerson',
        subject: subjectOf(accountId),
        accountId,
        before: NOT_VERIFIED,
        after: VERIFIED,
      },
      async (within) => ((await setVerified(within, row, true)) ? null : refuse('formOutdated')),
    )
    if (!isRefusal(done)) announce(row, true)
    return done
  }

  approvals.register(KIND, {
    name: 'Verifications without documents',
    signsOf: () => [{ weight: 2, why: 'no document was opened at the desk' }],
    textsOf: (body) => verificationTexts(services, (body as Verification).accountId),
    execute: (body, approved) => verify(body as Verification, approved),
  })

  const requestVerification = async ({
    operator,
    request,
    input: { accountId, reason },
  }: VerificationCall): Promise<DeskOutcome | Refusal> => {
    const known = await approvals.repeated(request)
    if (known) return known
    const subject = subjectOf(accountId)
    if (await isVerified(services, accountId)) return refuse('formOutdated')
    if ((await approvals.waitingFor(KIND, [subject])).size > 0) return refuse('verificationWaiting')
    return approvals.request(operator, {
      kind: KIND,
      subject,
      accountId,
      body: { accountId } satisfies Verification,
      before: NOT_VERIFIED,
      after: VERIFIED,
      reason,
      request,
    })
  }

  const withdrawVerification = async ({
    operator,
    input: { accountId, reason },
  }: VerificationCall): Promise<DeskOutcome | Refusal> => {
    const row = rowOf(accountId, operator, reason)
    let isChanged = false
    const done = await auditLog.perform(
      {
        operator,
        act: 'verifyPerson',
        subject: subjectOf(accountId),
        accountId,
        reason,
        after: NOT_VERIFIED,
      },
      async (within) => {
        isChanged = await setVerified(within, row, false)
        return null
      },
    )
    if (isRefusal(done)) return done
    if (isChanged) announce(row, false)
    return { approvalId: null }
  }

  return async (call: VerificationCall): Promise<DeskOutcome | Refusal> => {
    const user = await queries
      .selectFrom('app_user')
      .select('is_demo')
      .where('id', '=', BigInt(call.input.accountId))
      .executeTakeFirst()
    if (!user) return refuse('accountNotFound')
    if (user.is_demo === 1n) return refuse('realOnly')
    return call.input.outcome === 'verified' ? requestVerification(call) : withdrawVerification(call)
  }
}

type VerifiedRow = {
  readonly user_id: bigint
  readonly at: bigint
  readonly operator_id: bigint
  readonly reason: string
}

const subjectOf = (accountId: number): string => `person:${accountId}`

const factOf = ({ reason }: VerifiedRow, isVerified: boolean): NoticeFact =>
  isVerified ? { kind: 'identityVerified' } : { kind: 'identityUnverified', reason }

const isVerified = async ({ queries }: Pick<DeskServices, 'queries'>, accountId: number): Promise<boolean> =>
  (await queries
    .selectFrom('verified_person')
    .select('user_id')
    .where('user_id', '=', BigInt(accountId))
    .executeTakeFirst()) !== undefined

const verificationTexts = (
  { queries }: Pick<DeskServices, 'queries'>,
  accountId: number,
): Promise<CaseNotice[]> =>
  textsForUser(queries, accountId, (translate) => [
    { when: 'approved', text: translate('mail.identityVerified.text') },
  ])
