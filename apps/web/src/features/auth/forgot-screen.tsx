import type { Contact } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../live/requests/use-submit.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { CodeField } from './code-field.tsx'
import { ContactFields } from './contact-fields.tsx'
import { CONTACT_REFUSALS, accountOf, missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PASSWORD_REFUSALS, weakPassword } from './new-password.ts'
import type { NewPassword } from './new-password.ts'
import {
  contactsToFind,
  countryOf,
  setForgottenPassword,
  useCountries,
  useRegistrationMode,
} from './queries.ts'
import { keepSentCode, readSentCode } from './sent-code.ts'

type ForgotValues = ContactValues & NewPassword & { code: string }

const EMPTY = { email: '', phone: '', countryId: null } as const
const REFUSED = { ...CONTACT_REFUSALS, ...PASSWORD_REFUSALS, codeWrong: 'code' } as const

/** A new password for those who forgot it, by a code. */
export function ForgotScreen({ onDone }: { onDone: () => void }) {
  const t = useTranslations('auth')
  const mode = useRegistrationMode()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      <p className="text-body text-second">{t('forgotText')}</p>
      <Card>
        {mode.isFetched ? (
          <ForgotForm contacts={contactsToFind(mode.data)} onDone={onDone} />
        ) : (
          <Skeleton shape="h-96 w-full" />
        )}
      </Card>
    </div>
  )
}

function ForgotForm({ contacts, onDone }: { contacts: readonly Contact[]; onDone: () => void }) {
  const t = useTranslations('auth')
  const { data: areas } = useCountries()
  const form = useForm<ForgotValues>(() => {
    const first = { ...EMPTY, contact: contacts[0] ?? 'email' }
    const { contact, email, phone, countryId } = readSentCode('reset', Date.now()) ?? first
    return { ...{ contact, email, phone, countryId }, ...{ code: '', password: '', repeated: '' } }
  })
  const { values, problems, set } = form
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (typed) => ({
      ...missingAccount(typed, t),
      ...(typed.code.trim() === '' && { code: t('enterCode') }),
      ...weakPassword(typed, t),
    }),
    send: ({ contact, code, password, repeated, ...typed }) =>
      setForgottenPassword({
        ...{ contact, account: accountOf({ contact, ...typed }), code: code.trim() },
        countryId: contact === 'mobile' ? (countryOf(areas ?? [], typed.countryId)?.id ?? null) : null,
        ...{ newPassword: password, repeatedPassword: repeated },
      }),
    fields: REFUSED,
    onDone: () => {
      keepSentCode('reset', null)
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
