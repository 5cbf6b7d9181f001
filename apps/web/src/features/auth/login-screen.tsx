import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Contact, LoginRequest } from '@fairlot/contract'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { PasswordField } from '@fairlot/ui/forms/password-field.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { textButtonClass } from '@fairlot/ui/controls/text-button.tsx'
import { type Form, useForm } from '@fairlot/ui/forms/use-form.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { logInWith } from '../../live/session/session.ts'
import { useHasSessionEnded } from '../../live/device/token.ts'
import { hasKeptInput } from '../../live/session/kept-input.ts'
import { useHasDemo, useUser } from '../../live/session/user.ts'
import { useBasicInfo } from '../../live/basic-info.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { AuthCodeField, FACTOR_ERROR_FIELDS } from '../../ui/auth-code-field.tsx'
import {
  accountOf,
  accountProblems,
  CONTACT_ERROR_FIELDS,
  ContactFields,
  type ContactValues,
} from './contact-fields.tsx'
import { DemoButton } from './demo-button.tsx'
import { PasskeyLogin } from './passkey-login.tsx'
import { AlreadyLoggedIn, RiskLine } from './entry-notes.tsx'
import { loginContacts, countryOf, useCountries, useRegistrationMode } from './queries.ts'

type LoginScreenProps = {
  /** Name of the screen the visitor wanted to open, or null. */
  wanted: string | null
  registerPath: string
  forgotPath: string
  onLoggedIn: () => void
}

/** The log-in form, a link to registration, and the demo with one tap. A demo user may log in to a real account. */
export function LoginScreen({ wanted, registerPath, forgotPath, onLoggedIn }: LoginScreenProps) {
  const t = useTranslations('auth')
  const user = useUser()
  const mode = useRegistrationMode()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      {!user && <Reason wanted={wanted} />}
      {user && <AlreadyLoggedIn user={user} onGoOn={onLoggedIn} />}
      {(!user || user.isDemo) && (
        <Card>
          {mode.isFetched ? (
            // If the mode cannot be loaded, the form starts with e-mail; if it loads later, what was typed stays.
            <>
              <LoginForm
                contacts={loginContacts(mode.data)}
                forgotPath={forgotPath}
                onLoggedIn={onLoggedIn}
              />
              <PasskeyLogin onLoggedIn={onLoggedIn} />
            </>
          ) : (
            <Skeleton shape="h-72 w-full" />
          )}
          <div className="mt-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line pt-4">
            <p className="text-note text-second">{t('noAccount')}</p>
            <Link to={registerPath} className={buttonClass('outline', 'small')}>
              {t('register')}
            </Link>
          </div>
        </Card>
      )}
      {!user && <DemoCard onStarted={onLoggedIn} />}
      <RiskLine />
    </div>
  )
}

/** Offers a demo account, or the one that this device already has. */
function DemoCard({ onStarted }: { onStarted: () => void }) {
  const t = useTranslations('auth')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const hasDemo = useHasDemo()
  const invitation = info
    ? t('demoText', { amount: asName(`${figures.publicMoney(info.demoBalance)} ${info.currency}`) })
    : t('demoTextPlain')
  return (
    <Card>
      <h2 className="font-bold">{t(hasDemo ? 'demoAgainTitle' : 'demoTitle')}</h2>
      <p className="mt-1 mb-4 text-note text-second">
        {hasDemo ? t('demoAgainText') : withNames(invitation)}
      </p>
      <DemoButton isWide tone="outline" onStarted={onStarted} />
      <p className="mt-3 text-center text-tiny text-second">{t('demoNote')}</p>
    </Card>
  )
}

type LoginValues = ContactValues & { password: string; authCode: string }
type Step = 'password' | 'authCode'

const EMPTY = { email: '', phone: '', countryId: null, password: '', authCode: '' }

const ERROR_FIELDS = {
  ...CONTACT_ERROR_FIELDS,
  ...FACTOR_ERROR_FIELDS,
  credentialsWrong: 'password',
} as const

type LoginFormProps = { contacts: readonly Contact[]; forgotPath: string; onLoggedIn: () => void }

/** Logs in with account and password, and with the second factor where it is on. */
function LoginForm({ contacts, forgotPath, onLoggedIn }: LoginFormProps) {
  const t = useTranslations('auth')
  const { data: countries } = useCountries()
  const [step, setStep] = useState<Step>('password')
  const form = useForm<LoginValues>(() => ({ ...EMPTY, contact: contacts[0] ?? 'email' }))
  const requestOf = (values: LoginValues): LoginRequest => ({
    contact: values.contact,
    account: accountOf(values),
    password: values.password,
    countryId:
      values.contact === 'mobile' ? (countryOf(countries ?? [], values.countryId)?.id ?? null) : null,
    authCode: values.authCode.trim() || null,
  })
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => ({
      ...accountProblems(values, t),
      ...(values.password === '' && { password: t('enterPassword') }),
      ...(step === 'authCode' && values.authCode.trim() === '' && { authCode: t('enterCode') }),
    }),
    send: (values) => logInWith(requestOf(values)),
    fields: ERROR_FIELDS,
    onDone: onLoggedIn,
    onRejected: ({ reason }) => {
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

/** Why a visitor is asked to log in: for a screen, or because the session has ended, and what of a form is still there then. */
function Reason({ wanted }: { wanted: string | null }) {
  const t = useTranslations()
  const hasEnded = useHasSessionEnded()
  if (hasEnded)
    return (
      <p role="status" className="rounded-card bg-brass-tint p-4 text-body">
        {t('app.sessionEnded')}
        {hasKeptInput() && ` ${t('auth.inputKept')}`}
      </p>
    )
  return wanted === null ? null : (
    <p className="text-body text-second">{t('auth.required', { screen: wanted })}</p>
  )
}

type PasswordStepProps = { form: Form<LoginValues>; contacts: readonly Contact[]; forgotPath: string }

function PasswordStep({ form, contacts, forgotPath }: PasswordStepProps) {
  const t = useTranslations('auth')
  const { values, problems, set } = form
  return (
    <>
      <ContactFields contacts={contacts} values={values} problems={problems} offersPasskeys onChange={set} />
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
      <p className="text-body">{withNames(t('authCodeRequested', { account: asName(accountOf(values)) }))}</p>
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
