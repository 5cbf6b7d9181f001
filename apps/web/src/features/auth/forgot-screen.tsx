import { useTranslations } from 'use-intl'
import type { Contact } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useForm } from '@fairlot/ui/forms/use-form.ts'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { CodeField, readSentCode, rememberSentCode } from './code-field.tsx'
import {
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
import {
  loginContacts,
  countryOf,
  setForgottenPassword,
  useCountries,
  useRegistrationMode,
} from './queries.ts'

type ForgotValues = ContactValues & NewPassword & { code: string }

const EMPTY = { email: '', phone: '', countryId: null } as const
const ERROR_FIELDS = { ...CONTACT_ERROR_FIELDS, ...PASSWORD_ERROR_FIELDS, codeWrong: 'code' } as const

/** Sets a new password with a code sent to the user's contact. */
export function ForgotScreen({ onDone }: { onDone: () => void }) {
  const t = useTranslations('auth')
  const mode = useRegistrationMode()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      <p className="text-body text-second">{t('forgotText')}</p>
      <Card>
        {mode.isFetched ? (
          <ForgotForm contacts={loginContacts(mode.data)} onDone={onDone} />
        ) : (
          <Skeleton shape="h-96 w-full" />
        )}
      </Card>
    </div>
  )
}

function ForgotForm({ contacts, onDone }: { contacts: readonly Contact[]; onDone: () => void }) {
  const t = useTranslations('auth')
  const { data: countries } = useCountries()
  const form = useForm<ForgotValues>(() => {
    const first = { ...EMPTY, contact: contacts[0] ?? 'email' }
    const { contact, email, phone, countryId } = readSentCode('reset', Date.now()) ?? first
    return {
      contact,
      email,
      phone,
      countryId,
      code: '',
      password: '',
      repeated: '',
    }
  })
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (typed) => ({
      ...accountProblems(typed, t),
      ...(typed.code.trim() === '' && { code: t('enterCode') }),
      ...newPasswordProblems(typed, t),
    }),
    send: ({ contact, code, password, repeated, ...typed }) =>
      setForgottenPassword({
        contact,
        account: accountOf({ contact, ...typed }),
        code: code.trim(),
        countryId: contact === 'mobile' ? (countryOf(countries ?? [], typed.countryId)?.id ?? null) : null,
        newPassword: password,
        repeatedPassword: repeated,
      }),
    fields: ERROR_FIELDS,
    onDone: () => {
      rememberSentCode('reset', null)
      onDone()
    },
  })
  return (
    <FormFrame form={form} onSubmit={onSubmit}>
      <ContactFields contacts={contacts} values={values} problems={problems} onChange={set} />
      <CodeField form={form} purpose="reset" />
      <NewPasswordFields label={t('newPassword')} values={values} problems={problems} onChange={set} />
      <FormNote text={form.note} />
      <Button type="submit" isWide isBusy={isBusy}>
        {t('setPassword')}
      </Button>
    </FormFrame>
  )
}
