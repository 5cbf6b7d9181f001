import { type Contact, isPasskeyCode, type PasskeyPurpose, type User } from '@fairlot/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Consent } from '../content/legal-texts.ts'
import type { Engine } from '../engine/engine.ts'
import type { MessageWriter } from '../notices/message-writer.ts'
import { createKeyedMutex } from '../platform/concurrency.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Vault } from '../platform/database/vault.ts'
import type { Sessions } from '../platform/http/login-sessions.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
import {
  type AttemptLimit,
  createAttemptLimit,
  withAttemptLimits,
} from '../platform/security/attempt-limits.ts'
import type { Hasher } from '../platform/security/password-hash.ts'
import type { Passkeys } from '../platform/security/passkeys.ts'
import { createSecondFactor, isPossibleCode, type SecondFactor } from '../platform/security/second-factor.ts'
import { type Captchas, createCaptchas } from './captcha.ts'
import { type Countries, type CountrySettings, createCountries } from './countries.ts'
import { createRegisteredUsers, type RegisteredUsers } from './users.ts'
import { type Codes, createCodes } from './verification-codes.ts'

export type AuthOptions = {
  readonly queries: Queries
  readonly vault: Vault
  readonly hasher: Hasher
  readonly passkeys: Passkeys
  readonly engine: Engine
  readonly sessions: Sessions
  readonly messageWriter: MessageWriter
  readonly consent: Consent
  readonly findUser: (id: number) => Promise<User | null>
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
  /** The credit score of a new user. */
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

/** Everything that the routes of this area use. */
export type AuthServices = AuthOptions & {
  /** One change of a user's second factor at a time: each depends on what is left. */
  readonly withSecurityLock: <T>(userId: number, change: () => Promise<T>) => Promise<T>
  readonly countries: Countries
  readonly users: RegisteredUsers
  readonly codes: Codes
  readonly captchas: Captchas
  readonly secondFactor: SecondFactor
  readonly reauthentication: Reauthentication
  /** Failed attempts per network. */
  readonly addressLimit: AttemptLimit
  /** Failed attempts per account and network. */
  readonly accountLimit: AttemptLimit
  /** Failed attempts per account from all networks: wide enough that a few guesses do not lock the owner out. */
  readonly anywhereLimit: AttemptLimit
}

const ANYWHERE_FACTOR = 10

/** Throws an Error if the settings name an unknown country. */
export function createAuthServices(options: AuthOptions): AuthServices {
  const { queries, vault, hasher, passkeys, now, limits } = options
  const users = createRegisteredUsers(queries)
  const secondFactor = createSecondFactor(queries, vault, now)
  const accountLimit = createAttemptLimit(() => limits.failedLoginsPerAccount)
  const withLock = createKeyedMutex()
  return {
    ...options,
    withSecurityLock: (userId, change) => withLock(String(userId), change),
    users,
    secondFactor,
    accountLimit,
    countries: createCountries(options.areas),
    codes: createCodes(queries, now),
    captchas: createCaptchas(now),
    reauthentication: createReauthentication({ users, hasher, secondFactor, passkeys, accountLimit }),
    addressLimit: createAttemptLimit(() => limits.failedLoginsPerAddress),
    anywhereLimit: createAttemptLimit(() => limits.failedLoginsPerAccount * ANYWHERE_FACTOR),
  }
}

/** Opens an account in the ledger and returns its id, which is also the id of its user. */
export async function openAccount(engine: Engine, ledger: 'demo' | 'real'): Promise<number | Refusal> {
  const result = await engine.execute({ type: 'openAccount', ledger })
  if (!('entry' in result)) return refuse('engineUnavailable')
  const [opened] = result.entry.events
  return opened?.type === 'accountOpened' ? opened.accountId : refuse('internal')
}

/** The country of a phone number; null for an e-mail address or when none is given. */
export function countryOf(
  { countries }: AuthServices,
  { contact, countryId = null }: { readonly contact: Contact; readonly countryId?: number | null },
): CountryCode | null | Refusal {
  if (contact === 'email' || countryId === null) return null
  return countries.byId(countryId) ?? refuse('areaInvalid', { field: 'area_id' })
}

/** The action that a second factor confirms. A passkey's signature is valid for one purpose only. */
export type Purpose = PasskeyPurpose | 'logIn'

/** Checks the password and the second factor again before a sensitive change. `code`: as `factorCode` on the wire. */
export type Reauthentication = {
  /** Checks the password and, if it is on, the second factor; null when both are right. */
  checkBoth(
    userId: number,
    /** `field`: the password's name on the wire. */
    proof: { readonly password: string; readonly code: string | null; readonly field?: string },
    purpose: Purpose,
  ): Promise<Refusal | null>
  /** Checks the second factor if it is on, else the password: for requests of a logged-in user. */
  checkEither(
    userId: number,
    password: string | null,
    code: string | null,
    purpose: Purpose,
  ): Promise<Refusal | null>
  /** Checks only the second factor, after the password. `field`: its name on the wire. */
  checkSecondFactor(
    userId: number,
    code: string | null,
    purpose: Purpose,
    field?: string,
  ): Promise<Refusal | null>
}

/** The key under which wrong codes of a user's second factor are counted. */
const secondFactorKey = (userId: number): string => `second factor ${userId}`

function createReauthentication(parts: {
  users: RegisteredUsers
  hasher: Hasher
  secondFactor: SecondFactor
  passkeys: Passkeys
  accountLimit: AttemptLimit
}): Reauthentication {
  const { users, hasher, secondFactor, passkeys, accountLimit } = parts
  const checkSecondFactor: Reauthentication['checkSecondFactor'] = async (
    userId,
    code,
    purpose,
    field = 'auth_code',
  ) => {
    const { isOn } = await secondFactor.status(userId)
    if (!isOn) return null
    if (code === null) return refuse('secondFactorNeeded', { field })
    if (!isPasskeyCode(code) && !isPossibleCode(code)) return refuse('secondFactorWrong', { field })
    return withAttemptLimits([[accountLimit, secondFactorKey(userId)]], async () => {
      if (isPasskeyCode(code)) return passkeys.prove({ kind: 'user', id: userId }, purpose, code)
      return (await secondFactor.use(userId, code)) ? null : refuse('secondFactorWrong', { field })
    })
  }
  const checkPasswordOf = (userId: number, password: string, field = 'password') =>
    withAttemptLimits([[accountLimit, `password ${userId}`]], async () => {
      const registered = await users.byId(userId)
      const isRight = await hasher.verify(password, registered?.passwordHash ?? null)
      return isRight ? null : refuse('passwordWrong', { field })
    })
  return {
    checkSecondFactor,
    checkBoth: async (userId, { password, code, field }, purpose) =>
      (await checkPasswordOf(userId, password, field)) ?? checkSecondFactor(userId, code, purpose),
    checkEither: async (userId, password, code, purpose) => {
      const { isOn } = await secondFactor.status(userId)
      return isOn ? checkSecondFactor(userId, code, purpose) : checkPasswordOf(userId, password ?? '')
    },
  }
}
