import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError, CODE_COUNTDOWN_S, CODE_DIGITS, type CodePurpose } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { controlClass, Field } from '@fairlot/ui/forms/field.tsx'
import { latinDigits } from '@fairlot/core/decimal'
import type { Form } from '@fairlot/ui/forms/use-form.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { readVisit, writeVisit } from '../../live/device/storage.ts'
import { useEverySecond } from '../../live/market/market-clock.ts'
import { useRejections } from '../../live/requests/use-submit.ts'
import { accountOf, accountProblems, CONTACT_ERROR_FIELDS, type ContactValues } from './contact-fields.tsx'
import { countryOf, sendCode, useCountries } from './queries.ts'

/** The digits of a code as it is typed or pasted, with spaces, hyphens or words around it. */
const digitsIn = (text: string): string => latinDigits(text).replace(/\D/g, '').slice(0, CODE_DIGITS)

type CodeFieldProps = { form: Form<ContactValues & { code: string }>; purpose: CodePurpose }

/** The field for a code sent by e-mail or SMS, and the button that sends one, at most once a minute. */
export function CodeField({ form, purpose }: CodeFieldProps) {
  const t = useTranslations('auth')
  const input = useRef<HTMLInputElement>(null)
  const { isPending, left, isSent, send } = useSendCode({ form, purpose }, () => input.current?.focus())
  const { values, problems } = form
  return (
    <Field
      label={t('code')}
      problem={problems.code}
      hint={
        isSent ? t('codeSent', { to: asName(accountOf(values)) }) : t('codeHint', { contact: values.contact })
      }
    >
      {(ids) => (
        <span className="flex flex-wrap gap-2">
          <input
            {...ids}
            ref={input}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            value={values.code}
            onChange={(event) => form.set({ code: digitsIn(event.target.value) })}
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

function useSendCode({ form, purpose }: CodeFieldProps, onSent: () => void) {
  const t = useTranslations('auth')
  const show = useRejections(form, CONTACT_ERROR_FIELDS)
  const { data: countries } = useCountries()
  const [sent, setSent] = useState(() => readSentCode(purpose, Date.now()))
  const { values } = form
  const country = countryOf(countries ?? [], values.countryId)
  const left = useEverySecond(() => secondsLeft(sent, Date.now()))
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      sendCode({ contact: values.contact, to: accountOf(values), countryId: country?.id ?? null }, purpose),
    onSuccess: () => {
      const { contact, email, phone, countryId } = values
      const now = { contact, email, phone, countryId, sentAt: Date.now() }
      rememberSentCode(purpose, now)
      setSent(now)
      onSent()
    },
    onError: (error) => error instanceof CallError && show(error.failure),
  })
  const send = () => {
    const problems = accountProblems(values, t)
    form.reject(problems)
    if (Object.keys(problems).length === 0) mutate()
  }
  const isSent = sent !== null && sent.contact === values.contact && accountOf(sent) === accountOf(values)
  return { isPending, left, isSent, send }
}

/** The account a code was sent to, kept for this visit so that a reload loses neither the countdown nor the account. */
type SentCode = ContactValues & { readonly sentAt: number }

/** How long the server accepts a code. */
const CODE_LIFETIME_MS = 600_000

const nameOf = (purpose: CodePurpose): string => `code.${purpose}`

const isSentCode = (value: unknown): value is SentCode =>
  typeof value === 'object' && value !== null && 'sentAt' in value && typeof value.sentAt === 'number'

/** The last code sent in this visit while it is still valid; null when there is none. `now` is epoch ms. */
export function readSentCode(purpose: CodePurpose, now: number): SentCode | null {
  const kept = readVisit(nameOf(purpose))
  return isSentCode(kept) && now - kept.sentAt < CODE_LIFETIME_MS ? kept : null
}

export const rememberSentCode = (purpose: CodePurpose, sent: SentCode | null): void =>
  writeVisit(nameOf(purpose), sent)

/** Seconds until another code may be requested, for whatever account; 0 when it may be. `now` is epoch ms. */
export function secondsLeft(sent: Pick<SentCode, 'sentAt'> | null, now: number): number {
  if (sent === null) return 0
  const left = Math.ceil(CODE_COUNTDOWN_S - (now - sent.sentAt) / 1000)
  return Math.min(Math.max(left, 0), CODE_COUNTDOWN_S)
}
