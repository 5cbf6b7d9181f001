import type { Queries } from '../platform/database/open.ts'
import type { Vault } from '../platform/database/vault.ts'
import type { Pictures } from '../platform/files/pictures.ts'
import {
  getIdentityCheck,
  IDENTITY_FIELDS,
  type IdentityCheck,
  type IdentityField,
  type IdentityForm,
  sendIdentity,
} from '@fairlot/contract'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import {
  faultsIn,
  identityCase,
  type IdentityCheckTable,
  identityMark,
  identityNumber,
  identityStatusOf,
} from '../platform/database/identity-schema.ts'
import type { Api, UserCall } from '../platform/http/api.ts'
import { createLimit } from '../platform/rate-limits.ts'
import { faultText } from '../platform/i18n/identity-faults.ts'

/** What identity checks need, including services of other areas. */
export type IdentityServices = {
  readonly queries: Queries
  readonly vault: Vault
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly limits: { readonly checksPerDay: number }
  readonly pictures: Pick<Pictures, 'ownPictureOf' | 'tie'>
  /** Called when a submission waits for the desk. */
  readonly onSubmitted: () => void
}

/** A name has at least one letter, and no angle brackets; what else cannot be in it is refused as it is read. */
const NAME = /^[^<>]*\p{L}[^<>]*$/u
const NUMBER = /^[\p{L}\p{N}][\p{L}\p{N}\p{Zs}\p{Pd}()./]{3,39}$/u

/** The names of the fields on the wire. */
const WIRE_FIELDS = {
  name: 'name',
  number: 'card_id',
  front: 'front_pic',
  reverse: 'reverse_pic',
} as const

/** The refusal of an invalid name or number; null if both are valid. */
function refusalOfNameOrNumber({ name, number }: Pick<IdentityForm, 'name' | 'number'>): Refusal | null {
  if (name !== null && !NAME.test(name)) return refuse('identityNameInvalid', { field: WIRE_FIELDS.name })
  return number === null || NUMBER.test(number)
    ? null
    : refuse('identityNumberInvalid', { field: WIRE_FIELDS.number })
}

const MASK = '••••••'
const LONG = 8

/** The end of a document number, enough to recognize it. */
export const maskedNumber = (number: string): string => MASK + number.slice(number.length < LONG ? -2 : -4)

/** The keys of the pictures of both sides of a document. */
export type SidePictures = { readonly front: string; readonly reverse: string }

type Side = keyof SidePictures
type Found = { readonly key: string; readonly hash: string | null }

/** The pictures of both sides. A side that was not sent keeps its picture. The same picture is not accepted twice. */
async function picturesOf(
  { pictures }: IdentityServices,
  userId: number,
  before: IdentityCheckTable | null,
  input: IdentityForm,
): Promise<SidePictures | Refusal> {
  const wrong: readonly string[] = before ? faultsIn(before.faults).map(({ field }) => field) : []
  const find = async (side: Side): Promise<Found | Refusal> => {
    const url = input[side]
    if (url === null) return { key: before?.[side] ?? '', hash: null }
    const picture = await pictures.ownPictureOf(url, userId)
    if (!picture) return refuse('identityPictureUnknown', { field: WIRE_FIELDS[side] })
    const { key, usedBy, originalSha256: hash } = picture
    // Older clients send every field again: the accepted ones stay as they are.
    const isKept = key === before?.[side] && !wrong.includes(side)
    return usedBy === null || isKept
      ? { key, hash }
      : refuse('identityPictureUsed', { field: WIRE_FIELDS[side] })
  }
  const front = await find('front')
  if (isRefusal(front)) return front
  const reverse = await find('reverse')
  if (isRefusal(reverse)) return reverse
  return front.key === reverse.key || (front.hash !== null && front.hash === reverse.hash)
    ? refuse('identityPictureUsed', { field: WIRE_FIELDS.reverse })
    : { front: front.key, reverse: reverse.key }
}

const DAY_S = 86_400

/** Users' submissions of their identity documents. */
function createIdentityChecks(services: IdentityServices) {
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
    get: async ({ user, translate }: UserCall<null>): Promise<IdentityCheck> => {
      const { row, status } = await find(user.id)
      const faults = row && status === 'rejected' ? faultsIn(row.faults) : []
      const shownFaults = faults.map((each) => ({ field: each.field, reason: faultText(translate, each) }))
      // A verification that was withdrawn needs a new submission.
      const shown = status === 'form' ? null : row
      return {
        status,
        faults: shownFaults,
        name: shown?.name ?? '',
        sentAt: shown && Number(shown.sent_at),
        reason: shownFaults.map(({ reason }) => reason).join(' '),
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
      const wrong = refusalOfNameOrNumber(input)
      if (wrong) return wrong
      const pictures = await picturesOf(services, user.id, before, input)
      if (isRefusal(pictures)) return pictures
      if (!(await isWithin(user.id))) return refuse('identityTooOften', { most: limits.checksPerDay })
      const kept = await keep(services, user.id, {
        ...textsOf(services, user.id, before, input),
        ...keysOf(pictures),
        times_sent: (row?.times_sent ?? 0n) + 1n,
      })
      if (kept === null) services.onSubmitted()
      return kept
    },
  }
}

/** Whether a form repeats the submission that waits. */
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

/** The first required field that was not sent. At first all fields are required, later those with a fault. */
function missingField(before: IdentityCheckTable | null, input: IdentityForm): IdentityField | null {
  const wanted = before ? faultsIn(before.faults).map(({ field }) => field) : IDENTITY_FIELDS
  return IDENTITY_FIELDS.find((field) => wanted.includes(field) && input[field] === null) ?? null
}

const textsOf = (
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

type Submission = Pick<
  IdentityCheckTable,
  'name' | 'number' | 'number_mark' | 'front' | 'reverse' | 'times_sent'
>

/** Stores a submission. Of two concurrent ones the second is refused. */
async function keep(
  { queries, pictures, now }: IdentityServices,
  userId: number,
  sent: Submission,
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

/** The identity check. Each submission waits for the desk. */
export function registerIdentity(api: Api, services: IdentityServices): void {
  const checks = createIdentityChecks(services)
  api.user(sendIdentity, checks.send)
  api.user(getIdentityCheck, checks.get)
}
