import type { Contact } from '@fairlot/contract'
import { latinDigits } from '@fairlot/core/decimal'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Transaction } from 'kysely'
import type { Queries } from '../platform/database/open.ts'
import type { RegisteredUserTable } from '../platform/database/user-schema.ts'
import type { Tables } from '../platform/database/schema.ts'
import type { Addressee } from '../notices/message-writer.ts'
import { type LanguageCode, languageCodeOf } from '../platform/i18n/translate.ts'
import { digitsOf, type Identity, identityOf } from './identity.ts'
import { randomBytes } from 'node:crypto'
import type { Engine } from '../engine/engine.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
import { readEngine } from '../engine/calls.ts'

/** A user with a real account and a password. */
export type RegisteredUser = {
  readonly userId: number
  readonly passwordHash: string
  /** E-mail address in lower case, or phone number as E.164. */
  readonly target: string
  /** Where messages about the account are sent. */
  readonly addressee: Addressee
}

export type NewRegisteredUser = {
  readonly userId: number
  readonly identity: Identity
  readonly area: string
  readonly language: LanguageCode
  readonly passwordHash: string
  readonly invitedBy: number | null
}

export type PasswordChange = {
  readonly userId: number
  readonly passwordHash: string
  /** The hash of the password that was checked; null when the old password is not required. */
  readonly insteadOf: string | null
}

export type RegisteredUsers = {
  byIdentity(identity: Identity): Promise<RegisteredUser | null>
  /** By the account as it was typed; a phone number without country and calling code matches only if one account has it. */
  byTyped(contact: Contact, account: string, area: CountryCode | null): Promise<RegisteredUser | null>
  byId(userId: number): Promise<RegisteredUser | null>
  /** False if the address or number already has an account. */
  add(user: NewRegisteredUser, within: Transaction<Tables>): Promise<boolean>
  /** Returns false and changes nothing if `insteadOf` is given and is no longer the current hash. */
  setPassword(change: PasswordChange, within: Transaction<Tables>): Promise<boolean>
}

export function createRegisteredUsers(queries: Queries): RegisteredUsers {
  const rows = () => queries.selectFrom('member').selectAll()
  const byIdentity: RegisteredUsers['byIdentity'] = async ({ contact, target }) => {
    const column = contact === 'email' ? 'email_key' : 'phone'
    return toRegisteredUser(await rows().where(column, '=', target).executeTakeFirst())
  }
  return {
    byIdentity,
    byTyped: async (contact, account, area) => {
      const identity = identityOf(contact, account, area)
      if (identity) return byIdentity(identity)
      if (contact === 'email' || area !== null) return null
      const digits = digitsOf(account)
      if (digits === null) return null
      const numbers = [digits, digits.replace(/^0+/, '')]
      const [only, ...others] = await rows().where('national_number', 'in', numbers).limit(2).execute()
      return others.length > 0 ? null : toRegisteredUser(only)
    },
    byId: async (userId) =>
      toRegisteredUser(await rows().where('user_id', '=', BigInt(userId)).executeTakeFirst()),
    add: async (user, within) => {
      const written = await within
        .insertInto('member')
        .values(toRow(user))
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst()
      return written !== undefined
    },
    setPassword: async ({ userId, passwordHash, insteadOf }, within) => {
      const updated = await within
        .updateTable('member')
        .set({ password_hash: passwordHash })
        .where('user_id', '=', BigInt(userId))
        .$if(insteadOf !== null, (query) => query.where('password_hash', '=', insteadOf ?? ''))
        .returning('user_id')
        .executeTakeFirst()
      return updated !== undefined
    },
  }
}

const toRow = ({
  userId,
  identity,
  area,
  language,
  passwordHash,
  invitedBy,
}: NewRegisteredUser): RegisteredUserTable => ({
  user_id: BigInt(userId),
  email: identity.contact === 'email' ? identity.email : null,
  email_key: identity.contact === 'email' ? identity.target : null,
  phone: identity.contact === 'mobile' ? identity.target : null,
  calling_code: identity.contact === 'mobile' ? identity.callingCode : null,
  national_number: identity.contact === 'mobile' ? identity.nationalNumber : null,
  area,
  language,
  password_hash: passwordHash,
  invited_by: invitedBy === null ? null : BigInt(invitedBy),
})

function toRegisteredUser(row: RegisteredUserTable | undefined): RegisteredUser | null {
  if (!row) return null
  const language = languageCodeOf(row.language)
  const addressee: Addressee =
    row.email === null
      ? { channel: 'sms', recipient: row.phone ?? '', language }
      : { channel: 'email', recipient: row.email, language }
  const target = row.email_key ?? row.phone ?? ''
  return { userId: Number(row.user_id), passwordHash: row.password_hash, target, addressee }
}

/** Among a million users, the chance that two get the same code is one in ten million. */
const INVITE_CODE_BYTES = 8
const INVITE_CODE = /^[0-9A-F]{16}$/

/** Adds the user of an account; both have the same id. */
export async function addUser(
  { creditScore, now }: { readonly creditScore: () => number; readonly now: () => number },
  user: { readonly id: number; readonly demoHash: string | null },
  queries: Queries,
): Promise<void> {
  await queries
    .insertInto('app_user')
    .values({
      id: BigInt(user.id),
      is_demo: user.demoHash === null ? 0n : 1n,
      demo_hash: user.demoHash,
      invite_code: randomBytes(INVITE_CODE_BYTES).toString('hex').toUpperCase(),
      credit_score: BigInt(creditScore()),
      created_at: BigInt(Math.floor(now())),
      closed_at: null,
    })
    .execute()
}

/** The user whose invitation code this is. Refused for an unknown code, and for demo, frozen and closed accounts. */
export async function findInviter(
  { queries, engine }: { readonly queries: Queries; readonly engine: Pick<Engine, 'read'> },
  code: string,
): Promise<number | Refusal> {
  const unknown = refuse('inviteCodeUnknown', { field: 'invite_code' })
  const written = latinDigits(code)
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
  if (!INVITE_CODE.test(written)) return unknown
  const row = await queries
    .selectFrom('app_user')
    .select('id')
    .where('invite_code', '=', written)
    .where('is_demo', '=', 0n)
    .executeTakeFirst()
  if (!row) return unknown
  const id = Number(row.id)
  // The engine knows the status before the tables do. The refusal is that of an unknown code: strangers do not learn the reason.
  return readEngine(engine, ({ accounts }) => {
    const status = accounts.get(id)?.status
    return status === 'active' || status === 'closeOnly' ? id : unknown
  })
}
