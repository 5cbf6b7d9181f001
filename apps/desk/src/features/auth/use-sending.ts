import type { Form, Problems } from '@fairlot/ui/use-form.ts'
import { useState, type SubmitEvent } from 'react'
import { reasonOf, refusalText } from '../../live/request.ts'

type Sending<Values> = {
  form: Form<Values>
  /** What is wrong before it is sent. */
  check?: () => Problems<Values>
  send: () => Promise<unknown>
  /** Which field a refusal is about; without one it stands above the button. */
  fieldOf?: (reason: string) => keyof Values | undefined
  /** Called first with the reason; true when it has dealt with it. */
  onRefused?: (reason: string) => boolean
}

/** Sends a form of the gate and says at its fields why it was refused. */
export function useSending<Values extends object>({
  form,
  check,
  send,
  fieldOf,
  onRefused,
}: Sending<Values>) {
  const [isBusy, setIsBusy] = useState(false)
  const refused = (error: unknown) => {
    const reason = reasonOf(error) ?? ''
    if (onRefused?.(reason)) return
    const text = refusalText(error) ?? undefined
    const field = fieldOf?.(reason)
    form.refuse(field ? ({ [field]: text } as Problems<Values>) : {}, field ? null : (text ?? null))
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const problems = check?.() ?? {}
    if (Object.keys(problems).length > 0) return form.refuse(problems)
    setIsBusy(true)
    void send()
      .catch(refused)
      .finally(() => setIsBusy(false))
  }
  return { onSubmit, isBusy }
}
