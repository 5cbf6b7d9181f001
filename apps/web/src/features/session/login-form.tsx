import type { Contact, LoginRequest } from '@fairlot/contract'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { logInWith } from '../../live/session.ts'
import { useSubmit } from '../../live/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { FormNote } from '../../ui/form-note.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { textButtonClass } from '../../ui/text-button.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { Form } from '../../ui/use-form.ts'
import { AuthCodeField } from './auth-code-field.tsx'
import { ContactFields } from './contact-fields.tsx'
import { accountOf, CONTACT_REFUSALS, missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { areaOf, useAreas } from './queries.ts'

type LoginValues = ContactValues & { password: string; authCode: string }
type Step = 'password' | 'authCode'

const EMPTY = { email: '', phone: '', areaId: null, password: '', authCode: '' }

const REFUSED = {
  ...CONTACT_REFUSALS,
  credentialsWrong: 'password',
  secondFactorNeeded: 'authCode',
  secondFactorWrong: 'authCode',
} as const

type LoginFormProps = { first: Contact; forgotPath: string; onLoggedIn: () => void }

/** Logs in with an account and its password, and with the second factor where it is on. */
export function LoginForm({ first, forgotPath, onLoggedIn }: LoginFormProps) {
  const t = useTranslations('session')
  const { data: areas } = useAreas()
  const [step, setStep] = useState<Step>('password')
  const form = useForm<LoginValues>(() => ({ ...EMPTY, contact: first }))
  const requestOf = (values: LoginValues): LoginRequest => ({
    contact: values.contact,
    account: accountOf(values),
    password: values.password,
    areaId: values.contact === 'mobile' ? (areaOf(areas ?? [], values.areaId)?.id ?? null) : null,
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
  // Who registered in another mode still logs in: it only decides which comes first.
  const contacts: readonly Contact[] = first === 'mobile' ? ['mobile', 'email'] : ['email', 'mobile']
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
  const t = useTranslations('session')
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
  const t = useTranslations('session')
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
