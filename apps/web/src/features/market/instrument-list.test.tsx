import { getWatchList, setWatched } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, reject } from '../../testing/fake-server.ts'

withFakeServer()

const star = (code: string) => page.getByRole('button', { name: `${code} on my watchlist` })
const codes = () =>
  page
    .getByRole('list', { name: 'Instruments' })
    .getByRole('link')
    .elements()
    .map((element) => element.querySelector('bdi')?.textContent)
const showWatchlist = () => page.getByRole('button', { name: 'Watchlist', exact: true }).click()

describe('the watchlist', () => {
  test('of a visitor is stored on this device without a request, and cleared by the same star', async () => {
    await openApp('/')
    await showWatchlist()
    await expect.element(page.getByText('Your watchlist is empty')).toBeVisible()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await star('XAU/USD').click()
    await expect.element(star('XAU/USD')).toHaveAttribute('aria-pressed', 'true')
    expect(localStorage.getItem('fairlot.watched')).toBe('2')
    await showWatchlist()
    await expect.poll(codes).toEqual(['XAU/USD'])
    star('XAU/USD').element().focus()
    await userEvent.keyboard(' ')
    await expect.element(page.getByText('Your watchlist is empty')).toBeVisible()
    expect(localStorage.getItem('fairlot.watched')).toBeNull()
    expect(inputsOf(setWatched)).toEqual([])
  })

  test('of an account changes at once; a rejection shows its reason and is undone', async () => {
    answer(getWatchList, { instrumentIds: [1] })
    await openApp('/', { as: 'real' })
    await expect.element(star('EUR/USD')).toHaveAttribute('aria-pressed', 'true')
    await settled()
    reject(setWatched, 'engineUnavailable', 'Not now. Try again in a minute.')
    const release = hold(setWatched)
    await star('XAU/USD').click()
    await expect.element(star('XAU/USD')).toHaveAttribute('aria-pressed', 'true')
    release()
    await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
    await expect.element(star('XAU/USD')).toHaveAttribute('aria-pressed', 'false')
    await expect.element(star('EUR/USD')).toHaveAttribute('aria-pressed', 'true')
    expect(inputsOf(setWatched)).toEqual([{ instrumentIds: [2], isWatched: true }])
  })

  test('that failed to load affects nothing else', async () => {
    failConnection(getWatchList)
    await openApp('/', { as: 'real' })
    await expect.poll(codes).toHaveLength(3)
    await expect.element(star('EUR/USD')).toHaveAttribute('aria-pressed', 'false')
  })
})
