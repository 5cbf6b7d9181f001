import { type ReactNode, type SubmitEventHandler, useEffect, useRef } from 'react'
import { CircleAlert } from 'lucide-react'
import { Icon } from './icon.tsx'

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

/** What is wrong with a form as a whole, above the button that was refused. */
export const FormNote = ({ text }: { text: string | null }) => (
  <div role="alert" className="empty:hidden">
    {text !== null && (
      <p className="flex gap-2 rounded-field bg-danger-tint p-3 text-note text-ink">
        <span className="text-danger">
          <Icon of={CircleAlert} />
        </span>
        <span className="min-w-0">{text}</span>
      </p>
    )}
  </div>
)
