import type { Contact, User } from '@fairlot/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import type { Queries } from '../database/open.ts'
import type { Engine } from '../engine/engine.ts'
import type { Post } from '../mail/post.ts'
import { refuse, type Refusal } from '../plugins/refusal.ts'
import type { Sessions } from '../plugins/sessions.ts'
import { createAreas, type Areas, type AreaSettings } from './areas.ts'
import { createAttempts, type Attempts } from './attempts.ts'
import { createCaptchas, type Captchas } from './captcha.ts'
import { createCodes, type Codes } from './codes.ts'
import { createMembers, type Members } from './members.ts'
import { createHasher, HashingBusyError, type Hasher } from './password-hash.ts'
import { createProof, type Proof } from './proof.ts'
import { createSecondFactor, type SecondFactor } from './second-factor.ts'

export type SessionOptions = {
  readonly queries: Queries
  readonly engine: Engine
  readonly sessions: Sessions
  readonly post: Post
  readonly findUser: (id: number) => Promise<User | null>
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly creditScore: number
  readonly registration: {
    readonly mode: 'email' | 'emailOrMobile' | 'mobile'
    readonly check: 'code' | 'captcha'
  }
  readonly areas: AreaSettings
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
export type SessionParts = SessionOptions & {
  readonly areaList: Areas
  readonly members: Members
  readonly hasher: Hasher
  readonly codes: Codes
  readonly captchas: Captchas
  readonly secondFactor: SecondFactor
  readonly proof: Proof
  /** Failures by network address. */
  readonly addressAttempts: Attempts
  /** Failures by account, from one network each. */
  readonly accountAttempts: Attempts
  /** Failures by account from everywhere: wide enough that nobody locks somebody else out by a few guesses. */
  readonly anywhereAttempts: Attempts
}

const ANYWHERE_FACTOR = 10

/** Throws an Error for settings that name no country. */
export function createParts(options: SessionOptions): SessionParts {
  const { queries, now, limits } = options
  const members = createMembers(queries)
  const hasher = createHasher()
  const secondFactor = createSecondFactor(queries, now)
  const accountAttempts = createAttempts(limits.failedLoginsPerAccount)
  return {
    ...options,
    ...{ members, hasher, secondFactor, accountAttempts },
    areaList: createAreas(options.areas),
    codes: createCodes(queries, now),
    captchas: createCaptchas(now),
    proof: createProof({ members, hasher, secondFactor, attempts: accountAttempts }),
    addressAttempts: createAttempts(limits.failedLoginsPerAddress),
    anywhereAttempts: createAttempts(limits.failedLoginsPerAccount * ANYWHERE_FACTOR),
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
export function areaOf(
  { areaList }: SessionParts,
  { contact, areaId = null }: { readonly contact: Contact; readonly areaId?: number | null },
): CountryCode | null | Refusal {
  if (contact === 'email' || areaId === null) return null
  return areaList.byId(areaId) ?? refuse('areaInvalid', { field: 'area_id' })
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
