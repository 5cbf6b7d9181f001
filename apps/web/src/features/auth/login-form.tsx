import type { Contact, LoginRequest } from '@fairlot/contract'
import { useState } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { logInWith } from '../../live/auth/session.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { PasswordField } from '@fairlot/ui/password-field.tsx'
import { textButtonClass } from '@fairlot/ui/text-button.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import type { Form } from '@fairlot/ui/use-form.ts'
import { AuthCodeField } from './auth-code-field.tsx'
import { ContactFields } from './contact-fields.tsx'
import { accountOf, CONTACT_REFUSALS, missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { countryOf, useCountries } from './queries.ts'

type LoginValues = ContactValues & { password: string; authCode: string }
type Step = 'password' | 'authCode'

const EMPTY = { email: '', phone: '', countryId: null, password: '', authCode: '' }

const REFUSED = {
  ...CONTACT_REFUSALS,
  credentialsWrong: 'password',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

type LoginFormProps = { contacts: readonly Contact[]; forgotPath: string; onLoggedIn: () => void }

/** Logs in with an account and its password, and with the second factor where it is on. */
export function LoginForm({ contacts, forgotPath, onLoggedIn }: LoginFormProps) {
  const t = useTranslations('auth')
  const { data: areas } = useCountries()
  const [step, setStep] = useState<Step>('password')
  const form = useForm<LoginValues>(() => ({ ...EMPTY, contact: contacts[0] ?? 'email' }))
  const requestOf = (values: LoginValues): LoginRequest => ({
    contact: values.contact,
    account: accountOf(values),
    password: values.password,
    countryId: values.contact === 'mobile' ? (countryOf(areas ?? [], values.countryId)?.id ?? null) : null,
    authCode: values.authCode.trim() || null,
  })
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => ({
      ...missingAccount(values, t),
      ...(values.password === '' && { password: t('enterPassword') }),
      ...(step === 'authCode' && values.authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: (values) => logInWith(requestOf(values)),
    fields: REFUSED,
    onDone: onLoggedIn,
    onRefused: ({ reason }) => {
      if (reason === 'credentialsWrong') setStep('password')
      if (reason === 'secondFactorNeeded' || reason === 'secondFactorWrong') setStep('authCode')
      return reason === 'secondFactorNeeded'
    },
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      {step === 'password' ? (
        <PasswordStep form={form} contacts={contacts} forgotPath={forgotPath} />
      ) : (
        <AuthCodeStep form={form} onBack={() => setStep('password')} />
      )}
      <FormNote text={form.note} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('logIn')}
      </Button>
    </FormFrame>
  )
}

type PasswordStepProps = { form: Form<LoginValues>; contacts: readonly Contact[]; forgotPath: string }

function PasswordStep({ form, contacts, forgotPath }: PasswordStepProps) {
  const t = useTranslations('auth')
  const { values, problems, set } = form
  return (
    <>
      <ContactFields contacts={contacts} values={values} problems={problems} onChange={set} />
      <div>
        <PasswordField
          label={t('password')}
          showLabel={t('showPassword')}
          hideLabel={t('hidePassword')}
          name="password"
          autoComplete="current-password"
          value={values.password}
          problem={problems.password}
          onChange={(password) => set({ password })}
        />
        <Link to={forgotPath} className={textButtonClass}>
          {t('forgot')}
        </Link>
      </div>
    </>
  )
}

function AuthCodeStep({ form, onBack }: { form: Form<LoginValues>; onBack: () => void }) {
  const t = useTranslations('auth')
  const { values, problems, set } = form
  return (
    <>
      <p className="text-body">{t('authCodeAsked', { account: accountOf(values) })}</p>
      <AuthCodeField
        hasFocusAtStart
        value={values.authCode}
        problem={problems.authCode}
        onChange={(authCode) => set({ authCode })}
      />
      <button
        type="button"
        onClick={() => {
          set({ authCode: '' })
          onBack()
        }}
        className={`${textButtonClass} self-start`}
      >
        {t('otherAccount')}
      </button>
    </>
  )
}
