import { useId } from 'react'
import type { ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'

export type SegmentedOption<Value extends string> = { value: Value; label: ReactNode }

type SegmentedProps<Value extends string> = {
  /** The name of the group, for screen readers. */
  label: string
  options: readonly SegmentedOption<Value>[]
  /** Null while none is selected. */
  value: Value | null
  onChange: (value: Value) => void
  /** The background of the track: `page` on a card, `surface` on the page. */
  track?: 'page' | 'surface' | 'none'
}

const tracks = { page: 'bg-page', surface: 'bg-surface', none: '' }

/** One of a few options, side by side. Real radio buttons, so arrow keys work. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const name = useId()
  const track = props.track ?? 'page'
  return (
    <div
      role="radiogroup"
      aria-label={props.label}
      className={classNames('flex w-full flex-wrap rounded-button p-1', tracks[track])}
    >
      {props.options.map((option) => (
        <label key={option.value} className="relative min-w-fit flex-1">
          <input
            type="radio"
            name={name}
            className="peer pointer-events-none absolute inset-0 appearance-none opacity-0"
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          <span
            className={classNames(
              'flex min-h-9 items-center justify-center rounded-field px-2 text-center text-note font-medium text-second transition-colors peer-checked:font-bold peer-checked:text-ink peer-focus-visible:outline-2 peer-focus-visible:outline-brass',
              track === 'surface' ? 'peer-checked:bg-page' : 'peer-checked:bg-surface',
            )}
          >
            {option.label}
          </span>
        </label>
      ))}
    </div>
  )
}
