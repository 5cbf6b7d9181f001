import { classNames } from '../theme/class-names.ts'

/** A price split into its leading digits, the pips in large type, and a small raised last digit. */
export type FigureParts = { lead: string; bold: string; raised: string }

type BigFigureProps = { parts: FigureParts; size?: 'row' | 'button' | 'title' | 'price' }

const sizes = {
  row: 'text-body',
  button: 'text-title',
  title: 'text-figure',
  price: 'text-price tracking-tight',
}

/** The width of a digit in the widest of our fonts. */
const DIGIT_EM = 0.62

/** As large as the class says, or as the container has room for: with text at 200 % a button has not grown with it. */
const roomFor = ({ lead, bold, raised }: FigureParts): string =>
  `min(var(--text-title), calc(100cqi / ${(lead.length + bold.length + raised.length) * DIGIT_EM}))`

/** A price in large type, left to right also inside right-to-left text. In a button its box is a container. */
export const BigFigure = ({ parts, size = 'row' }: BigFigureProps) => (
  <bdi
    dir="ltr"
    translate="no"
    style={size === 'button' ? { fontSize: roomFor(parts) } : undefined}
    className={classNames('inline-flex items-baseline whitespace-nowrap', sizes[size])}
  >
    <span className="font-normal">{parts.lead}</span>
    <span className="font-bold">{parts.bold}</span>
    {parts.raised && (
      <span className="-translate-y-[0.3em] ps-px text-[max(0.62em,min(0.75rem,1em))] leading-none font-medium">
        {parts.raised}
      </span>
    )}
  </bdi>
)

/** Writes another figure with as many decimals into the BigFigure inside `box`, without rendering. */
export function writeBigFigure(box: HTMLElement | null, { lead, bold, raised }: FigureParts): void {
  const figure = box?.firstElementChild
  for (const [at, text] of [lead, bold, raised].entries()) writeText(figure?.children[at], text)
}

/**
 * Sets the text of an element that holds only text, without rendering; does nothing when it is the same. Whatever else
 * has been put into the element, as by a browser's translator, gives way.
 */
export function writeText(element: Element | null | undefined, text: string): void {
  if (!element) return
  const { firstChild, lastChild } = element
  if (firstChild instanceof Text && firstChild === lastChild) {
    if (firstChild.nodeValue !== text) firstChild.nodeValue = text
  } else if (element.textContent !== text) element.textContent = text
}
