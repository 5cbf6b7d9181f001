import { useTranslations } from 'use-intl'
import { PasswordField } from '@fairlot/ui/password-field.tsx'

type OwnPasswordFieldProps = {
  label: string
  value: string
  problem: string | undefined
  onChange: (text: string) => void
  hasFocusAtStart?: boolean
}

/** The password in force, as proof that it is the user who asks. */
export function OwnPasswordField({ hasFocusAtStart = false, ...rest }: OwnPasswordFieldProps) {
  const t = useTranslations('auth')
  return (
    <PasswordField
      {...rest}
      showLabel={t('showPassword')}
      hideLabel={t('hidePassword')}
      name="password"
      autoComplete="current-password"
      autoFocus={hasFocusAtStart}
    />
  )
}
