import { domainToASCII } from 'node:url'
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max'
import type { Contact } from '@fairlot/contract'
import { latinDigits } from '@fairlot/core/decimal'
import { phones } from '../platform/lazy-packages.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'

/** The e-mail address or phone number of an account. `target` is the form it is looked up by: lower case, or E.164. */
export type Identity =
  | { readonly contact: 'email'; readonly target: string; readonly email: string }
  | {
      readonly contact: 'mobile'
      readonly target: string
      readonly callingCode: string
      readonly nationalNumber: string
      /** The country of the number, which may differ from the chosen one. */
      readonly country: CountryCode | null
    }

const EMAIL_LENGTH = 254
/** Printable ASCII without the characters that are special in mail headers; look-alike letters could imitate another address. */
const LOCAL_PART = /^(?!\.)(?!.*\.\.)[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)$/
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
/** The signs with which phones and people group a number: spaces, hyphens and dashes, dots, slashes, brackets. */
const GROUPING = /[\p{Zs}\p{Pd}\u2212./()]/gu
/** The plus of the keyboard and that of full width. */
const PLUS = /^[+＋]/
const DIGITS = /^[0-9]{4,20}$/
/** A longer text is no number, however it is grouped. */
const PHONE_LENGTH = 60

/** An e-mail address; null for an invalid one. */
export function emailIdentity(text: string): Identity | null {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  // In a URL these characters would end the domain or encode others.
  if (/[\s/?#\\%:]/.test(email.slice(at + 1))) return null
  const domain = domainToASCII(email.slice(at + 1)).toLowerCase()
  const local = email.slice(0, Math.max(at, 0))
  if (email.length > EMAIL_LENGTH || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null
  const written = `${local}@${domain}`
  return { contact: 'email', email: written, target: written.toLowerCase() }
}

/** A number as it was typed, in the digits of any script, without the signs that only group it. */
export const ungrouped = (text: string): string =>
  latinDigits(text.trim()).replace(PLUS, '+').replace(GROUPING, '')

/** A phone number as it was typed: digits, after a plus if it has one; null for anything else. */
function plainPhone(text: string): string | null {
  if (text.length > PHONE_LENGTH) return null
  const plain = ungrouped(text)
  return DIGITS.test(plain.replace('+', '')) && plain.lastIndexOf('+') <= 0 ? plain : null
}

/** The digits of a phone number as it was typed; null for an invalid one. */
export const digitsOf = (text: string): string | null => plainPhone(text)?.replace('+', '') ?? null

const INTERNATIONAL_PREFIX = /^00/

/**
 * The phone number in a text, the only place where one is read: as it is dialled in the country, or with its own calling
 * code after a plus or 00. Null for an invalid number.
 */
function readPhone(text: string, area: CountryCode | null): PhoneNumber | null {
  const plain = plainPhone(text)
  if (plain === null) return null
  const { parsePhoneNumberFromString } = phones()
  const dialled = area && parsePhoneNumberFromString(plain, area)
  if (dialled?.isValid()) return dialled
  // Some countries dial other digits than 00, and nobody knows which.
  const international = parsePhoneNumberFromString(plain.replace(INTERNATIONAL_PREFIX, '+'))
  return international?.isValid() ? international : null
}

/** Shorter ones are only the beginning of a number. */
const WHOLE_DIGITS_MIN = 7

/** The numbers, as E.164, that a text is when it is dialled in any country. Takes some 10 ms of processor time. */
export function readingsOf(text: string): readonly string[] {
  const plain = plainPhone(text)
  if (plain === null || plain.length < WHOLE_DIGITS_MIN) return []
  const countries = plain.startsWith('+') ? [null] : phones().getCountries()
  const numbers = countries.flatMap((country) => readPhone(plain, country)?.number ?? [])
  return [...new Set(numbers)]
}

const identityOfPhone = (number: PhoneNumber): Identity => ({
  contact: 'mobile',
  target: number.number,
  callingCode: number.countryCallingCode,
  nationalNumber: number.nationalNumber,
  country: number.country ?? null,
})

/** A phone number of a country; null for an invalid one, and for one with the calling code of another country. */
export function phoneIdentity(text: string, area: CountryCode): Identity | null {
  const number = readPhone(text, area)
  return number?.countryCallingCode === phones().getCountryCallingCode(area) ? identityOfPhone(number) : null
}

/**
 * The identity that an account was typed as; null for an invalid one. A phone number with its calling code needs no
 * country, and means the same whichever is chosen.
 */
export function identityOf(contact: Contact, account: string, area: CountryCode | null): Identity | null {
  if (contact === 'email') return emailIdentity(account)
  const number = readPhone(account, area)
  return number && identityOfPhone(number)
}

/** The refusal of an address or a number that can be none; `field`: its name on the wire. */
export const wrongAccount = (contact: Contact, field = 'account'): Refusal =>
  refuse(contact === 'email' ? 'emailInvalid' : 'phoneInvalid', { field })

/** The refusal of what can be no account, as typed at a log-in; null for what may be one, whether it exists or not. */
export function refusalOfAccount(
  contact: Contact,
  account: string,
  area: CountryCode | null,
): Refusal | null {
  if (identityOf(contact, account, area) !== null) return null
  // Without a country a number cannot be checked further.
  const isDigits = contact === 'mobile' && area === null && digitsOf(account) !== null
  return isDigits ? null : wrongAccount(contact)
}

const ATTEMPT_KEY_LENGTH = 300

/**
 * The key under which failed log-ins of an account are counted: the same for every spelling, and derived from the input
 * alone, so that it does not reveal whether the account exists.
 */
export function attemptKey(contact: Contact, account: string, area: CountryCode | null): string {
  const identity = identityOf(contact, account, area)
  const typed = account.trim().toLowerCase().slice(0, ATTEMPT_KEY_LENGTH)
  if (contact === 'email') return `email ${identity?.target ?? typed}`
  const number = identity?.contact === 'mobile' ? identity.nationalNumber : (digitsOf(account) ?? typed)
  return `mobile ${number.replace(/^0+/, '')}`
}
