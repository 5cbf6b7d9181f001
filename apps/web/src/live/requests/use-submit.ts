import { CallError, isReason } from '@fairlot/contract'
import type { Failure, RefusalReason } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { useTranslations } from 'use-intl'
import type { Form, Problems } from '@fairlot/ui/use-form.ts'
import { failureText } from './failure-text.ts'

/** Which field of a form a refusal is about. */
export type RefusedFields<Values> = { readonly [Reason in RefusalReason]?: keyof Values }

/** Shows why a call failed: at the field it is about, else above the button. */
export function useRefusals<Values>(
  { refuse }: Form<Values>,
  fields: RefusedFields<Values>,
): (failure: Failure) => void {
  const t = useTranslations('app')
  return (failure) => {
    const text = failureText(failure, t)
    if (text === null) return
    const field = isReason(failure.reason) ? fields[failure.reason] : undefined
    if (field === undefined) return refuse({}, text)
    // Widened on its way: TypeScript does not take a computed name of a generic type.
    refuse({ [field]: text } as Problems<Values>)
  }
}

type Submission<Values, Answer> = {
  readonly form: Form<Values>
  /** What can be said before anything is sent. */
  readonly check: (values: Values) => Problems<Values>
  /** A silent call: what went wrong is shown in the form. */
  readonly send: (values: Values) => Promise<Answer>
  readonly fields: RefusedFields<Values>
  readonly onDone: (answer: Answer) => void
  /** Hears a failure before it is shown; true: it is no failure but the next step. */
  readonly onRefused?: (failure: Failure) => boolean
}

/** Sends a form once at a time. A refused one keeps everything that was typed. */
export function useSubmit<Values, Answer>(submission: Submission<Values, Answer>) {
  const { form, check, send, fields, onDone, onRefused } = submission
  const show = useRefusals(form, fields)
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error) => {
      if (!(error instanceof CallError)) throw error
      if (!onRefused?.(error.failure)) show(error.failure)
    },
  })
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isPending) return
    const problems = check(form.values)
    form.refuse(problems)
    if (Object.values(problems).every((problem) => problem === undefined)) mutate(form.values)
  }
  return { onSubmit, isBusy: isPending }
}
