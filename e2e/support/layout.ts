import type { Page } from '@playwright/test'
import { sticksOut } from '../../testing/sticks-out.ts'

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

/** What `sticksOut` finds in a page. */
export const sidewaysOverflow = (page: Page): Promise<string[]> => page.evaluate(sticksOut)
