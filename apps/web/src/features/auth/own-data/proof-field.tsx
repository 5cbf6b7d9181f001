import type { Problems } from '@fairlot/ui/use-form.ts'
import { useTranslations } from 'use-intl'
import { AuthCodeField } from '../auth-code-field.tsx'
import { OwnPasswordField } from '../security/own-password-field.tsx'
import type { ProofKind, ProofValues } from './use-proof.ts'

type ProofFieldProps = {
  kind: ProofKind
  values: ProofValues
  problems: Problems<ProofValues>
  onChange: (proof: Partial<ProofValues>) => void
}

/** The field that shows that it is the user who asks. */
export function ProofField({ kind, values, problems, onChange }: ProofFieldProps) {
  const t = useTranslations('auth')
  if (kind === 'none') return null
  return kind === 'code' ? (
    <AuthCodeField
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
