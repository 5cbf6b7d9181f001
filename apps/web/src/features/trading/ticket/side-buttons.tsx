import type { Side } from '@fairlot/core'
import { BigFigure, type FigureParts } from '@fairlot/ui/big-figure.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'

export type SideButtonContent = {
  readonly label: string
  /** Said in place of label and price: side, size and price in one sentence. */
  readonly spoken: string
  readonly price: FigureParts | null
  readonly isDisabled: boolean
  readonly isBusy: boolean
}

type SideButtonsProps = {
  sell: SideButtonContent
  buy: SideButtonContent
  /** Written between the two; null hides it. */
  spread: { text: string; spoken: string } | null
  /** Prices that may not be filled at any more. */
  isStale: boolean
  onPress: (side: Side) => void
}

/** The two acts of a ticket, each with its own price, and what lies between them. */
export const SideButtons = ({ sell, buy, spread, isStale, onPress }: SideButtonsProps) => (
  <div className="relative grid grid-cols-2 gap-2">
    <SideButton side="sell" content={sell} isStale={isStale} onPress={onPress} />
    <SideButton side="buy" content={buy} isStale={isStale} onPress={onPress} />
    {spread && (
      <span
        title={spread.spoken}
        className="pointer-events-none absolute inset-0 m-auto h-fit w-fit min-w-8 rounded-[9px] bg-surface px-1.5 py-1 text-center text-tiny font-bold text-second"
      >
        <bdi dir="ltr">{spread.text}</bdi>
      </span>
    )}
  </div>
)

type SideButtonProps = {
  side: Side
  content: SideButtonContent
  isStale: boolean
  onPress: (side: Side) => void
}

const tones = { buy: 'bg-up', sell: 'bg-down' }

const SideButton = ({ side, content, isStale, onPress }: SideButtonProps) => (
  <button
    type="button"
    aria-busy={content.isBusy}
    disabled={content.isDisabled}
    onClick={() => onPress(side)}
    className={classNames(
      'flex min-h-[3.75rem] min-w-0 flex-col items-center justify-center rounded-button px-4 py-1.5 text-on-signal transition-[scale,opacity] select-none active:not-disabled:scale-[0.98]',
      tones[side],
      content.isDisabled && 'opacity-45',
      content.isBusy && 'animate-pulse',
    )}
  >
    <span className="sr-only">{content.spoken}</span>
    <span aria-hidden className="max-w-full truncate text-note font-bold">
      {content.label}
    </span>
    <span aria-hidden className={classNames('leading-6', isStale && 'opacity-70')}>
      {content.price ? <BigFigure parts={content.price} size="button" /> : '–'}
    </span>
  </button>
)
