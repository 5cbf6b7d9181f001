import type { ReactNode } from 'react'
import { classNames } from '@fairlot/ui/class-names.ts'

export type Step = {
  title: string
  /** When, by whom, in whose words. */
  note?: ReactNode
  /** `now` is what is awaited; exactly one step should be. */
  state: 'done' | 'now' | 'ahead'
}

const marks = {
  done: 'bg-brass border-brass',
  now: 'border-ink bg-surface border-[3px]',
  ahead: 'border-line bg-surface border-2',
}
const spoken = { done: 'done', now: 'awaited now', ahead: 'still to come' }

/** The road of a case from top to bottom: what has been done, what is awaited, what is still to come. */
export const Steps = ({ label, steps }: { label: string; steps: readonly Step[] }) => (
  <ol aria-label={label} className="flex flex-col">
    {steps.map(({ title, note, state }) => (
      <li
        key={title}
        aria-current={state === 'now' ? 'step' : undefined}
        className="group relative flex gap-3 pb-4"
      >
        <span
          aria-hidden
          className="absolute start-[5px] top-3 bottom-[-4px] w-px bg-line group-last:hidden"
        />
        <span
          aria-hidden
          className={classNames('relative mt-[5px] size-3 shrink-0 rounded-full border', marks[state])}
        />
        <div className="min-w-0">
          <p className="font-bold">
            {title}
            <span className="sr-only">, {spoken[state]}</span>
          </p>
          {note && <p className="text-note text-second">{note}</p>}
        </div>
      </li>
    ))}
  </ol>
)
