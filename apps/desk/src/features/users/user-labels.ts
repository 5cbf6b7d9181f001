import { languageOfCode, tagOf } from '@fairlot/contract'
import type { UserProfile, UserSearchRow } from '@fairlot/contract/desk'
import type { BadgeTone } from '@fairlot/ui/feedback/badge.tsx'

type Status = UserProfile['status']

export const STATUS_LABELS: Record<Status, string> = {
  active: 'active',
  closeOnly: 'close only',
  frozen: 'frozen',
  closed: 'closed',
}

export const STATUS_TONES: Record<Status, BadgeTone> = {
  active: 'plain',
  closeOnly: 'brass',
  frozen: 'down',
  closed: 'down',
}

type Check = UserProfile['user']['identityCheck']

/** The state of a user's identity check. */
export const IDENTITY_LABELS: Record<Check, string> = {
  form: 'not verified',
  waiting: 'verification pending',
  verified: 'verified',
  rejected: 'not verified',
}

export const IDENTITY_TONES: Record<Check, BadgeTone> = {
  form: 'plain',
  waiting: 'brass',
  verified: 'up',
  rejected: 'plain',
}

/** What a search matched, by the API's names. */
export const FOUND_LABELS: Record<UserSearchRow['foundBy'], string> = {
  newest: '',
  number: 'number',
  id: 'id',
  email: 'e-mail',
  phone: 'phone',
  order: 'order',
  transfer: 'transfer',
  case: 'case',
}

/** Users' own log-ins and security changes, by the server's names. */
const SECURITY_EVENTS: Readonly<Record<string, string>> = {
  registered: 'Registered',
  loggedIn: 'Logged in',
  logInFailed: 'Log-in failed: wrong password',
  logInCodeWrong: 'Log-in failed: correct password, wrong code',
  loggedOutEverywhere: 'Logged out everywhere',
  passwordChanged: 'Password changed',
  passwordReset: 'New password set with a code',
  secondFactorOn: 'Authenticator app set up',
  secondFactorOff: 'Authenticator app removed',
  passkeyAdded: 'Passkey added',
  passkeyRemoved: 'Passkey removed',
  recoveryCodesRenewed: 'New recovery codes',
  languageChosen: 'Language changed',
  sessionEnded: 'Ended a session',
  methodBound: 'Added a receiving method',
  methodRemoved: 'Removed a receiving method',
  dataTaken: 'Own data downloaded',
  accountClosed: 'Account closed',
}

export const securityEventText = (kind: string, times = 1): string =>
  (SECURITY_EVENTS[kind] ?? kind) + (times > 1 ? `, ${times} times within an hour` : '')

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' })
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

/** The name of a country by its ISO code. */
export const countryName = (code: string): string => COUNTRIES.of(code) ?? code

/** The name of a language by its code. */
export const languageName = (code: string): string => LANGUAGES.of(tagOf(languageOfCode(code))) ?? code
