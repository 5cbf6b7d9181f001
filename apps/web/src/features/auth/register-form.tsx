import type { Registration } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { queryClient } from '../../live/requests/query-client.ts'
import { registerAccount } from '../../live/auth/session.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { CaptchaField } from './captcha-field.tsx'
import { CodeField } from './code-field.tsx'
import { ConsentFields } from './consent-fields.tsx'
import { ContactFields } from './contact-fields.tsx'
import { accountField, accountOf, CONTACT_REFUSALS } from './contact-values.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PASSWORD_REFUSALS } from './new-password.ts'
import {
  countryOf,
  contactsOf,
  refreshConsent,
  useCountries,
  useCaptcha,
  useConsentDocuments,
} from './queries.ts'
import type { RegistrationMode } from './queries.ts'
import { firstValues, useRegisterCheck } from './register-values.ts'
import type { RegisterValues } from './register-values.ts'
import { keepSentCode } from './sent-code.ts'

const REFUSED = {
  ...CONTACT_REFUSALS,
  ...PASSWORD_REFUSALS,
  codeWrong: 'code',
  captchaWrong: 'code',
  inviteCodeUnknown: 'inviteCode',
  consentMissing: 'terms',
  consentOutdated: 'terms',
} as const

type RegisterFormProps = {
  mode: RegistrationMode
  /** A picture is to be read instead of a code that is sent. */
  isCaptcha: boolean
  inviteCode: string
  onRegistered: () => void
}

/** Everything that a real account needs. */
export function RegisterForm({ mode, isCaptcha, inviteCode, onRegistered }: RegisterFormProps) {
  const t = useTranslations('auth')
  const contacts = contactsOf(mode)
  const form = useForm<RegisterValues>(() => firstValues(contacts, inviteCode, Date.now()))
  const { onSubmit, isBusy } = useRegistering(form, isCaptcha, onRegistered)
  const { values, problems, set } = form
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <ContactFields asksHome contacts={contacts} values={values} problems={problems} onChange={set} />
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

function useRegistering(
  form: ReturnType<typeof useForm<RegisterValues>>,
  isCaptcha: boolean,
  onRegistered: () => void,
) {
  const { data: areas } = useCountries()
  const { data: documents } = useConsentDocuments()
  const { data: captcha, refetch: newCaptcha } = useCaptcha(isCaptcha)
  const countryId = countryOf(areas ?? [], form.values.countryId)?.id ?? null
  return useSubmit({
    form,
    check: useRegisterCheck(areas ?? [], isCaptcha),
    send: (values) => {
      const known = { countryId, captchaId: isCaptcha ? (captcha?.id ?? null) : null }
      return registerAccount({
        ...toRegistration(values),
        ...known,
        consentVersion: documents?.version ?? null,
      })
    },
    // An account that exists is named at the field it was typed into.
    fields: { ...REFUSED, accountTaken: accountField(form.values) },
    onDone: () => {
      keepSentCode('register', null)
      queryClient.removeQueries({ queryKey: ['captcha'] })
      onRegistered()
    },
    onRefused: ({ reason }) => {
      if (reason === 'consentOutdated') {
        form.set({ terms: false, riskDisclosure: false })
        void refreshConsent()
      }
      // A picture is good for one answer, right or wrong.
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
  code: values.code.trim(),
  hasConsented: values.terms && values.riskDisclosure,
})
