import { CallError, isReason } from '@fairlot/contract'
import type { Failure, RefusalReason } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { useTranslations } from 'use-intl'
import type { Form, Problems } from '@fairlot/ui/forms/use-form.ts'
import { failureText } from './request.ts'

/** The form field of each reason of a rejection. */
export type RejectedFields<Values> = { readonly [Reason in RefusalReason]?: keyof Values }

/** The form field of each field on the wire, for reasons that any of them may have. */
type WireFields<Values> = Readonly<Record<string, keyof Values>>

/** Shows why a call failed: at its field, else above the button. */
export function useRejections<Values>(
  { reject }: Form<Values>,
  fields: RejectedFields<Values>,
  wireFields: WireFields<Values> = {},
): (failure: Failure) => void {
  const t = useTranslations('app')
  return (failure) => {
    const text = failureText(failure, t)
    if (text === null) return
    const ofReason = isReason(failure.reason) ? fields[failure.reason] : undefined
    const field = ofReason ?? wireFields[failure.details.field ?? '']
    if (field === undefined) return reject({}, text)
    // TypeScript does not infer a computed key of a generic type.
    reject({ [field]: text } as Problems<Values>)
  }
}

type Submission<Values, Answer> = {
  readonly form: Form<Values>
  /** Validation before anything is sent. */
  readonly check: (values: Values) => Problems<Values>
  /** A silent call: the form shows its errors. */
  readonly send: (values: Values) => Promise<Answer>
  readonly fields: RejectedFields<Values>
  readonly wireFields?: WireFields<Values>
  readonly onDone: (answer: Answer) => void
  /** Called before a failure is shown; true means that it is the next step and not a failure. */
  readonly onRejected?: (failure: Failure) => boolean
}

/** Sends a form, one request at a time. A rejected form keeps its input. */
export function useSubmit<Values, Answer>(submission: Submission<Values, Answer>) {
  const { form, check, send, fields, wireFields, onDone, onRejected } = submission
  const show = useRejections(form, fields, wireFields)
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error) => {
      if (!(error instanceof CallError)) throw error
      if (!onRejected?.(error.failure)) show(error.failure)
    },
  })
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (isPending) return
    const problems = check(form.values)
    form.reject(problems)
    if (Object.values(problems).every((problem) => problem === undefined)) mutate(form.values)
  }
  return { onSubmit, isBusy: isPending }
}
