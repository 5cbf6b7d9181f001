import { classNames } from './class-names.ts'

export type Direction = 'up' | 'down' | 'flat'

const colours = { up: 'text-up', down: 'text-down', flat: 'text-second' }

const Arrow = ({ direction }: { direction: 'up' | 'down' }) => (
  <svg
    aria-hidden
    viewBox="0 0 8 6"
    className="me-[0.25em] inline-block h-[0.42em] w-[0.56em] shrink-0 fill-current align-[0.08em]"
  >
    <path d={direction === 'up' ? 'M4 0 8 6H0Z' : 'M0 0h8L4 6Z'} />
  </svg>
)

type ChangeFigureProps = {
  direction: Direction
  /** Carries its own sign. */
  text: string
  /** Last digits that are set small. */
  rest?: string
  hasArrow?: boolean
}

/** A signed figure in its colour, with an arrow: never told by colour alone. */
export const ChangeFigure = ({ direction, text, rest, hasArrow = true }: ChangeFigureProps) => (
  <bdi dir="ltr" className={classNames('font-bold whitespace-nowrap', colours[direction])}>
    {hasArrow && direction !== 'flat' && <Arrow direction={direction} />}
    {text}
    {rest && <span className="text-[0.72em] font-medium">{rest}</span>}
  </bdi>
)
