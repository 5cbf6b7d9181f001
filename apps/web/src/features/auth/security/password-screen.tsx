import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../../live/auth/user.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { AuthCodeField } from '../auth-code-field.tsx'
import { NewPasswordFields } from '../new-password-fields.tsx'
import { PASSWORD_REFUSALS, weakPassword } from '../new-password.ts'
import type { NewPassword } from '../new-password.ts'
import { OwnPasswordField } from './own-password-field.tsx'
import { setNewPassword, useSecondFactor } from './queries.ts'

type PasswordValues = NewPassword & { old: string; authCode: string }

const EMPTY = { old: '', password: '', repeated: '', authCode: '' }
const REFUSED = {
  ...PASSWORD_REFUSALS,
  passwordWrong: 'old',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

/** Changes the password with the old one. */
export function PasswordScreen({ onDone }: { onDone: () => void }) {
  const t = useTranslations('auth')
  const user = useUser()
  const isSecondFactorOn = useSecondFactor().data?.isOn ?? false
  // The answer to that may be missing, or older than the switch.
  const [isAsked, setIsAsked] = useState(false)
  const needsCode = isSecondFactorOn || isAsked
  const form = useForm<PasswordValues>(() => EMPTY)
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (typed) => ({
      ...(typed.old === '' && { old: t('enterOldPassword') }),
      ...weakPassword(typed, t),
      ...(needsCode && typed.authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: ({ old, password, authCode }) =>
      setNewPassword({
        contact: user !== undefined && user.email === null ? 'mobile' : 'email',
        oldPassword: old,
        newPassword: password,
        authCode: authCode.trim() || null,
      }),
    fields: REFUSED,
    onRefused: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setIsAsked(true)
      return false
    },
    onDone: onDone,
  })
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      <p className="text-body text-second">{t('changePasswordText')}</p>
      <Card>
        <FormFrame form={form} onSubmit={onSubmit}>
          {/* Tells a password manager whose password this is. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={user?.email ?? user?.phone ?? ''}
            readOnly
            hidden
          />
          <OwnPasswordField
            label={t('oldPassword')}
            value={values.old}
            problem={problems.old}
            onChange={(old) => set({ old })}
          />
          <NewPasswordFields label={t('newPassword')} values={values} problems={problems} onChange={set} />
          {needsCode && (
            <AuthCodeField
              value={values.authCode}
              problem={problems.authCode}
              onChange={(authCode) => set({ authCode })}
            />
          )}
          <FormNote text={form.note} />
          <Button type="submit" isWide isBusy={isBusy}>
            {t('setPassword')}
          </Button>
        </FormFrame>
      </Card>
    </div>
  )
}
