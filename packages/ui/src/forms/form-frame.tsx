import { type ReactNode, type SubmitEventHandler, useEffect, useRef } from 'react'
import { CircleAlert } from 'lucide-react'
import { Icon } from '../graphics/icon.tsx'
import { withNames } from '../figures/names.tsx'

type FormFrameProps = {
  /** The form's id, for a submit button outside of it. */
  id?: string
  /** Counts failed submissions: after each, the first invalid field gets the focus. */
  form: { readonly rejections: number }
  onSubmit: SubmitEventHandler
  children: ReactNode
}

const INVALID = '[aria-invalid="true"], [data-invalid="true"]'

/** A form whose fields are stacked. */
export function FormFrame({ id, form: { rejections }, onSubmit, children }: FormFrameProps) {
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (rejections > 0) element.current?.querySelector<HTMLElement>(INVALID)?.focus()
  }, [rejections])
  return (
    <form ref={element} id={id} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      {children}
    </form>
  )
}

/** A problem with the form as a whole, above the submit button. */
export const FormNote = ({ text }: { text: string | null }) => (
  <div role="alert" className="empty:hidden">
    {text !== null && (
      <p className="flex gap-2 rounded-field bg-danger-tint p-3 text-note text-ink">
        <span className="text-danger">
          <Icon of={CircleAlert} />
        </span>
        <span className="min-w-0">{withNames(text)}</span>
      </p>
    )}
  </div>
)
