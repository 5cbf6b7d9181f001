import { refuse, type Refusal } from '../http/refusal.ts'
import { counted, type Attempts } from './attempt-limits.ts'
import type { Members } from './members.ts'
import type { Hasher } from './password-hash.ts'
import type { SecondFactor } from './second-factor.ts'

/** Asks for the password, and the second factor, again before a sensitive change. */
export type Reauthentication = {
  /** Null when the password, and the second factor where it is on, are right; else why not. */
  ofUser(userId: number, password: string, authCode: string | null): Promise<Refusal | null>
  /** The second factor where it is on, else the password: for what somebody who is logged in asks for. */
  ofEither(userId: number, password: string | null, authCode: string | null): Promise<Refusal | null>
  /** The second factor alone, after the password was right. */
  ofSecondFactor(userId: number, authCode: string | null): Promise<Refusal | null>
}

/** By what wrong codes of a user's second factor are counted. */
export const secondFactorKey = (userId: number): string => `second factor ${userId}`

export function createReauthentication(parts: {
  members: Members
  hasher: Hasher
  secondFactor: SecondFactor
  attempts: Attempts
}): Reauthentication {
  const { members, hasher, secondFactor, attempts } = parts
  const ofSecondFactor: Reauthentication['ofSecondFactor'] = async (userId, authCode) => {
    const { isOn } = await secondFactor.status(userId)
    if (!isOn) return null
    if (authCode === null) return refuse('secondFactorNeeded')
    return counted([[attempts, secondFactorKey(userId)]], async () =>
      (await secondFactor.take(userId, authCode)) ? null : refuse('secondFactorWrong'),
    )
  }
  const ofPassword = (userId: number, password: string) =>
    counted([[attempts, `password ${userId}`]], async () => {
      const member = await members.byId(userId)
      const isRight = await hasher.verify(password, member?.passwordHash ?? null)
      return isRight ? null : refuse('passwordWrong')
    })
  return {
    ofSecondFactor,
    ofUser: async (userId, password, authCode) =>
      (await ofPassword(userId, password)) ?? ofSecondFactor(userId, authCode),
    ofEither: async (userId, password, authCode) => {
      const { isOn } = await secondFactor.status(userId)
      return isOn ? ofSecondFactor(userId, authCode) : ofPassword(userId, password ?? '')
    },
  }
}
