import { useMutation } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Contact, type Country, readWork, type Registration, typedCode } from '@fairlot/contract'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { controlClass, Field, TextField } from '@fairlot/ui/forms/field.tsx'
import { latinDigits } from '@fairlot/core/decimal'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { type Problems, useForm } from '@fairlot/ui/forms/use-form.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { registerAccount } from '../../live/session/session.ts'
import { useUser } from '../../live/session/user.ts'
import { useBasicInfoAnswer } from '../../live/basic-info.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { CodeField, readSentCode, rememberSentCode } from './code-field.tsx'
import {
  accountField,
  accountOf,
  accountProblems,
  CONTACT_ERROR_FIELDS,
  ContactFields,
  type ContactValues,
} from './contact-fields.tsx'
import {
  type NewPassword,
  NewPasswordFields,
  newPasswordProblems,
  PASSWORD_ERROR_FIELDS,
} from './credential-fields.tsx'
import { AlreadyLoggedIn, RiskLine } from './entry-notes.tsx'
import {
  contactsOf,
  countryOf,
  refreshConsent,
  type RegistrationMode,
  useCaptcha,
  useConsentDocuments,
  useCountries,
  useRegistrationMode,
} from './queries.ts'

type RegisterScreenProps = {
  /** From the invitation link, or empty. */
  inviteCode: string
  loginPath: string
  onRegistered: () => void
}

/** Opens a real account. A demo user keeps the demo. */
export function RegisterScreen({ inviteCode, loginPath, onRegistered }: RegisterScreenProps) {
  const t = useTranslations('auth')
  const user = useUser()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      {user && <AlreadyLoggedIn user={user} onGoOn={onRegistered} />}
      {(!user || user.isDemo) && (
        <>
          <Card>
            <LoadedForm inviteCode={inviteCode} onRegistered={onRegistered} />
          </Card>
          <BlockedCountries />
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 px-4">
            <p className="text-note text-second">{t('haveAccount')}</p>
            <Link to={loginPath} className={buttonClass('outline', 'small')}>
              {t('logIn')}
            </Link>
          </div>
          <RiskLine />
        </>
      )}
    </div>
  )
}

/** The form, once the settings that decide its fields are loaded. */
function LoadedForm({ inviteCode, onRegistered }: Pick<RegisterScreenProps, 'inviteCode' | 'onRegistered'>) {
  const t = useTranslations()
  const info = useBasicInfoAnswer()
  const mode = useRegistrationMode()
  const failed = [info, mode].filter(({ isError, data }) => isError && !data)
  if (failed.length > 0)
    return (
      <FailedState
        title={t('auth.registerFailed')}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    )
  if (!mode.data || !info.data) return <Skeleton shape="h-120 w-full" />
  return (
    <RegisterForm
      mode={mode.data}
      isCaptcha={info.data.registrationCheck === 'captcha'}
      inviteCode={inviteCode}
      onRegistered={onRegistered}
    />
  )
}

/** The countries that are not served, shown before the form is filled in. */
function BlockedCountries() {
  const t = useTranslations()
  const { data: countries } = useCountries()
  const names = (countries ?? []).filter(({ isBlocked }) => isBlocked).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p className="px-4 text-note text-second">
      {t('auth.policy', { areas: names.join(t('app.listComma')) })}
    </p>
  )
}

const ERROR_FIELDS = {
  ...CONTACT_ERROR_FIELDS,
  ...PASSWORD_ERROR_FIELDS,
  codeWrong: 'code',
  captchaWrong: 'code',
  inviteCodeUnknown: 'inviteCode',
  consentMissing: 'terms',
  consentOutdated: 'terms',
} as const

type RegisterFormProps = {
  mode: RegistrationMode
  /** A captcha instead of a code by e-mail or SMS. */
  isCaptcha: boolean
  inviteCode: string
  onRegistered: () => void
}

