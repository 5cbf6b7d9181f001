import { useTranslations } from 'use-intl'
import { TextField } from '@fairlot/ui/field.tsx'

type AuthCodeFieldProps = {
  value: string
  problem: string | undefined
  onChange: (text: string) => void
  /** A recovery code does not do while the app is being set up. */
  isAppOnly?: boolean
  hasFocusAtStart?: boolean
}

/** A code of the authenticator app, or a recovery code in its place. */
export function AuthCodeField(props: AuthCodeFieldProps) {
  const { value, problem, onChange, isAppOnly = false, hasFocusAtStart = false } = props
  const t = useTranslations('auth')
  return (
    <TextField
      label={t('authCode')}
      hint={t(isAppOnly ? 'authCodeHintApp' : 'authCodeHint')}
      name="one-time-code"
      inputMode={isAppOnly ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={hasFocusAtStart}
      dir="ltr"
      value={value}
      problem={problem}
      onChange={onChange}
    />
  )
}
