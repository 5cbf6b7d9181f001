import type { Page } from '@playwright/test'

type LayoutShift = { sum: number; moved: string[] }

type ShiftEntry = PerformanceEntry & {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

declare global {
  var layoutShiftSoFar: LayoutShift
}

/** Adds up layout shifts that no finger caused, from the next page load on. */
export const watchLayoutShift = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    globalThis.layoutShiftSoFar = { sum: 0, moved: [] }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as ShiftEntry[]) {
        if (hadRecentInput) continue
        const names = sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML : (node?.textContent ?? ''),
        )
        globalThis.layoutShiftSoFar.sum += value
        globalThis.layoutShiftSoFar.moved.push(
          `${value}: ${names.map((name) => name.slice(0, 120)).join(', ')}`,
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Since the page was loaded: a sum of 0 is still, 0.1 is what counts as good; and what has moved. */
export const layoutShift = (page: Page): Promise<LayoutShift> =>
  page.evaluate(() => globalThis.layoutShiftSoFar)

/** Texts and controls that stick out of the window at either side, though nothing around them scrolls sideways. */
export const sidewaysOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean =>
      /auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth
    const clips = (element: Element): boolean => getComputedStyle(element).overflowX === 'hidden'
    const isWithin = (element: Element | null, fits: (candidate: Element) => boolean): boolean =>
      element !== null &&
      element !== document.body &&
      (fits(element) || isWithin(element.parentElement, fits))
    const isHidden = (element: Element): boolean =>
      element.closest('[class~="sr-only"], [aria-hidden="true"]') !== null
    const pageWidth = document.documentElement.clientWidth
    return [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.checkVisibility() && element.textContent !== '' && !isHidden(element))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && (left < -1 || right > pageWidth + 1)
      })
      .filter(
        (element) =>
          !isWithin(element, scrolls) &&
          !isWithin(element.parentElement, (box) => clips(box) && box.matches('[class~="truncate"]')),
      )
      .map((element) => `${element.tagName.toLowerCase()} "${element.textContent.slice(0, 60)}"`)
  })
