import type { Refusal } from '../plugins/refusal.ts'
import { refuse } from '../plugins/refusal.ts'
import type { Attempts } from './attempts.ts'
import type { Member, Members } from './members.ts'
import type { Hasher } from './password-hash.ts'
import type { SecondFactor } from './second-factor.ts'

/** That it is really the user who asks for something grave, and not somebody who found their browser open. */
export type Proof = {
  /** Null when the password, and the second factor where it is on, are right; else why not. */
  ofUser(userId: number, password: string, authCode: string | null): Promise<Refusal | null>
  /** The second factor alone, after the password was right. */
  ofSecondFactor(userId: number, authCode: string | null): Promise<Refusal | null>
}

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
    const key = `second factor ${userId}`
    if (!(await attempts.begin(key))) return refuse('tooManyRequests')
    if (!(await secondFactor.take(userId, authCode))) return refuse('secondFactorWrong')
    await attempts.succeeded(key)
    return null
  }
  return {
    ofSecondFactor,
    ofUser: async (userId, password, authCode) => {
      const key = `password ${userId}`
      if (!(await attempts.begin(key))) return refuse('tooManyRequests')
      const member: Member | null = await members.byId(userId)
      if (!(await hasher.verify(password, member?.passwordHash ?? null))) return refuse('passwordWrong')
      await attempts.succeeded(key)
      return ofSecondFactor(userId, authCode)
    },
  }
}
