import type { BrowserContext } from '@playwright/test'

/** Errors that the browser reports: console errors and warnings, and exceptions of a page. */
export type Complaints = {
  /** All complaints so far, except expected ones. */
  readonly received: () => readonly string[]
  /** Expects complaints that match from now on; returns a function that ends this. */
  readonly expect: (pattern: RegExp) => () => void
}

/** Collects the complaints of every page of a context. */
export function listenForComplaints(context: BrowserContext): Complaints {
  const complaints: string[] = []
  // Journeys run without the service worker, except those about it.
  const expected = new Set([/Service Worker registration blocked by Playwright/])
  const note = (text: string): void => {
    if (![...expected].some((pattern) => pattern.test(text))) complaints.push(text)
  }
  context.on('console', (message) => {
    const kind = message.type()
    if (kind !== 'error' && kind !== 'warning') return
    note(`console ${kind}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (event) => note(`exception: ${event.error().stack ?? event.error().message}`))
  return {
    received: () => complaints,
    expect: (pattern) => {
      expected.add(pattern)
      return () => void expected.delete(pattern)
    },
  }
}
