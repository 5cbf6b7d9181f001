import type { PersonProfile, PersonRow } from '@fairlot/contract/desk'
import type { BadgeTone } from '@fairlot/ui/badge.tsx'

type Status = PersonProfile['status']

export const STATUS_WORDS: Record<Status, string> = {
  active: 'may trade',
  closeOnly: 'close only',
  frozen: 'frozen',
  closed: 'closed',
}

export const STATUS_TONES: Record<Status, BadgeTone> = {
  ...{ active: 'plain', closeOnly: 'brass', frozen: 'down', closed: 'down' },
}

type Check = PersonProfile['user']['identityCheck']

/** Whether somebody has seen who a person is. */
export const IDENTITY_WORDS: Record<Check, string> = {
  form: 'not verified',
  waiting: 'identity waits',
  verified: 'verified',
  rejected: 'not verified',
}

export const IDENTITY_TONES: Record<Check, BadgeTone> = {
  ...{ form: 'plain', waiting: 'brass', verified: 'up', rejected: 'plain' },
}

/** What a search has found somebody by. */
export const FOUND_WORDS: Record<PersonRow['foundBy'], string> = {
  newest: '',
  number: 'number',
  id: 'id',
  email: 'e-mail',
  phone: 'phone',
  order: 'order',
  transfer: 'transfer',
  case: 'case',
}

/** What people do about their own accounts, as the server calls it. */
const OWN_ACTS: Readonly<Record<string, string>> = {
  registered: 'Registered',
  loggedIn: 'Logged in',
  logInFailed: 'Log-in failed: wrong password',
  logInCodeWrong: 'Log-in failed: right password, wrong code',
  loggedOutEverywhere: 'Logged out everywhere',
  passwordChanged: 'Password changed',
  passwordReset: 'New password by a code',
  secondFactorOn: 'Second factor on',
  secondFactorOff: 'Second factor off',
  languageChosen: 'Language changed',
  sessionEnded: 'Ended a session',
  methodBound: 'Added a receiving method',
  methodRemoved: 'Removed a receiving method',
  dataTaken: 'Own data downloaded',
  accountClosed: 'Account closed',
}

export const ownActText = (kind: string, times = 1): string =>
  (OWN_ACTS[kind] ?? kind) + (times > 1 ? `, ${times} times within an hour` : '')

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' })
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

/** A country by its two letters. */
export const countryName = (code: string): string => COUNTRIES.of(code) ?? code

/** Languages of the wire are not all those of the standard. */
const TAGS: Readonly<Record<string, string>> = { hk: 'zh-HK', jp: 'ja', kr: 'ko', vn: 'vi', spa: 'es' }
export const languageName = (code: string): string => LANGUAGES.of(TAGS[code] ?? code) ?? code
