import { refuse, type Refusal } from '../plugins/refusal.ts'
import { counted, type Attempts } from './attempts.ts'
import type { Members } from './members.ts'
import type { Hasher } from './password-hash.ts'
import type { SecondFactor } from './second-factor.ts'

/** That it is really the user who asks for something grave, and not somebody who found their browser open. */
export type Proof = {
  /** Null when the password, and the second factor where it is on, are right; else why not. */
  ofUser(userId: number, password: string, authCode: string | null): Promise<Refusal | null>
  /** The second factor alone, after the password was right. */
  ofSecondFactor(userId: number, authCode: string | null): Promise<Refusal | null>
}

/** By what wrong codes of a user's second factor are counted. */
export const secondFactorKey = (userId: number): string => `second factor ${userId}`

export function createProof(parts: {
  members: Members
  hasher: Hasher
  secondFactor: SecondFactor
  attempts: Attempts
}): Proof {
  const { members, hasher, secondFactor, attempts } = parts
  const ofSecondFactor: Proof['ofSecondFactor'] = async (userId, authCode) => {
    const { isOn } = await secondFactor.status(userId)
    if (!isOn) return null
    if (authCode === null) return refuse('secondFactorNeeded')
    return counted([[attempts, secondFactorKey(userId)]], async () =>
      (await secondFactor.take(userId, authCode)) ? null : refuse('secondFactorWrong'),
    )
  }
  return {
    ofSecondFactor,
    ofUser: async (userId, password, authCode) => {
      const refused = await counted([[attempts, `password ${userId}`]], async () => {
        const member = await members.byId(userId)
        const isRight = await hasher.verify(password, member?.passwordHash ?? null)
        return isRight ? null : refuse('passwordWrong')
      })
      return refused ?? ofSecondFactor(userId, authCode)
    },
  }
}
