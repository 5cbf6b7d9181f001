import { writeText } from './big-figure.tsx'

export type Direction = 'up' | 'down' | 'flat'

const Arrow = () => (
  <svg
    aria-hidden
    viewBox="0 0 8 6"
    className="me-[0.25em] inline-block h-[0.42em] w-[0.56em] shrink-0 fill-current align-[0.08em] group-data-[direction=down]/change:rotate-180 group-data-[direction=flat]/change:hidden"
  >
    <path d="M4 0 8 6H0Z" />
  </svg>
)

type ChangeFigureProps = {
  direction: Direction
  /** Includes the sign. */
  text: string
  /** The last digits, shown smaller. */
  rest?: string
  hasArrow?: boolean
}

/** A signed figure in the colour of its direction, with an arrow: colour alone never carries the sign. */
export const ChangeFigure = ({ direction, text, rest, hasArrow = true }: ChangeFigureProps) => (
  <bdi
    dir="ltr"
    translate="no"
    data-direction={direction}
    className="group/change font-bold whitespace-nowrap text-second data-[direction=down]:text-down data-[direction=up]:text-up"
  >
    {hasArrow && <Arrow />}
    <span>{text}</span>
    {rest && <span className="text-[max(0.72em,0.75rem)] font-medium">{rest}</span>}
  </bdi>
)

/** Writes another figure into the ChangeFigure inside `box`, without rendering. */
export function writeChangeFigure(box: HTMLElement | null, direction: Direction, text: string): void {
  const figure = box?.firstElementChild
  if (!(figure instanceof HTMLElement)) return
  if (figure.dataset['direction'] !== direction) figure.dataset['direction'] = direction
  writeText(figure.querySelector('span'), text)
}
