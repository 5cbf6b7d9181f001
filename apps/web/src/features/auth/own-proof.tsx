import { useTranslations } from 'use-intl'
import type { OwnProof, PasskeyPurpose, User } from '@fairlot/contract'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'
import { useSecondFactor } from '../../live/session/second-factor.ts'
import { AuthCodeField, FACTOR_ERROR_FIELDS } from '../../ui/auth-code-field.tsx'
import { OwnPasswordField } from './credential-fields.tsx'

export type ProofValues = { readonly password: string; readonly authCode: string }
export const NO_PROOF: ProofValues = { password: '', authCode: '' }

/** The field at which each rejection of a proof is shown. */
export const PROOF_ERROR_FIELDS = { ...FACTOR_ERROR_FIELDS, passwordWrong: 'password' } as const

/** How a user proves ownership: by the second factor where it is on, else the password. A demo account has neither. */
export type ProofKind = 'none' | 'password' | 'code'

/** The proof that this user gives; undefined while it is loading. */
export function useProofKind({ isDemo }: Pick<User, 'isDemo'>): ProofKind | undefined {
  const { data, isError } = useSecondFactor(!isDemo)
  if (isDemo) return 'none'
  if (data) return data.isOn ? 'code' : 'password'
  return isError ? 'password' : undefined
}

/** Validates a proof before it is sent. */
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

type ProofFieldProps = {
  kind: ProofKind
  purpose: PasskeyPurpose
  values: ProofValues
  problems: Problems<ProofValues>
  onChange: (proof: Partial<ProofValues>) => void
}

/** The field for the proof of ownership. */
export function ProofField({ kind, purpose, values, problems, onChange }: ProofFieldProps) {
  const t = useTranslations('auth')
  if (kind === 'none') return null
  return kind === 'code' ? (
    <AuthCodeField
      passkeyFor={purpose}
      value={values.authCode}
      problem={problems.authCode}
      onChange={(authCode) => onChange({ authCode })}
    />
  ) : (
    <OwnPasswordField
      label={t('password')}
      value={values.password}
      problem={problems.password}
      onChange={(password) => onChange({ password })}
    />
  )
}
