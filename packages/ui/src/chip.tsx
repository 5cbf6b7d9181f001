import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type ChipProps = { children: ReactNode; isSelected: boolean; onSelect: () => void }

/** One choice in a row of filters. The visible pill is 36 px, the target 44. */
export const Chip = ({ children, isSelected, onSelect }: ChipProps) => (
  <button
    type="button"
    aria-pressed={isSelected}
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

/** A row of chips that scrolls sideways and bleeds to the screen's edges. */
export const ChipRow = ({ label, children }: { label: string; children: ReactNode }) => (
  <div role="group" aria-label={label} className="no-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4">
    {children}
  </div>
)
