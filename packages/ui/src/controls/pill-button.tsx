import type { ComponentProps } from 'react'

type PillButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  /** Waiting for an answer: not clickable, and announced to screen readers. */
  isBusy?: boolean
}

/** A button within a row of a list. The visible pill is 32 px high, the target 44. */
export const PillButton = ({ isBusy = false, disabled, children, ...rest }: PillButtonProps) => (
  <button
    type="button"
    {...rest}
    disabled={disabled || isBusy}
    aria-busy={isBusy}
    className="group flex min-h-11 items-center transition-[scale] select-none active:not-disabled:scale-[0.97] disabled:opacity-45"
  >
    <span className="min-w-16 rounded-chip px-3 py-1.5 text-center text-note font-medium whitespace-nowrap ring-1 ring-line ring-inset group-hover:ring-second">
      {children}
    </span>
  </button>
)
