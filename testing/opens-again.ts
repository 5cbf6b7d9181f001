/** Opens and closes a control twice on every phone, in the browser tests of both apps. */
import { expect } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { PHONES } from './phone-sizes.ts'

export type Size = (typeof PHONES)[number]

/** What opens a part of a screen or something over it. */
export type Control = {
  readonly name: string
  /** The source that opens it, below `src`. */
  readonly of: string
  /** Leads to the screen that it is on. */
  readonly enter: () => Promise<unknown>
  readonly opener: () => Locator
  /** What opens it, where that is not a click in its middle. */
  readonly press?: () => Promise<unknown>
  readonly opened: () => Locator
  /** Part of it that may load late. */
  readonly content?: () => Locator
  /** Left out where Escape closes it. */
  readonly closer?: () => Locator
  /** The screen sizes that show it; by default all. */
  readonly existsOn?: (size: Size) => boolean
}

/** Waits until no request is in progress. */
type Settled = () => Promise<unknown>

/** The time of a test on all phones, ms. */
export const SIX_SCREENS_MS = 90_000

/** As on a second visit: a font that arrives between two openings would move what is compared. */
export async function loadFont(): Promise<void> {
  document.documentElement.dataset['font'] = ''
  await document.fonts.load('1em Plex')
}

/**
 * The sources that match, as paths below `src`, without those of tests. `sources`: texts by their paths as seen
 * from `src/app`.
 */
export const openingSources = (
  sources: Readonly<Record<string, string>>,
  pattern: RegExp,
): readonly string[] =>
  Object.entries(sources)
    .filter(([path]) => !/test|fixture/.test(path))
    .filter(([, text]) => pattern.test(text))
    .map(([path]) => (path.startsWith('../') ? path.slice('../'.length) : `app/${path.slice('./'.length)}`))

type Box = readonly [name: string, left: number, top: number, width: number, height: number]

const SHOWN = 'h1, h2, h3, p, dt, dd, button, input, a, label, canvas, [role=img], section'

/** Everything visible in a part of the page, with its position. */
function layoutOf(part: Element): readonly Box[] {
  return (
    [part, ...part.querySelectorAll<HTMLElement>(SHOWN)]
      .filter((element) => element.checkVisibility())
      // The area charts of rows are drawn once loaded, which may be later.
      .filter((element) => !/last \d+ bars$/.test(element.getAttribute('aria-label') ?? ''))
      .map((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)
        return [name, ...[left, top, width, height].map(Math.round)] as unknown as Box
      })
  )
}

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** The layout of a part once it is stable: it slides in, and its figures may load late. */
async function settledLayout(part: () => Element, settled: Settled, frames = 2): Promise<readonly Box[]> {
  await settled()
  let last = JSON.stringify(layoutOf(part()))
  for (let unchanged = 0; unchanged < frames; unchanged += 1) {
    await nextPaint()
    const now = JSON.stringify(layoutOf(part()))
    if (now !== last) unchanged = -1
    last = now
  }
  return JSON.parse(last) as readonly Box[]
}

const appRoot = () => document.getElementById('root') ?? document.body

/** Opens and closes; returns the layout shown in between. */
export async function openAndClose(control: Control, settled: Settled): Promise<readonly Box[]> {
  const { opener, press = () => opener().click(), opened, content = opened, closer } = control
  await press()
  await expect.element(opened()).toBeVisible()
  await expect.element(content()).toBeVisible()
  const layout = await settledLayout(() => opened().element(), settled)
  if (closer) await closer().click()
  else await userEvent.keyboard('{Escape}')
  await expect.element(opener()).toBeVisible()
  if (!closer) await expect.element(opened()).not.toBeInTheDocument()
  return layout
}

/** On every phone it opens again with the same layout, and each closing leaves the screen as it was. */
export async function expectToOpenAgain(control: Control, settled: Settled): Promise<void> {
  await control.enter()
  // Parts of a screen that are modules of their own may be drawn a while after the rest.
  await settledLayout(appRoot, settled, 20)
  for (const size of PHONES) {
    if (control.existsOn?.(size) === false) continue
    await page.viewport(size[0], size[1])
    await expect.element(control.opener()).toBeVisible()
    // A real click would scroll to it first.
    control.opener().element().scrollIntoView({ block: 'center' })
    const before = await settledLayout(appRoot, settled)
    const first = await openAndClose(control, settled)
    const screen = () => settledLayout(appRoot, settled)
    expect(await screen(), `after it was closed, ${size.join(' x ')}`).toEqual(before)
    expect(await openAndClose(control, settled), `opened again, ${size.join(' x ')}`).toEqual(first)
    expect(await screen(), `after it was closed again, ${size.join(' x ')}`).toEqual(before)
  }
}
