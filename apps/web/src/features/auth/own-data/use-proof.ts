import type { OwnProof, User } from '@fairlot/contract'
import type { Problems } from '@fairlot/ui/use-form.ts'
import { useTranslations } from 'use-intl'
import { useSecondFactor } from '../security/queries.ts'

export type ProofValues = { readonly password: string; readonly authCode: string }
export const NO_PROOF: ProofValues = { password: '', authCode: '' }

/** At which field it says why a proof was not taken. */
export const REFUSED_PROOF = {
  passwordWrong: 'password',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

/** What shows that it is the user: a code where the second factor is on, else the password. A demo account has neither. */
export type ProofKind = 'none' | 'password' | 'code'

/** Undefined while that is being asked. */
export function useProofKind({ isDemo }: Pick<User, 'isDemo'>): ProofKind | undefined {
  const { data, isError } = useSecondFactor(!isDemo)
  if (isDemo) return 'none'
  if (data) return data.isOn ? 'code' : 'password'
  return isError ? 'password' : undefined
}

/** What can be said before anything is sent. */
export function useProofCheck(kind: ProofKind): (values: ProofValues) => Problems<ProofValues> {
  const t = useTranslations('auth')
  return ({ password, authCode }) => ({
    ...(kind === 'password' && password === '' && { password: t('enterPassword') }),
    ...(kind === 'code' && authCode.trim() === '' && { authCode: t('enterCode') }),
  })
}

export const proofOf = ({ password, authCode }: ProofValues): OwnProof => ({
  password: password || null,
  authCode: authCode.trim() || null,
})
