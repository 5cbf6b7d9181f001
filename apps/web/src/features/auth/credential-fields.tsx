import { useTranslations } from 'use-intl'
import { PASSWORD_LENGTH } from '@fairlot/contract'
import { PasswordField } from '@fairlot/ui/forms/password-field.tsx'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'

type NewPasswordFieldsProps = {
  label: string
  values: NewPassword
  problems: Problems<NewPassword>
  onChange: (change: Partial<NewPassword>) => void
}

/** A new password and its repetition, with the rule for it. */
export function NewPasswordFields({ label, values, problems, onChange }: NewPasswordFieldsProps) {
  const t = useTranslations('auth')
  const labels = { showLabel: t('showPassword'), hideLabel: t('hidePassword') }
  return (
    <>
      <PasswordField
        {...labels}
        label={label}
        hint={t('passwordRule', PASSWORD_LENGTH)}
        name="new-password"
        autoComplete="new-password"
        value={values.password}
        problem={problems.password}
        onChange={(password) => onChange({ password })}
      />
      <PasswordField
        {...labels}
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

export type NewPassword = { password: string; repeated: string }

type Translate = (
  key: 'enterPassword' | 'passwordsDiffer' | 'passwordTooShort',
  values?: { min: number },
) => string

/** Checks a new password before it is sent. */
export function newPasswordProblems(
  { password, repeated }: NewPassword,
  t: Translate,
): Problems<NewPassword> {
  if (password === '') return { password: t('enterPassword') }
  if (Array.from(password).length < PASSWORD_LENGTH.min)
    return { password: t('passwordTooShort', { min: PASSWORD_LENGTH.min }) }
  return password === repeated ? {} : { repeated: t('passwordsDiffer') }
}

/** The field at which each rejection of a new password is shown. */
export const PASSWORD_ERROR_FIELDS = {
  passwordTooShort: 'password',
  passwordTooLong: 'password',
  passwordCommon: 'password',
  passwordsDiffer: 'repeated',
} as const

type OwnPasswordFieldProps = {
  label: string
  value: string
  problem: string | undefined
  onChange: (text: string) => void
  hasFocusAtStart?: boolean
}

/** The user's current password, as proof of identity. */
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
