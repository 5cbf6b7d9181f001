import type { BrowserContext } from '@playwright/test'

/** What a browser complained about: console errors and warnings, exceptions of a page. */
export type Complaints = {
  /** All of them so far, but for those that were excused. */
  readonly heard: () => readonly string[]
  /** From now on complaints that fit are expected: a journey that cuts the connection, say. Answers how to end that. */
  readonly excuse: (pattern: RegExp) => () => void
}

/** Listens to every page of a context. */
export function listenForComplaints(context: BrowserContext): Complaints {
  const complaints: string[] = []
  const excuses = new Set<RegExp>()
  const note = (text: string): void => {
    if (![...excuses].some((pattern) => pattern.test(text))) complaints.push(text)
  }
  context.on('console', (message) => {
    const kind = message.type()
    if (kind !== 'error' && kind !== 'warning') return
    note(`console ${kind}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (event) => note(`exception: ${event.error().stack ?? event.error().message}`))
  return {
    heard: () => complaints,
    excuse: (pattern) => {
      excuses.add(pattern)
      return () => void excuses.delete(pattern)
    },
  }
}