/** Everything that a real account needs. */
function RegisterForm({ mode, isCaptcha, inviteCode, onRegistered }: RegisterFormProps) {
  const t = useTranslations('auth')
  const contacts = contactsOf(mode)
  const form = useForm<RegisterValues>(() => initialValues(contacts, inviteCode, Date.now()))
  const { onSubmit, isBusy } = useRegistration(form, isCaptcha, onRegistered)
  const { values, problems, set } = form
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <ContactFields needsCountry contacts={contacts} values={values} problems={problems} onChange={set} />
      {isCaptcha ? (
        <CaptchaField value={values.code} problem={problems.code} onChange={(code) => set({ code })} />
      ) : (
        <CodeField form={form} purpose="register" />
      )}
      <NewPasswordFields label={t('choosePassword')} values={values} problems={problems} onChange={set} />
      <TextField
        label={t('inviteCode')}
        hint={t('inviteCodeHint')}
        name="invite-code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={values.inviteCode}
        problem={problems.inviteCode}
        onChange={(text) => set({ inviteCode: text })}
      />
      <ConsentFields values={values} problems={problems} onChange={set} />
      <FormNote text={form.note} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('register')}
      </Button>
    </FormFrame>
  )
}

function useRegistration(
  form: ReturnType<typeof useForm<RegisterValues>>,
  isCaptcha: boolean,
  onRegistered: () => void,
) {
  const { data: countries } = useCountries()
  const { data: documents } = useConsentDocuments()
  const { data: captcha, refetch: newCaptcha } = useCaptcha(isCaptcha)
  const countryId = countryOf(countries ?? [], form.values.countryId)?.id ?? null
  return useSubmit({
    form,
    check: useRegistrationProblems(countries ?? [], isCaptcha),
    send: (values) => {
      const known = { countryId, captchaId: isCaptcha ? (captcha?.id ?? null) : null }
      return registerAccount({
        ...toRegistration(values),
        ...known,
        consentVersion: documents?.version ?? null,
      })
    },
    // That an account exists is shown at the field it was typed into.
    fields: { ...ERROR_FIELDS, accountTaken: accountField(form.values) },
    onDone: () => {
      rememberSentCode('register', null)
      queryClient.removeQueries({ queryKey: ['captcha'] })
      onRegistered()
    },
    onRejected: ({ reason }) => {
      if (reason === 'consentOutdated') {
        form.set({ terms: false, riskDisclosure: false })
        void refreshConsent()
      }
      // A captcha is valid for one attempt.
      if (isCaptcha && (reason === 'captchaWrong' || reason === 'accountTaken')) {
        form.set({ code: '' })
        void newCaptcha()
      }
      return false
    },
  })
}

const toRegistration = (
  values: RegisterValues,
): Omit<Registration, 'countryId' | 'captchaId' | 'consentVersion'> => ({
  contact: values.contact,
  account: accountOf(values),
  password: values.password,
  repeatedPassword: values.repeated,
  inviteCode: values.inviteCode.trim() || null,
  code: typedCode(values.code),
  hasConsented: values.terms && values.riskDisclosure,
})

type RegisterValues = ContactValues & NewPassword & Consents & { code: string; inviteCode: string }

/** An empty form, except for the link's invite code and the account that a code was sent to before a reload. */
function initialValues(contacts: readonly Contact[], inviteCode: string, now: number): RegisterValues {
  const sent = readSentCode('register', now)
  const isOffered = sent !== null && contacts.includes(sent.contact)
  const { contact, email, phone, countryId } = isOffered
    ? sent
    : { contact: contacts[0] ?? 'email', email: '', phone: '', countryId: null }
  return {
    contact,
    email,
    phone,
    countryId,
    inviteCode,
    code: '',
    password: '',
    repeated: '',
    terms: false,
    riskDisclosure: false,
  }
}

/** Validates the form before it is sent. */
function useRegistrationProblems(countries: readonly Country[], isCaptcha: boolean) {
  const t = useTranslations('auth')
  return (values: RegisterValues): Problems<RegisterValues> => {
    const country = countryOf(countries, values.countryId)
    return {
      ...(country?.isBlocked && { countryId: t('areaBlocked', { area: country.name }) }),
      ...accountProblems(values, t),
      ...(values.code.trim() === '' && { code: t(isCaptcha ? 'enterCaptcha' : 'enterCode') }),
      ...newPasswordProblems(values, t),
      ...(!values.terms && { terms: t('agreeFirst') }),
      ...(!values.riskDisclosure && { riskDisclosure: t('agreeFirst') }),
    }
  }
}

type CaptchaFieldProps = { value: string; problem: string | undefined; onChange: (text: string) => void }

