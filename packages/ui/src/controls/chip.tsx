import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from '../theme/class-names.ts'

type ChipProps = {
  children: ReactNode
  isSelected: boolean
  onSelect: () => void
  /** Whether it is selected: in a row with arrow keys, only the selected chip is a tab stop. */
  isOneOfRow?: boolean
}

/** One choice in a row of filters. The visible pill is 36 px, the target 44. */
export const Chip = ({ children, isSelected, onSelect, isOneOfRow = false }: ChipProps) => (
  <button
    type="button"
    aria-pressed={isSelected}
    tabIndex={isOneOfRow && !isSelected ? -1 : 0}
    onClick={onSelect}
    className="group flex min-h-11 shrink-0 items-center"
  >
    <span
      className={classNames(
        'rounded-chip px-3.5 py-2 text-note font-medium whitespace-nowrap transition-colors',
        isSelected ? 'bg-ink text-on-ink' : 'text-second ring-1 ring-line ring-inset group-hover:text-ink',
      )}
    >
      {children}
    </span>
  </button>
)

/** Moves the focus to the previous, next, first or last chip. */
function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const chips = [...event.currentTarget.querySelectorAll('button')]
  const at = chips.findIndex((chip) => chip === document.activeElement)
  const isRightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
  const next = {
    ArrowRight: at + (isRightToLeft ? -1 : 1),
    ArrowLeft: at + (isRightToLeft ? 1 : -1),
    Home: 0,
    End: chips.length - 1,
  }[event.key]
  if (next === undefined || at < 0) return
  event.preventDefault()
  chips[next]?.focus()
}

const byArrows = { onKeyDown: moveInRow }

/** A row of chips that scrolls sideways to the screen's edges; arrow keys move along it. */
export const ChipRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <div
    role="group"
    aria-label={label}
    {...byArrows}
    className="no-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4"
  >
    {children}
  </div>
)
