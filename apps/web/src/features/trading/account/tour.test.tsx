import { submitOrder } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { answerOrders, DESKTOP, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import { answer, failConnection, push } from '../../../testing/fake-server.ts'
import { forgetTour, setTourStep } from '../../../live/device/tour.ts'
import { setToken } from '../../../live/device/token.ts'
import * as sample from '../../../testing/samples.ts'
import { listOrders } from '@fairlot/contract'

withFakeServer()

const bar = () => page.getByRole('region', { name: 'Your first trade' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const stored = () => localStorage.getItem('fairlot.tour')
const changed = (order: ReturnType<typeof sample.position>) =>
  push({ type: 'orders', userId: 7, seq: 1, orders: [order] })

describe('the tour of the first trade', () => {
  test('leads from the offer to the first closed order', async () => {
    await openApp('/', { as: 'demo' })
    await button('Start the tour').click()
    await expect.poll(() => location.hash).toMatch(/^#\/trade/)
    await expect.element(bar()).toMatchTextContent(/step 1 of 4.*the lots are on the ticket/)
    await button('Next').click()
    await expect.element(bar()).toMatchTextContent(/step 2 of 4.*stopped out/)
    await button('Next').click()
    await expect.element(bar()).toMatchTextContent(/step 3 of 4.*Press Buy/)
    await expect.element(button('Next')).not.toBeInTheDocument()
    answer(submitOrder, { ...sample.position(), warning: null })
    answerOrders({ holding: [sample.position()] })
    await page.getByRole('button', { name: /^Buy / }).click()
    await expect.element(bar()).toMatchTextContent(/step 4 of 4.*Your position is open/)
    await bar().getByRole('link', { name: 'To your orders' }).click()
    await expect.element(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    await expect.element(bar().getByRole('link')).not.toBeInTheDocument()
    const closed = sample.position({ status: 'closed', endReason: 'user', endedAt: sample.NOON })
    answerOrders({ history: [closed] })
    changed(closed)
    await expect.element(bar()).toMatchTextContent(/Done: your first trade is closed/)
    await button('Finish').click()
    await expect.element(bar()).not.toBeInTheDocument()
    expect(stored()).toBe('7 over')
  })

  test('is not offered again once it was declined', async () => {
    const first = await openApp('/', { as: 'demo' })
    await button('No, thanks').click()
    await expect.element(button('Start the tour')).not.toBeInTheDocument()
    await first.unmount()
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    await settled()
    await expect.element(button('Start the tour')).not.toBeInTheDocument()
    await expect.element(bar()).not.toBeInTheDocument()
  })

  test('can be skipped at every step', async () => {
    for (const step of ['size', 'cost', 'send'] as const) {
      setTourStep(7, step)
      const { unmount } = await openApp('/trade', { as: 'demo' })
      await button('Skip the tour').click()
      await expect.element(bar()).not.toBeInTheDocument()
      expect(stored()).toBe('7 over')
      await unmount()
    }
  })

  test('left in the middle goes on where it was, and leads back from any other screen', async () => {
    setTourStep(7, 'cost')
    await openApp('/news', { as: 'demo' })
    await expect.element(bar()).toMatchTextContent(/step 2 of 4/)
    await bar().getByRole('link', { name: 'To the ticket' }).click()
    await expect.poll(() => location.hash).toMatch(/^#\/trade/)
    await expect.element(button('Next')).toBeVisible()
  })

  test('goes by what has happened on another device meanwhile', async () => {
    setTourStep(7, 'size')
    answerOrders({ holding: [sample.position()] })
    await openApp('/trade', { as: 'demo' })
    await expect.element(bar()).toMatchTextContent(/step 4 of 4/)
  })

  test('belongs to its user: another one and a visitor do not see it', async () => {
    setTourStep(99, 'cost')
    const other = await openApp('/trade', { as: 'demo' })
    await settled()
    await expect.element(bar()).not.toBeInTheDocument()
    await other.unmount()
    setToken(null)
    setTourStep(7, 'cost')
    await openApp('/trade')
    await settled()
    await expect.element(bar()).not.toBeInTheDocument()
  })

  test.each(['', '7', '7 somewhere', 'x size', '7 size more', '{"step":1}'])(
    'that was stored unreadably (%j) has not begun',
    async (text) => {
      forgetTour()
      localStorage.setItem('fairlot.tour', text)
      const { readTour } = await import('../../../live/device/tour.ts')
      expect(readTour()).toBeNull()
    },
  )

  test('is not offered to a user who has traded, nor while that cannot be known', async () => {
    answerOrders({ history: [sample.position({ status: 'closed' })] })
    const first = await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    await expect.element(button('Start the tour')).not.toBeInTheDocument()
    await first.unmount()
    localStorage.removeItem('fairlot.traded')
    failConnection(listOrders)
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    await settled()
    await expect.element(button('Start the tour')).not.toBeInTheDocument()
  })

  test.each([[390, 664], [320, 568], DESKTOP] as const)(
    'hides neither Sell nor Buy, and fits a screen of %i x %i',
    async (...size) => {
      setTourStep(7, 'cost')
      await openApp('/trade', { as: 'demo', size })
      await expect.element(bar()).toBeInViewport({ ratio: 0.99 })
      for (const side of ['Sell', 'Buy'])
        await expect
          .element(page.getByRole('button', { name: new RegExp(`^${side} `) }))
          .toBeInViewport({ ratio: 0.99 })
      for (const dir of ['ltr', 'rtl']) {
        document.documentElement.dir = dir
        expect(overflowing()).toEqual([])
      }
    },
  )
})
