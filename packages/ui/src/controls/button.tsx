import type { ComponentProps } from 'react'
import { classNames } from '../theme/class-names.ts'
import { withNames } from '../figures/names.tsx'

export type ButtonTone = 'ink' | 'outline' | 'quiet' | 'up' | 'down' | 'danger'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  tone?: ButtonTone
  /** `medium` is 48 px high, `small` 44 px, `large` 56 px. */
  size?: 'small' | 'medium' | 'large'
  /** Fills the width it is given. */
  isWide?: boolean
  /** Waiting for an answer: not clickable, keeps its width, and is announced to screen readers. */
  isBusy?: boolean
}

const tones: Record<ButtonTone, string> = {
  ink: 'bg-ink text-on-ink',
  outline: 'bg-surface text-ink ring-1 ring-inset ring-line',
  quiet: 'bg-transparent text-ink',
  up: 'bg-up text-on-signal',
  down: 'bg-down text-on-signal',
  danger: 'bg-danger text-on-signal',
}

const sizes = { small: 'min-h-11 px-4', medium: 'min-h-12 px-4', large: 'min-h-14 px-5' }

/** The classes of a button, for a link that looks like one. */
export const buttonClass = (
  tone: ButtonTone = 'ink',
  size: keyof typeof sizes = 'medium',
  isWide = false,
): string =>
  classNames(
    'relative inline-flex items-center justify-center gap-2 rounded-button py-2 text-center text-body font-bold transition-[scale,opacity] select-none active:not-disabled:scale-[0.98] disabled:opacity-45',
    tones[tone],
    sizes[size],
    isWide && 'w-full',
  )

export function Button({ tone, size, isWide, isBusy = false, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
      className={buttonClass(tone, size, isWide)}
    >
      {/* Transparent, but not hidden: screen readers still announce the label. */}
      <span className={classNames('inline-flex items-center gap-2', isBusy && 'opacity-0')}>
        {/* In an element of its own: each part of a text would be an item of the row. */}
        {typeof children === 'string' ? <span>{withNames(children)}</span> : children}
      </span>
      {isBusy && (
        <span className="absolute size-4 animate-spin rounded-full border-2 border-current border-e-transparent" />
      )}
    </button>
  )
}
