import { useId } from 'react'
import type { ReactNode } from 'react'

type CheckboxProps = {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  /** The sentence that is agreed to. */
  children: ReactNode
  /** An act beside the sentence, such as reading what it is about. */
  action?: ReactNode
  problem?: string | null | undefined
}

/** A sentence to agree to, with a target of 44 px. */
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
