import type { Contact, User } from '@fairlot/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Queries } from '../database/open.ts'
import type { Vault } from '../database/vault.ts'
import type { Engine } from '../engine/engine.ts'
import type { Consent } from '../legal/consent.ts'
import type { Notifier } from '../notifications/notifier.ts'
import { refuse, type Refusal } from '../http/refusal.ts'
import type { Sessions } from '../http/login-sessions.ts'
import { createCountries, type Countries, type CountrySettings } from './countries.ts'
import { createAttempts, type Attempts } from './attempt-limits.ts'
import { createCaptchas, type Captchas } from './captcha.ts'
import { createCodes, type Codes } from './verification-codes.ts'
import { createMembers, type Members } from './members.ts'
import { createHasher, HashingBusyError, type Hasher } from './password-hash.ts'
import { createReauthentication, type Reauthentication } from './reauthentication.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'

export type AuthOptions = {
  readonly queries: Queries
  readonly vault: Vault
  readonly engine: Engine
  readonly sessions: Sessions
  readonly notifier: Notifier
  readonly consent: Consent
  readonly findUser: (id: number) => Promise<User | null>
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** What a new user starts with. */
  readonly creditScore: () => number
  readonly registration: {
    readonly mode: 'email' | 'emailOrMobile' | 'mobile'
    readonly check: 'code' | 'captcha'
  }
  readonly areas: CountrySettings
  readonly limits: {
    readonly demoAccountsPerHour: number
    readonly failedLoginsPerAddress: number
    readonly failedLoginsPerAccount: number
    readonly codesPerTarget: number
    readonly codesPerAddress: number
    readonly captchasPerAddress: number
  }
}

/** What the routes of this area work with. */
export type AuthServices = AuthOptions & {
  readonly countries: Countries
  readonly members: Members
  readonly hasher: Hasher
  readonly codes: Codes
  readonly captchas: Captchas
  readonly secondFactor: SecondFactor
  readonly reauthentication: Reauthentication
  /** Failures by network address. */
  readonly addressAttempts: Attempts
  /** Failures by account, from one network each. */
  readonly accountAttempts: Attempts
  /** Failures by account from everywhere: wide enough that nobody locks somebody else out by a few guesses. */
  readonly anywhereAttempts: Attempts
}

const ANYWHERE_FACTOR = 10

/** Throws an Error for settings that name no country. */
export function createAuthServices(options: AuthOptions): AuthServices {
  const { queries, vault, now, limits } = options
  const members = createMembers(queries)
  const hasher = createHasher()
  const secondFactor = createSecondFactor(queries, vault, now)
  const accountAttempts = createAttempts(() => limits.failedLoginsPerAccount)
  return {
    ...options,
    ...{ members, hasher, secondFactor, accountAttempts },
    countries: createCountries(options.areas),
    codes: createCodes(queries, now),
    captchas: createCaptchas(now),
    reauthentication: createReauthentication({ members, hasher, secondFactor, attempts: accountAttempts }),
    addressAttempts: createAttempts(() => limits.failedLoginsPerAddress),
    anywhereAttempts: createAttempts(() => limits.failedLoginsPerAccount * ANYWHERE_FACTOR),
  }
}

/** Opens an account in the ledger and answers its id, which is its user's too. */
export async function openAccount(engine: Engine, ledger: 'demo' | 'real'): Promise<number | Refusal> {
  const answer = await engine.execute({ type: 'openAccount', ledger })
  if (!('entry' in answer)) return refuse('engineUnavailable')
  const [opened] = answer.entry.events
  return opened?.type === 'accountOpened' ? opened.accountId : refuse('internal')
}

/** The country that goes with a number; null where none is named, or needed. */
export function countryOf(
  { countries }: AuthServices,
  { contact, countryId = null }: { readonly contact: Contact; readonly countryId?: number | null },
): CountryCode | null | Refusal {
  if (contact === 'email' || countryId === null) return null
  return countries.byId(countryId) ?? refuse('areaInvalid', { field: 'area_id' })
}

/** A handler that checks passwords says "too many requests" when more wait than the machine can check. */
export const inTurn =
  <Input, Output>(handler: (input: Input) => Promise<Output>) =>
  async (input: Input): Promise<Output | Refusal> => {
    try {
      return await handler(input)
    } catch (error) {
      if (error instanceof HashingBusyError) return refuse('tooManyRequests')
      throw error
    }
  }
