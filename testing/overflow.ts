/**
 * Texts and controls that overflow the window sideways without a scrolling container: a screen that is too wide is
 * cut off, and the page does not show it. Self-contained, so that it can run in another page.
 */
export function overflowing(): string[] {
  const scrolls = (element: Element): boolean =>
    /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth
  const clips = (element: Element): boolean => getComputedStyle(element).overflowX === 'hidden'
  const isWithin = (element: Element | null, fits: (candidate: Element) => boolean): boolean =>
    element !== null && element !== document.body && (fits(element) || isWithin(element.parentElement, fits))
  const isHidden = (element: Element): boolean =>
    element.closest('[class~="sr-only"], [aria-hidden="true"]') !== null
  const pageWidth = document.documentElement.clientWidth
  const isOutside = ({ left, right, width }: DOMRect): boolean =>
    width > 0 && (left < -1 || right > pageWidth + 1)
  /** Text without line breaks can overflow a box that is itself narrow enough. */
  const hasTextOutside = (element: Element): boolean =>
    [...element.childNodes].some((node) => {
      if (node.nodeType !== Node.TEXT_NODE) return false
      const text = document.createRange()
      text.selectNodeContents(node)
      return isOutside(text.getBoundingClientRect())
    })
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((element) => element.checkVisibility() && element.textContent !== '' && !isHidden(element))
    .filter((element) => isOutside(element.getBoundingClientRect()) || hasTextOutside(element))
    .filter(
      (element) =>
        !isWithin(element, scrolls) &&
        !isWithin(element, (box) => clips(box) && box.matches('[class~="truncate"]')),
    )
    .map((element) => `${element.tagName.toLowerCase()} "${element.textContent.slice(0, 60)}"`)
}
