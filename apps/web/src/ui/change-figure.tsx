import { classNames } from './class-names.ts'

export type Direction = 'up' | 'down' | 'flat'

const colours = { up: 'text-up', down: 'text-down', flat: 'text-second' }

const Arrow = ({ direction }: { direction: 'up' | 'down' }) => (
  <svg aria-hidden viewBox="0 0 8 6" className="inline-block h-[0.42em] w-[0.56em] shrink-0 fill-current">
    <path d={direction === 'up' ? 'M4 0 8 6H0Z' : 'M0 0h8L4 6Z'} />
  </svg>
)

type ChangeFigureProps = { direction: Direction; text: string; hasArrow?: boolean }

/** A signed figure in its colour, with an arrow: never told by colour alone. The text carries its own sign. */
export const ChangeFigure = ({ direction, text, hasArrow = true }: ChangeFigureProps) => (
  <bdi
    dir="ltr"
    className={classNames(
      'inline-flex items-center gap-[0.25em] font-bold whitespace-nowrap',
      colours[direction],
    )}
  >
    {hasArrow && direction !== 'flat' && <Arrow direction={direction} />}
    {text}
  </bdi>
)
