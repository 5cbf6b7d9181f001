import { PASSWORD_LENGTH } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { PasswordField } from '@fairlot/ui/password-field.tsx'
import type { Problems } from '@fairlot/ui/use-form.ts'
import type { NewPassword } from './new-password.ts'

type NewPasswordFieldsProps = {
  label: string
  values: NewPassword
  problems: Problems<NewPassword>
  onChange: (change: Partial<NewPassword>) => void
}

/** A new password and the same once more, with its rule in words. */
export function NewPasswordFields({ label, values, problems, onChange }: NewPasswordFieldsProps) {
  const t = useTranslations('auth')
  const words = { showLabel: t('showPassword'), hideLabel: t('hidePassword') }
  return (
    <>
      <PasswordField
        {...words}
        label={label}
        hint={t('passwordRule', PASSWORD_LENGTH)}
        name="new-password"
        autoComplete="new-password"
        value={values.password}
        problem={problems.password}
        onChange={(password) => onChange({ password })}
      />
      <PasswordField
        {...words}
        label={t('repeatPassword')}
        name="repeated-password"
        autoComplete="new-password"
        value={values.repeated}
        problem={problems.repeated}
        onChange={(repeated) => onChange({ repeated })}
      />
    </>
  )
}
