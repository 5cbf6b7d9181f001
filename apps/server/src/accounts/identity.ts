import { domainToASCII } from 'node:url'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Contact } from '@fairlot/contract'
import { phones } from '../platform/lazy-packages.ts'

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
const DIGITS = /^[0-9]{4,17}$/

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

/** The digits of a phone number as it was typed; null for an invalid one. */
export const digitsOf = (text: string): string | null => {
  const digits = text.trim().replace(/[ ()-]/g, '')
  return DIGITS.test(digits) ? digits : null
}

/** A phone number of a country; null for an invalid one. */
export function phoneIdentity(text: string, area: CountryCode): Identity | null {
  const { getCountryCallingCode, parsePhoneNumberFromString } = phones()
  const digits = digitsOf(text)
  const number = digits === null ? undefined : parsePhoneNumberFromString(digits, area)
  if (!number?.isValid() || number.countryCallingCode !== getCountryCallingCode(area)) return null
  return {
    contact: 'mobile',
    target: number.number,
    callingCode: number.countryCallingCode,
    nationalNumber: number.nationalNumber,
    country: number.country ?? null,
  }
}

/** The identity of an account as it was typed; null for an invalid one. A phone number needs its country. */
export function identityOf(contact: Contact, account: string, area: CountryCode | null): Identity | null {
  if (contact === 'email') return emailIdentity(account)
  return area === null ? null : phoneIdentity(account, area)
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
