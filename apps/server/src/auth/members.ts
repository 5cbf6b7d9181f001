import type { Contact } from '@fairlot/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { MemberTable } from '../database/people-schema.ts'
import type { Tables } from '../database/schema.ts'
import type { Addressee } from '../notifications/notifier.ts'
import { languageCodeOf, type LanguageCode } from '../i18n/translate.ts'
import { digitsOf, identityOf, type Identity } from './identity.ts'

/** A real user as the log-in knows them. */
export type Member = {
  readonly userId: number
  readonly passwordHash: string
  /** E-mail address or number, as it is looked up. */
  readonly target: string
  /** Where news about the account go. */
  readonly addressee: Addressee
}

/** What is written of somebody who registers. */
export type NewMember = {
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
  /** The hash that was proved; null where the old password is not asked for. */
  readonly insteadOf: string | null
}

export type Members = {
  byIdentity(identity: Identity): Promise<Member | null>
  /** By what was typed; a number without its country counts where only one account has it. */
  byTyped(contact: Contact, account: string, area: CountryCode | null): Promise<Member | null>
  byId(userId: number): Promise<Member | null>
  /** False when the address or number has an account already. */
  add(member: NewMember, within: Transaction<Tables>): Promise<boolean>
  /** False, and nothing changed, when `insteadOf` is given and no more the password in force. */
  setPassword(change: PasswordChange, within: Transaction<Tables>): Promise<boolean>
}

export function createMembers(queries: Queries): Members {
  const members = () => queries.selectFrom('member').selectAll()
  const byIdentity: Members['byIdentity'] = async ({ contact, target }) => {
    const column = contact === 'email' ? 'email_key' : 'phone'
    return toMember(await members().where(column, '=', target).executeTakeFirst())
  }
  return {
    byIdentity,
    byTyped: async (contact, account, area) => {
      if (contact === 'email' || area !== null) {
        const identity = identityOf(contact, account, area)
        return identity && byIdentity(identity)
      }
      const digits = digitsOf(account)
      if (digits === null) return null
      const numbers = [digits, digits.replace(/^0+/, '')]
      const [only, ...others] = await members().where('national_number', 'in', numbers).limit(2).execute()
      return others.length > 0 ? null : toMember(only)
    },
    byId: async (userId) =>
      toMember(await members().where('user_id', '=', BigInt(userId)).executeTakeFirst()),
    add: async (member, within) => {
      const written = await within
        .insertInto('member')
        .values(toRow(member))
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

const toRow = ({ userId, identity, area, language, passwordHash, invitedBy }: NewMember): MemberTable => ({
  user_id: BigInt(userId),
  email: identity.contact === 'email' ? identity.email : null,
  email_key: identity.contact === 'email' ? identity.target : null,
  phone: identity.contact === 'mobile' ? identity.target : null,
  calling_code: identity.contact === 'mobile' ? identity.callingCode : null,
  national_number: identity.contact === 'mobile' ? identity.nationalNumber : null,
  ...{ area, language, password_hash: passwordHash },
  invited_by: invitedBy === null ? null : BigInt(invitedBy),
})

function toMember(row: MemberTable | undefined): Member | null {
  if (!row) return null
  const language = languageCodeOf(row.language)
  const addressee: Addressee =
    row.email === null
      ? { channel: 'sms', recipient: row.phone ?? '', language }
      : { channel: 'email', recipient: row.email, language }
  const target = row.email_key ?? row.phone ?? ''
  return { userId: Number(row.user_id), passwordHash: row.password_hash, target, addressee }
}
