import type { Contact } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../live/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormFrame } from '../../ui/form-frame.tsx'
import { FormNote } from '../../ui/form-note.tsx'
import { showToast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { CodeField } from './code-field.tsx'
import { ContactFields } from './contact-fields.tsx'
import { CONTACT_REFUSALS, accountOf, missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PASSWORD_REFUSALS, weakPassword } from './new-password.ts'
import type { NewPassword } from './new-password.ts'
import { areaOf, setForgottenPassword, useAreas } from './queries.ts'
import { keepSentCode, readSentCode } from './sent-code.ts'

type ForgotValues = ContactValues & NewPassword & { code: string }

const EMPTY = { contact: 'email', email: '', phone: '', areaId: null } as const
const CONTACTS: readonly Contact[] = ['email', 'mobile']
const REFUSED = { ...CONTACT_REFUSALS, ...PASSWORD_REFUSALS, codeWrong: 'code' } as const

/** A new password for those who forgot it, by a code. */
export function ForgotScreen({ onDone }: { onDone: () => void }) {
  const t = useTranslations('session')
  const { data: areas } = useAreas()
  const form = useForm<ForgotValues>(() => {
    const { contact, email, phone, areaId } = readSentCode('reset', Date.now()) ?? EMPTY
    return { ...{ contact, email, phone, areaId }, ...{ code: '', password: '', repeated: '' } }
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
        areaId: contact === 'mobile' ? (areaOf(areas ?? [], typed.areaId)?.id ?? null) : null,
        ...{ newPassword: password, repeatedPassword: repeated },
      }),
    fields: REFUSED,
    onDone: () => {
      keepSentCode('reset', null)
      showToast({ text: t('passwordReset') })
      onDone()
    },
  })
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      <p className="text-body text-second">{t('forgotText')}</p>
      <Card>
        <FormFrame form={form} onSubmit={onSubmit}>
          <ContactFields contacts={CONTACTS} values={values} problems={problems} onChange={set} />
          <CodeField form={form} purpose="reset" />
          <NewPasswordFields label={t('newPassword')} values={values} problems={problems} onChange={set} />
          <FormNote text={form.note} />
          <Button type="submit" isWide isBusy={isBusy}>
            {t('setPassword')}
          </Button>
        </FormFrame>
      </Card>
    </div>
  )
}
