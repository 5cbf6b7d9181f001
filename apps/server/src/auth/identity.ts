import { domainToASCII } from 'node:url'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Contact } from '@fairlot/contract'
import { phones } from '../load-when-needed.ts'

/** Whom an account belongs to, as it is looked up: an address in small letters, or a number as E.164. */
export type Identity =
  | { readonly contact: 'email'; readonly target: string; readonly email: string }
  | {
      readonly contact: 'mobile'
      readonly target: string
      readonly callingCode: string
      readonly nationalNumber: string
      /** Where the number is from, which may differ from the country that was chosen. */
      readonly country: CountryCode | null
    }

const EMAIL_LENGTH = 254
/** Printable ASCII without what mail headers give a meaning; look-alike letters would be another person's address. */
const LOCAL_PART = /^(?!\.)(?!.*\.\.)[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)$/
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
const DIGITS = /^[0-9]{4,17}$/

/** An e-mail address; null for what is none that we can write to. */
export function emailIdentity(text: string): Identity | null {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  // Read as part of a web address, these would end a domain or stand for other letters.
  if (/[\s/?#\\%:]/.test(email.slice(at + 1))) return null
  const domain = domainToASCII(email.slice(at + 1)).toLowerCase()
  const local = email.slice(0, Math.max(at, 0))
  if (email.length > EMAIL_LENGTH || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return null
  const written = `${local}@${domain}`
  return { contact: 'email', email: written, target: written.toLowerCase() }
}

/** The digits of a number as people type it; null for what is none. */
export const digitsOf = (text: string): string | null => {
  const digits = text.trim().replace(/[ ()-]/g, '')
  return DIGITS.test(digits) ? digits : null
}

/** A phone number of a country; null for what is none. */
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

/** An account as it was typed. A number needs its country. */
export function identityOf(contact: Contact, account: string, area: CountryCode | null): Identity | null {
  if (contact === 'email') return emailIdentity(account)
  return area === null ? null : phoneIdentity(account, area)
}

const GUESS_KEY_LENGTH = 300

/**
 * By what guesses at an account are counted: the same however it is written, and worked out of what was typed alone, so
 * that it tells nothing of whether there is such an account.
 */
export function guessKey(contact: Contact, account: string, area: CountryCode | null): string {
  const identity = identityOf(contact, account, area)
  const typed = account.trim().toLowerCase().slice(0, GUESS_KEY_LENGTH)
  if (contact === 'email') return `email ${identity?.target ?? typed}`
  const number = identity?.contact === 'mobile' ? identity.nationalNumber : (digitsOf(account) ?? typed)
  return `mobile ${number.replace(/^0+/, '')}`
}
