import { classNames } from './class-names.ts'

/** A figure cut for the eye: the still part, the digits that move, and a small raised last one. */
export type FigureParts = { lead: string; bold: string; raised: string }

type BigFigureProps = { parts: FigureParts; size?: 'row' | 'button' | 'title' | 'price' }

const sizes = {
  row: 'text-body',
  button: 'text-title',
  title: 'text-figure',
  price: 'text-price tracking-tight',
}

/** Always read left to right, also inside right-to-left text. */
export const BigFigure = ({ parts, size = 'row' }: BigFigureProps) => (
  <bdi dir="ltr" className={classNames('inline-flex items-baseline whitespace-nowrap', sizes[size])}>
    <span className="font-normal">{parts.lead}</span>
    <span className="font-bold">{parts.bold}</span>
    {parts.raised && (
      <span className="-translate-y-[0.45em] ps-px text-[0.62em] leading-none font-medium">
        {parts.raised}
      </span>
    )}
  </bdi>
)

/** Writes another figure of as many decimals into the BigFigure that a box holds, without rendering. */
export function writeBigFigure(box: HTMLElement | null, { lead, bold, raised }: FigureParts): void {
  const figure = box?.firstElementChild
  for (const [at, text] of [lead, bold, raised].entries()) writeText(figure?.children[at], text)
}

/** Sets the only text of an element without rendering; nothing where it reads so already. */
export function writeText(element: Element | null | undefined, text: string): void {
  const node = element?.firstChild
  if (node) {
    if (node.nodeValue !== text) node.nodeValue = text
  } else if (element && text !== '') element.textContent = text
}
