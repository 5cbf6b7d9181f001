import { useId } from 'react'
import type { ReactNode } from 'react'

type CheckboxProps = {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  /** The sentence that the user agrees to. */
  children: ReactNode
  /** A control beside the sentence, such as a link to the document. */
  action?: ReactNode
  problem?: string | null | undefined
}

/** A checkbox with a sentence to agree to; its target is 44 px high. */
export function Checkbox({ isChecked, onChange, children, action, problem }: CheckboxProps) {
  const noteId = useId()
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-3">
        <label className="flex min-h-11 flex-[1_1_12rem] items-center gap-3 text-note">
          <input
            type="checkbox"
            checked={isChecked}
            aria-invalid={Boolean(problem)}
            aria-describedby={noteId}
            onChange={(event) => onChange(event.target.checked)}
            className="size-5 shrink-0 accent-ink"
          />
          <span className="min-w-0">{children}</span>
        </label>
        {action}
      </div>
      <p id={noteId} role={problem ? 'alert' : undefined} className="text-note text-danger empty:hidden">
        {problem}
      </p>
    </div>
  )
}
