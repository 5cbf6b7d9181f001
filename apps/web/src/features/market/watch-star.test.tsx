import { getWatchList, setWatched } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, hold, refuse } from '../../testing/fake-server.ts'

withFakeServer()

const star = (code: string) => page.getByRole('button', { name: `${code} on my list` })
const codes = () =>
  page
    .getByRole('list', { name: 'Instruments' })
    .getByRole('link')
    .elements()
    .map((element) => element.querySelector('bdi')?.textContent)
const showOwn = () => page.getByRole('button', { name: 'Mine', exact: true }).click()

describe('the own list', () => {
  test('of a visitor is kept on this device without asking anybody, and emptied by the same star', async () => {
    await openApp('/')
    await showOwn()
    await expect.element(page.getByText('Nothing on your list yet')).toBeVisible()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await star('XAU/USD').click()
    await expect.element(star('XAU/USD')).toHaveAttribute('aria-pressed', 'true')
    expect(localStorage.getItem('fairlot.watched')).toBe('2')
    await showOwn()
    await expect.poll(codes).toEqual(['XAU/USD'])
    star('XAU/USD').element().focus()
    await userEvent.keyboard(' ')
    await expect.element(page.getByText('Nothing on your list yet')).toBeVisible()
    expect(localStorage.getItem('fairlot.watched')).toBeNull()
    expect(asked(setWatched)).toEqual([])
  })

  test('of an account changes at once; a refusal says why and takes that back', async () => {
    answer(getWatchList, { instrumentIds: [1] })
    await openApp('/', { as: 'real' })
    await expect.element(star('EUR/USD')).toHaveAttribute('aria-pressed', 'true')
    await settled()
    refuse(setWatched, 'engineUnavailable', 'Not now. Try again in a minute.')
    const release = hold(setWatched)
    await star('XAU/USD').click()
    await expect.element(star('XAU/USD')).toHaveAttribute('aria-pressed', 'true')
    release()
    await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
    await expect.element(star('XAU/USD')).toHaveAttribute('aria-pressed', 'false')
    await expect.element(star('EUR/USD')).toHaveAttribute('aria-pressed', 'true')
    expect(asked(setWatched)).toEqual([{ instrumentIds: [2], isWatched: true }])
  })

  test('that could not be had breaks nothing else', async () => {
    cut(getWatchList)
    await openApp('/', { as: 'real' })
    await expect.poll(codes).toHaveLength(3)
    await expect.element(star('EUR/USD')).toHaveAttribute('aria-pressed', 'false')
  })
})
