import { getBasicInfo, getFigures, getUser, listActivity, resetDemo } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sticksOut } from '../../../../../testing/sticks-out.ts'
import { answerOrders, choose, notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, hold, push, refuse } from '../../testing/fake-server.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const question = () => page.getByRole('alertdialog')

describe('the account screen', () => {
  test('says who is logged in', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await expect.element(page.getByText('No. 800008')).toBeVisible()
  })

  test('names a user without address by the number of the phone', async () => {
    await openApp('/user', { as: 'real' })
    answer(getUser, sample.realUser({ email: null, phone: '5551234', areaCode: '852' }))
    const { queryClient } = await import('../../live/requests/query-client.ts')
    await queryClient.invalidateQueries()
    await expect.element(page.getByText('+852 5551234')).toBeVisible()
  })

  test('offers a demo user a real account and a reset; a real one neither', async () => {
    const demo = await openApp('/user', { as: 'demo' })
    await expect.element(page.getByText('Demo account', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('link', { name: /Open a real account/ })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Reset demo account' })).toBeVisible()
    await demo.unmount()
    const { forgetDevice } = await import('../../testing/device.ts')
    forgetDevice()
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Reset demo account' })).not.toBeInTheDocument()
  })

  test('shows all figures of the account', async () => {
    answer(getFigures, sample.figuresWithPosition())
    await openApp('/user', { as: 'real' })
    for (const text of [/99,999\.38/, /99,996\.38/, /\+3\.00/, /99,637\.80/, /361\.58/])
      await expect.element(main()).toMatchTextContent(text)
  })

  test('hides every amount at one touch, here and on the other screens, and shows them again', async () => {
    answer(getFigures, sample.figuresWithPosition())
    answerOrders({ holding: [sample.position()] })
    await openApp('/user', { as: 'real' })
    await expect.element(main()).toMatchTextContent('99,999.38')
    await page.getByRole('button', { name: 'Hide amounts' }).click()
    await expect.element(main()).not.toMatchTextContent(/99,999|99,996|361/)
    await page.getByRole('link', { name: 'Orders' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'EUR/USD' })
    await expect.element(row).toMatchTextContent('1.08439 → 1.08469')
    await expect.element(row).not.toMatchTextContent('3.00')
    await page.getByRole('link', { name: 'Markets' }).click()
    await expect.element(page.getByRole('main')).toMatchTextContent('Net value')
    await expect.element(page.getByText(/99,999/)).not.toBeInTheDocument()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Show amounts' }).click()
    await expect.element(main()).toMatchTextContent('99,999.38')
  })

  test('leads a visitor to the login, and back', async () => {
    await openApp('/user')
    await expect.poll(() => location.hash).toBe('#/login?from=%2Fuser')
  })
})

test('very long words and amounts make no screen of the account wider than a small phone, from either side', async () => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`
  const huge = sample.amount('-123456789012.34')
  answer(
    getFigures,
    sample.figuresWithPosition({ equity: huge, balance: huge, profit: huge, free: huge, margin: huge }),
  )
  answer(listActivity, {
    activities: [
      {
        ...{ by: 'operator', at: sample.NOON, text: email, role: 'compliance', reason: email },
        ...{ device: null, address: '2001:0db8:85a3:0000:0000:8a2e:0370:7334' },
      },
    ],
    total: 1,
  })
  await openApp('/user', { as: 'real', size: [320, 640] })
  await expect.element(page.getByText('ada@example.org')).toBeVisible()
  answer(getUser, sample.realUser({ email, creditScore: 1_000_000_000 }))
  await queryClient.invalidateQueries({ queryKey: ['user'] })
  await expect.element(page.getByText(email)).toBeVisible()
  for (const dir of ['ltr', 'rtl']) {
    document.documentElement.dir = dir
    expect(sticksOut()).toEqual([])
  }
  location.hash = '#/mine/activity'
  await expect.element(page.getByText(`Reason: ${email}`)).toBeVisible()
  expect(sticksOut()).toEqual([])
})

describe('resetting a demo', () => {
  const open = async () => {
    await openApp('/user', { as: 'demo' })
    await page.getByRole('button', { name: 'Reset demo account' }).click()
  }

  test('says first what it ends and what it restores', async () => {
    await open()
    await expect.element(question()).toMatchTextContent(/your balance is set back to 100,000\.00/)
    await question().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(question()).not.toBeInTheDocument()
    expect(asked(resetDemo)).toEqual([])
  })

  test('fetches the account again, and shows the server’s sentence', async () => {
    answer(getFigures, sample.figuresWithPosition())
    answer(resetDemo, { balance: sample.amount('100000') }, 'Your demo is as new.')
    await open()
    answer(getFigures, sample.figures())
    await question().getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.element(notice('Your demo is as new.')).toBeVisible()
    await expect.element(main()).toMatchTextContent('100,000.00')
  })

  test('refused says why', async () => {
    refuse(resetDemo, 'tooManyRequests', 'One reset a minute.')
    await open()
    await question().getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.element(notice('One reset a minute.')).toBeVisible()
    await expect.element(question()).not.toBeInTheDocument()
  })

  test('names no amount where it is not known', async () => {
    cut(getBasicInfo)
    await open()
    await expect.element(question()).toMatchTextContent(/your balance is set back to the start/)
  })
})

describe('the look', () => {
  const { dataset } = document.documentElement

  test('is chosen by the reader, and kept on the device', async () => {
    await openApp('/mine/system')
    await choose('Dark')
    await expect.poll(() => dataset['theme']).toBe('dark')
    expect(localStorage.getItem('fairlot.theme')).toBe('dark')
    await choose('Device')
    await expect.poll(() => dataset['theme']).toBeUndefined()
  })

  test('the colour of a rise follows the language unless it is chosen', async () => {
    await openApp('/mine/system')
    expect(dataset['rise']).toBeUndefined()
    await choose('Red')
    await expect.poll(() => dataset['rise']).toBe('red')
    await choose('As usual')
    await expect.poll(() => dataset['rise']).toBeUndefined()
  })
})

describe('what happens to positions without being asked for is told', () => {
  test.each([
    ['stopLoss', 101, /Stop loss/],
    ['takeProfit', 102, /Stop profit/],
    ['stopOut', 103, /Stopped out: Buy 0\.10 EUR\/USD closed at 1\.08469/],
    ['operator', 104, /operator/],
  ] as const)('%s', async (endReason, id, text) => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Net value')).toBeVisible()
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.closedOrder({ id, endReason })] })
    await expect.element(notice(text)).toBeVisible()
  })

  test('by an operator with role and reason', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Net value')).toBeVisible()
    const endedBy = { role: 'dealing', reason: 'no papers' } as const
    push({
      ...{ type: 'orders', userId: 7, seq: 1 },
      orders: [sample.closedOrder({ id: 105, endReason: 'operator', endedBy })],
    })
    await expect
      .element(notice(/Closed by the operator.*By: Dealing desk\. Reason: no papers/s))
      .toBeVisible()
  })

  test('of many the first three by name, the others by number, and a stop-out with its level', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Net value')).toBeVisible()
    const orders = [1, 2, 3, 4, 5].map((id) => sample.closedOrder({ id, endReason: 'stopOut' }))
    push({ type: 'orders', userId: 7, seq: 1, orders })
    await expect.element(notice(/And 2 more positions/)).toBeVisible()
    await expect.element(notice(/had fallen to 50/)).toBeVisible()
  })

  test('what the user did is not', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Net value')).toBeVisible()
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.closedOrder({ endReason: 'user' })] })
    const said = {
      id: 1,
      kind: 'orderExpired',
      title: 'Order expired',
      text: 'It waited until noon.',
      time: 0,
    } as const
    push({ type: 'notice', userId: 7, seq: 2, notice: said })
    await expect.element(notice(/Order expired/)).toBeVisible()
    await expect.element(notice(/It waited until noon/)).toBeVisible()
    await expect.element(page.getByText(/Closed at/)).not.toBeInTheDocument()
  })
})

test('a slow answer leaves the shape of the figures in their place', async () => {
  const release = hold(getFigures)
  await openApp('/user', { as: 'real' })
  await expect.element(page.getByRole('heading', { name: 'Net value' })).toBeVisible()
  await expect.element(page.getByText('Balance', { exact: true })).not.toBeInTheDocument()
  release()
  await expect.element(page.getByText('Balance', { exact: true })).toBeVisible()
})
