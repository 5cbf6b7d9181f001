import { useEffect, useRef } from 'react'
import type { ReactNode, SubmitEventHandler } from 'react'

type FormFrameProps = {
  /** Counts refusals: after each the first field that is marked wrong takes the focus. */
  form: { readonly refused: number }
  onSubmit: SubmitEventHandler
  children: ReactNode
}

const WRONG = '[aria-invalid="true"], [data-invalid="true"]'

/** The fields of a form one below the other. */
export function FormFrame({ form: { refused }, onSubmit, children }: FormFrameProps) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refused > 0) element.current?.querySelector<HTMLElement>(WRONG)?.focus()
  }, [refused])
  return (
    <form ref={element} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
    </form>
  )
}
