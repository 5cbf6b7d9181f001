import { IDENTITY_FIELDS, type IdentityCheck, type IdentityField, type IdentityForm } from '@fairlot/contract'
import {
  faultsIn,
  identityCase,
  identityNumber,
  identityStatusOf,
  type IdentityCheckTable,
  identityMark,
} from '../database/identity-schema.ts'
import type { UserCall } from '../http/api.ts'
import { createLimit } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { faultText } from '../i18n/identity-faults.ts'
import { maskedNumber, refusalOfWords, WIRE_FIELDS } from './document-fields.ts'
import type { IdentityServices } from './identity-services.ts'
import { picturesOf, type SidePictures } from './side-pictures.ts'

const DAY_S = 86_400

/** What people send to show who they are. */
export function createIdentityChecks(services: IdentityServices) {
  const { queries, vault, limits } = services
  const isWithin = createLimit(() => limits.checksPerDay, DAY_S)

  const find = async (userId: number) => {
    const id = BigInt(userId)
    const verified = await queries
      .selectFrom('verified_person')
      .select('at')
      .where('user_id', '=', id)
      .executeTakeFirst()
    const row = await queries
      .selectFrom('identity_check')
      .selectAll()
      .where('user_id', '=', id)
      .executeTakeFirst()
    return { row: row ?? null, status: identityStatusOf(verified?.at ?? null, row?.status ?? null) }
  }

  return {
    look: async ({ user, translate }: UserCall<null>): Promise<IdentityCheck> => {
      const { row, status } = await find(user.id)
      const faults = row && status === 'rejected' ? faultsIn(row.faults) : []
      const told = faults.map((each) => ({ field: each.field, reason: faultText(translate, each) }))
      // What was approved once and is so no more is sent anew.
      const shown = status === 'form' ? null : row
      return {
        ...{ status, faults: told, name: shown?.name ?? '', sentAt: shown && Number(shown.sent_at) },
        reason: told.map(({ reason }) => reason).join(' '),
        number: shown ? maskedNumber(vault.open(shown.number, identityNumber(user.id))) : '',
      }
    },

    send: async ({ user, input }: UserCall<IdentityForm>): Promise<null | Refusal> => {
      const { row, status } = await find(user.id)
      if (status === 'verified') return refuse('identityVerified')
      if (status === 'waiting') return isSame(services, row, input) ? null : refuse('identityWaiting')
      const before = status === 'rejected' ? row : null
      const missing = missingField(before, input)
      if (missing) return refuse('identityFieldMissing', { field: WIRE_FIELDS[missing] })
      const wrong = refusalOfWords(input)
      if (wrong) return wrong
      const pictures = await picturesOf(services, user.id, before, input)
      if (isRefusal(pictures)) return pictures
      if (!(await isWithin(user.id))) return refuse('identityTooOften', { most: limits.checksPerDay })
      const kept = await keep(services, user.id, {
        ...wordsOf(services, user.id, before, input),
        ...{ ...keysOf(pictures), times_sent: (row?.times_sent ?? 0n) + 1n },
      })
      if (kept === null) services.onSent()
      return kept
    },
  }
}

/** A repeat of what waits already. */
function isSame({ vault }: IdentityServices, row: IdentityCheckTable | null, input: IdentityForm): boolean {
  const { name, number, front, reverse } = input
  return (
    row !== null &&
    (name === null || name === row.name) &&
    (number === null || identityMark(vault, number) === row.number_mark) &&
    (front === null || front.endsWith(`/${row.front}`)) &&
    (reverse === null || reverse.endsWith(`/${row.reverse}`))
  )
}

/** The first field that has to be sent and was not: all of them at first, then those that were wrong. */
function missingField(before: IdentityCheckTable | null, input: IdentityForm): IdentityField | null {
  const wanted = before ? faultsIn(before.faults).map(({ field }) => field) : IDENTITY_FIELDS
  return IDENTITY_FIELDS.find((field) => wanted.includes(field) && input[field] === null) ?? null
}

const wordsOf = (
  { vault }: IdentityServices,
  userId: number,
  before: IdentityCheckTable | null,
  { name, number }: IdentityForm,
) => ({
  name: name ?? before?.name ?? '',
  number: number === null ? (before?.number ?? '') : vault.seal(number, identityNumber(userId)),
  number_mark: number === null ? (before?.number_mark ?? '') : identityMark(vault, number),
})

const keysOf = ({ front, reverse }: SidePictures) => ({ front, reverse })

type Sent = Pick<IdentityCheckTable, 'name' | 'number' | 'number_mark' | 'front' | 'reverse' | 'times_sent'>

/** Has it wait. Of two calls at once the second finds that it waits. */
async function keep(
  { queries, pictures, now }: IdentityServices,
  userId: number,
  sent: Sent,
): Promise<null | Refusal> {
  const fresh = { ...sent, status: 'waiting', sent_at: BigInt(now()), decided_at: null, faults: '' }
  return queries.transaction().execute(async (within) => {
    for (const side of ['front', 'reverse'] as const)
      if (!(await pictures.tie(within, sent[side], identityCase(userId))))
        return refuse('identityPictureUsed', { field: WIRE_FIELDS[side] })
    const kept = await within
      .insertInto('identity_check')
      .values({ user_id: BigInt(userId), ...fresh })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(fresh).where('identity_check.status', '!=', 'waiting'),
      )
      .returning('user_id')
      .executeTakeFirst()
    return kept ? null : refuse('identityWaiting')
  })
}
