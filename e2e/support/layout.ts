import type { Page } from '@playwright/test'
import { overflowing } from '../../testing/overflow.ts'

type LayoutShift = { sum: number; moved: string[] }

type ShiftEntry = PerformanceEntry & {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

declare global {
  var layoutShiftSoFar: LayoutShift
}

/** Sums layout shifts without user input, from the next page load on. */
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

/** The sum since the page was loaded (0.1 counts as good), and what moved. */
export const layoutShift = (page: Page): Promise<LayoutShift> =>
  page.evaluate(() => globalThis.layoutShiftSoFar)

/** The elements of a page that `overflowing` finds. */
export const sidewaysOverflow = (page: Page): Promise<string[]> => page.evaluate(overflowing)
