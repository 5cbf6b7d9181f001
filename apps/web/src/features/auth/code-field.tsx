import { CallError, CODE_DIGITS } from '@fairlot/contract'
import type { CodePurpose } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useEverySecond } from '../../live/market/market-clock.ts'
import { useRefusals } from '../../live/requests/use-submit.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { controlClass, Field } from '@fairlot/ui/field.tsx'
import type { Form } from '@fairlot/ui/use-form.ts'
import { accountOf, CONTACT_REFUSALS, missingAccount } from './contact-values.ts'
import type { ContactValues } from './contact-values.ts'
import { countryOf, sendCode, useCountries } from './queries.ts'
import { keepSentCode, readSentCode, secondsLeft } from './sent-code.ts'

type CodeFieldProps = { form: Form<ContactValues & { code: string }>; purpose: CodePurpose }

/** A code by e-mail or SMS, and the button that asks for it: once a minute. */
export function CodeField({ form, purpose }: CodeFieldProps) {
  const t = useTranslations('auth')
  const input = useRef<HTMLInputElement>(null)
  const { isPending, left, isSent, send } = useSending({ form, purpose }, () => input.current?.focus())
  const { values, problems } = form
  return (
    <Field
      label={t('code')}
      problem={problems.code}
      hint={isSent ? t('codeSent', { to: accountOf(values) }) : t('codeHint', { contact: values.contact })}
    >
      {(ids) => (
        <span className="flex flex-wrap gap-2">
          <input
            {...ids}
            ref={input}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_DIGITS}
            dir="ltr"
            value={values.code}
            onChange={(event) => form.set({ code: event.target.value })}
            className={`${controlClass} flex-[1_1_7rem] basis-28 tracking-widest`}
          />
          <Button tone="outline" size="small" isBusy={isPending} disabled={left > 0} onClick={send}>
            {left > 0 ? t('codeAgainIn', { seconds: left }) : t(isSent ? 'codeAgain' : 'sendCode')}
          </Button>
        </span>
      )}
    </Field>
  )
}

function useSending({ form, purpose }: CodeFieldProps, onSent: () => void) {
  const t = useTranslations('auth')
  const show = useRefusals(form, CONTACT_REFUSALS)
  const { data: areas } = useCountries()
  const [sent, setSent] = useState(() => readSentCode(purpose, Date.now()))
  const { values } = form
  const area = countryOf(areas ?? [], values.countryId)
  const left = useEverySecond(() => secondsLeft(sent, values, Date.now()))
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      sendCode({ contact: values.contact, to: accountOf(values), countryId: area?.id ?? null }, purpose),
    onSuccess: () => {
      const { contact, email, phone, countryId } = values
      const now = { contact, email, phone, countryId, sentAt: Date.now() }
      keepSentCode(purpose, now)
      setSent(now)
      onSent()
    },
    onError: (error) => error instanceof CallError && show(error.failure),
  })
  const send = () => {
    const missing = missingAccount(values, t)
    form.refuse(missing)
    if (Object.keys(missing).length === 0) mutate()
  }
  const isSent = sent !== null && sent.contact === values.contact && accountOf(sent) === accountOf(values)
  return { isPending, left, isSent, send }
}
