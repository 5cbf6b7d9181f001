import { getFigures, getUser, type User } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { answerOrders, DESKTOP, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf } from '../../../testing/fake-server.ts'
import { queryClient } from '../../../live/requests/query-client.ts'
import * as sample from '../../../testing/samples.ts'
import { listOrders } from '@fairlot/contract'

withFakeServer()

const list = () => page.getByRole('main').getByText('Three steps to your first order')
const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

const NONE = sample.amount('0')
const EMPTY = { balance: NONE, equity: NONE, margin: NONE, free: NONE, level: null } as const

/** Opens the account of a real user at a stage of the way to the first order. */
async function openAccount({
  identityCheck,
  hasMoney = false,
  hasTraded = false,
}: {
  identityCheck: User['identityCheck']
  hasMoney?: boolean
  hasTraded?: boolean
}) {
  answer(getFigures, sample.figures(hasMoney ? {} : EMPTY))
  answerOrders(hasTraded ? { history: [sample.position({ status: 'closed' })] } : {})
  await openApp('/user', { as: 'real' })
  answer(getUser, sample.realUser({ identityCheck }))
  await queryClient.invalidateQueries({ queryKey: ['user'] })
  await settled()
}

describe('the first steps of a real account', () => {
  test('begin with the identity', async () => {
    await openAccount({ identityCheck: 'form' })
    await expect.element(link('Verify your identity')).toHaveAttribute('href', '#/mine/auth')
  })

  test('go on with a deposit while documents are being checked', async () => {
    await openAccount({ identityCheck: 'waiting' })
    await expect.element(link('Make a deposit')).toHaveAttribute('href', '#/mine/charge')
    await expect.element(page.getByText('Our compliance team checks your document.')).toBeVisible()
  })

  test('stay below the figures after the deposit, and lead to the first order', async () => {
    await openAccount({ identityCheck: 'verified', hasMoney: true })
    await expect.element(page.getByText('Equity').first()).toBeVisible()
    await expect.element(list()).toBeVisible()
    await expect.element(link('Place your first order')).toHaveAttribute('href', '#/trade')
  })

  test('still ask for the identity of a user who deposits and trades first', async () => {
    await openAccount({ identityCheck: 'form', hasMoney: true, hasTraded: true })
    await expect.element(link('Verify your identity')).toBeVisible()
    await expect.element(link('Place your first order')).not.toBeInTheDocument()
  })

  test('are gone once all are done, also when the money is lost again', async () => {
    await openAccount({ identityCheck: 'verified', hasMoney: true, hasTraded: true })
    await expect.element(page.getByText('Equity').first()).toBeVisible()
    await expect.element(list()).not.toBeInTheDocument()
  })

  test('have no link while nothing is left to do but to wait', async () => {
    await openAccount({ identityCheck: 'waiting', hasMoney: true, hasTraded: true })
    await expect.element(list()).toBeVisible()
    for (const name of ['Verify your identity', 'Make a deposit', 'Place your first order'])
      await expect.element(link(name)).not.toBeInTheDocument()
  })

  test('are not for demo accounts', async () => {
    await openApp('/user', { as: 'demo' })
    await settled()
    await expect.element(list()).not.toBeInTheDocument()
  })

  test('fit a small phone, left to right and right to left', async () => {
    await openAccount({ identityCheck: 'form' })
    await page.viewport(320, 568)
    for (const dir of ['ltr', 'rtl']) {
      document.documentElement.dir = dir
      expect(overflowing()).toEqual([])
    }
  })

  test('are one line in the header of a wide window', async () => {
    answer(getFigures, sample.figures(EMPTY))
    await openApp('/news', { as: 'real', size: DESKTOP })
    await expect.element(page.getByRole('banner').getByText('Three steps to your first order')).toBeVisible()
  })
})

test('whether a user has traded is asked once, and remembered for this user only', async () => {
  answerOrders({ history: [sample.position({ status: 'closed' })] })
  const first = await openApp('/', { as: 'demo' })
  await expect.element(page.getByText('Equity')).toBeVisible()
  await expect.poll(() => localStorage.getItem('fairlot.traded')).toBe('7')
  await first.unmount()
  queryClient.clear()
  const before = inputsOf(listOrders).length
  await openApp('/', { as: 'demo' })
  await expect.element(page.getByText('Equity')).toBeVisible()
  await settled()
  expect(inputsOf(listOrders).slice(before)).not.toContainEqual({ list: 'history', page: 1, before: null })
})
