import { listCandles } from '@fairlot/contract'
import { forgetMissingPart } from '@fairlot/ui/feedback/missing-part.ts'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { useAppVersion } from '../live/device/app-version.ts'
import { openApp, PHONES, withFakeServer } from '../testing/app.tsx'
import { failConnection } from '../testing/fake-server.ts'

/** What a browser says of a file that an upgrade removed from the server. The test requests it through its component. */
const { gone } = vi.hoisted(() => {
  const gone = () => {
    throw new TypeError('Failed to fetch dynamically imported module: https://broker.example/assets/a.js')
  }
  return { gone }
})
vi.mock('../features/market/chart/chart-canvas.tsx', () => ({ ChartCanvas: gone }))

withFakeServer()

beforeEach(forgetMissingPart)

const button = (name: string) => page.getByRole('button', { name, exact: true })

/** The part of a button that a finger can reach, whatever lies over the rest: 1 for all of it. */
function reachableOf(name: string): number {
  const element = button(name).element()
  const { left, top, width, height } = element.getBoundingClientRect()
  // Not its corners, which are round.
  const parts = [0.15, 0.5, 0.85]
  const points = parts.flatMap((x) => parts.map((y) => [left + x * width, top + y * height] as const))
  const reached = points.filter(([x, y]) => element.contains(document.elementFromPoint(x, y)))
  return reached.length / points.length
}

test('the button of a missing chart reloads the page, with a new version that waits', async () => {
  const pressed = vi.fn()
  const { reload } = useAppVersion.getState()
  onTestFinished(() => useAppVersion.setState({ reload }))
  useAppVersion.setState({ reload: pressed })
  await openApp('/trade')
  await button('Reload').click()
  expect(pressed).toHaveBeenCalledOnce()
})

describe.each([
  {
    what: 'a chart whose file is missing',
    name: 'Reload',
    title: 'This screen could not be loaded',
    text: /^The connection may be weak/,
  },
  {
    what: 'a chart without candles',
    name: 'Try again',
    title: 'The candles could not be loaded',
    text: 'The live price above is not affected.',
  },
])('$what', ({ name, title, text }) => {
  beforeEach(() => {
    if (name === 'Try again') failConnection(listCandles)
  })

  test.each(PHONES)(
    'says so and shows its button beside the ticket on %i x %i, open and collapsed',
    async (width, height) => {
      await openApp('/trade', { as: 'demo' })
      await expect.element(button('Collapse the ticket')).toBeVisible()
      await expect.element(button(name)).toBeVisible()
      await page.viewport(width, height)
      await expect.poll(() => reachableOf(name)).toBe(1)
      await expect.element(page.getByText(title)).toBeInViewport({ ratio: 1 })
      await button('Collapse the ticket').click()
      await expect.element(button('Expand the ticket')).toBeVisible()
      await expect.poll(() => reachableOf(name)).toBe(1)
    },
  )

  test('explains it where there is room', async () => {
    await openApp('/trade', { as: 'demo', size: [430, 932] })
    await button('Collapse the ticket').click()
    await expect.element(page.getByText(text)).toBeVisible()
  })
})