/** The digits of a captcha picture, with a button for a new one, and a way without seeing it: the device calculates in its place. */
function CaptchaField({ value, problem, onChange }: CaptchaFieldProps) {
  const t = useTranslations('auth')
  const { data } = useCaptcha(true)
  const work = useCaptchaWork(data?.challenge, onChange)
  const isWorked = readWork(value) !== null
  const canWork = data !== undefined && data.challenge !== ''
  const press = () => {
    if (isWorked) onChange('')
    else if (!work.isPending) work.mutate()
  }
  return (
    <div className="flex flex-col items-start gap-1">
      {!isWorked && (
        <div className="self-stretch">
          <PictureDigits value={value} problem={problem} onChange={onChange} />
        </div>
      )}
      <p role="status" className="text-note text-second empty:hidden">
        {isWorked
          ? t('captchaWorked')
          : work.isPending
            ? t('captchaWorking')
            : work.isError && t('captchaWorkFailed')}
      </p>
      {/* Stays in its place, as it has the focus. */}
      {(isWorked || canWork) && (
        <TextButton aria-disabled={work.isPending} onClick={press}>
          {t(isWorked ? 'captchaUsePicture' : 'captchaUnseen')}
        </TextButton>
      )}
    </div>
  )
}

/** The calculation of a captcha; its result is the answer. */
function useCaptchaWork(challenge: string | undefined, onAnswer: (text: string) => void) {
  return useMutation({
    mutationFn: async () => {
      const { solveCaptcha } = await import('./captcha-work.ts')
      return solveCaptcha(challenge ?? '')
    },
    onSuccess: onAnswer,
  })
}

function PictureDigits({ value, problem, onChange }: CaptchaFieldProps) {
  const t = useTranslations('auth')
  const { data, isError, isFetching, refetch } = useCaptcha(true)
  return (
    <Field
      label={t('captcha')}
      hint={t('captchaHint')}
      problem={problem ?? (isError && !isFetching ? t('captchaFailed') : undefined)}
    >
      {(ids) => (
        <span className="flex flex-wrap items-center gap-2">
          <input
            {...ids}
            name="captcha"
            inputMode="numeric"
            autoComplete="off"
            dir="ltr"
            value={value}
            onChange={(event) => onChange(latinDigits(event.target.value))}
            className={`${controlClass} flex-[1_1_7rem] basis-28 tracking-widest`}
          />
          {data ? (
            <img src={data.image} alt={t('captchaPicture')} className="h-11 rounded-field bg-[white]" />
          ) : (
            <Skeleton shape="h-11 w-32" />
          )}
          <IconButton
            icon={RefreshCw}
            label={t('captchaNew')}
            disabled={isFetching}
            onClick={() => {
              onChange('')
              void refetch()
            }}
          />
        </span>
      )}
    </Field>
  )
}

type Consents = { terms: boolean; riskDisclosure: boolean }

const DOCUMENTS = ['terms', 'riskDisclosure'] as const

type ConsentFieldsProps = {
  values: Consents
  problems: Problems<Consents>
  onChange: (change: Partial<Consents>) => void
}

/** The two consents, each with a link to its document. */
function ConsentFields({ values, problems, onChange }: ConsentFieldsProps) {
  const t = useTranslations()
  const { data: documents, isError, refetch } = useConsentDocuments()
  const [open, setOpen] = useState<keyof Consents>('terms')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <fieldset>
      <legend className="sr-only">{t('auth.consents')}</legend>
      {DOCUMENTS.map((name) => (
        <Checkbox
          key={name}
          isChecked={values[name]}
          problem={problems[name]}
          onChange={(isChecked) => onChange({ [name]: isChecked })}
          action={
            <TextButton
              aria-haspopup="dialog"
              aria-label={t('auth.readNamed', { document: t(`auth.${name}`) })}
              onClick={() => {
                setOpen(name)
                setIsOpen(true)
              }}
            >
              {t('auth.read')}
            </TextButton>
          }
        >
          {t(`auth.${name}Agreed`)}
        </Checkbox>
      ))}
      <Sheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t(`auth.${open}`)}
        closeLabel={t('app.close')}
      >
        {documents ? (
          <>
            <p className="whitespace-pre-line">{documents[open]}</p>
            <p className="mt-4 text-note text-second">
              {withNames(t('auth.consentVersion', { version: asName(documents.version) }))}
            </p>
          </>
        ) : isError ? (
          <p>
            {t('auth.consentFailed')} <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
          </p>
        ) : (
          <p className="text-second">{t('app.loading')}</p>
        )}
      </Sheet>
    </fieldset>
  )
}
