import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { useUser } from '../../../live/session/user.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useSecondFactor } from '../../../live/session/second-factor.ts'
import { AuthCodeField, FACTOR_ERROR_FIELDS } from '../../../ui/auth-code-field.tsx'
import {
  type NewPassword,
  NewPasswordFields,
  newPasswordProblems,
  OwnPasswordField,
  PASSWORD_ERROR_FIELDS,
} from '../credential-fields.tsx'
import { submitPasswordChange } from './queries.ts'

type PasswordValues = NewPassword & { old: string; authCode: string }

const EMPTY = { old: '', password: '', repeated: '', authCode: '' }
const ERROR_FIELDS = {
  ...PASSWORD_ERROR_FIELDS,
  ...FACTOR_ERROR_FIELDS,
  passwordWrong: 'old',
} as const

/** Changes the password with the old one. */
export function PasswordScreen({ onDone }: { onDone: () => void }) {
  const t = useTranslations('auth')
  const user = useUser()
  const isSecondFactorOn = useSecondFactor().data?.isOn ?? false
  // That state may not be loaded, or be out of date: then the server requests the code.
  const [isCodeRequested, setIsCodeRequested] = useState(false)
  const needsCode = isSecondFactorOn || isCodeRequested
  const form = useForm<PasswordValues>(() => EMPTY)
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (typed) => ({
      ...(typed.old === '' && { old: t('enterOldPassword') }),
      ...newPasswordProblems(typed, t),
      ...(needsCode && typed.authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: ({ old, password, authCode }) =>
      submitPasswordChange({
        contact: user !== undefined && user.email === null ? 'mobile' : 'email',
        oldPassword: old,
        newPassword: password,
        authCode: authCode.trim() || null,
      }),
    fields: ERROR_FIELDS,
    onRejected: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setIsCodeRequested(true)
      return false
    },
    onDone,
  })
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      <p className="text-body text-second">{t('changePasswordText')}</p>
      <Card>
        <FormFrame form={form} onSubmit={onSubmit}>
          {/* Lets a password manager know whose password this is. */}
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
              passkeyFor="password"
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
