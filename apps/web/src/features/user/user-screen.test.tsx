import { getBasicInfo, getFigures, getUser, listActivity, resetDemo } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { answerOrders, choose, notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push, reject } from '../../testing/fake-server.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { keepDemo, keptDemo } from '../../live/session/user.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const confirmation = () => page.getByRole('alertdialog')

describe('the account screen', () => {
  test('shows who is logged in', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await expect.element(page.getByText('User 800008')).toBeVisible()
  })

  test('shows the phone number of a user without an e-mail address', async () => {
    await openApp('/user', { as: 'real' })
    answer(getUser, sample.realUser({ email: null, phone: '5551234', areaCode: '852' }))
    const { queryClient } = await import('../../live/requests/query-client.ts')
    await queryClient.invalidateQueries()
    await expect.element(page.getByText('+852 5551234')).toBeVisible()
  })

  test('offers a real account and a reset to a demo user only', async () => {
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

  test('leads to every part of the account, and shows the credit score', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(main()).toMatchTextContent(/Credit score\s*100/)
    for (const [name, path] of [
      ['Deposit', '/mine/charge'],
      ['Withdraw', '/mine/withdraw'],
      ['Wallet', '/mine/wallet'],
      ['Identity check', '/mine/auth'],
      ['Invite a friend', '/mine/invite'],
      ['Change password', '/mine/password'],
      ['Support chat', '/mine/chat'],
      ['Complaints by e-mail', '/mine/email'],
      ['Announcements', '/mine/announcement'],
      ['Language', '/language'],
      ['Settings', '/mine/system'],
      ['Transactions', '/mine/history'],
    ] as const)
      await expect
        .element(main().getByRole('link', { name: new RegExp(`^${name}`) }))
        .toHaveAttribute('href', `#${path}`)
  })

  test('leads every user to the news, from the account and from the notices', async () => {
    await openApp('/user', { as: 'real' })
    await page.getByRole('link', { name: 'News', exact: true }).click()
    await expect.poll(() => location.hash).toBe('#/news')
    location.hash = '#/mine/notices'
    await main().getByRole('link', { name: 'News' }).click()
    await expect.poll(() => location.hash).toBe('#/news')
  })

  test('tells a demo user that an identity check needs a real account', async () => {
    await openApp('/user', { as: 'demo' })
    await page.getByRole('link', { name: 'Identity check' }).click()
    await expect.element(page.getByText('Identity check: for real accounts only')).toBeVisible()
    await expect.element(main().getByRole('link', { name: 'Open an account' })).toBeVisible()
  })

  test('shows all account figures', async () => {
    answer(getFigures, sample.figuresWithPosition())
    await openApp('/user', { as: 'real' })
    for (const text of [/99,999\.38/, /99,996\.38/, /\+3\.00/, /99,637\.80/, /361\.58/])
      await expect.element(main()).toMatchTextContent(text)
  })

  test('hides every amount with one tap, here and on the other screens, and shows them again', async () => {
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
    await expect.element(page.getByRole('main')).toMatchTextContent('Equity')
    await expect.element(page.getByText(/99,999/)).not.toBeInTheDocument()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Show amounts' }).click()
    await expect.element(main()).toMatchTextContent('99,999.38')
  })

  test('leads a visitor to the log-in, and back', async () => {
    await openApp('/user')
    await expect.poll(() => location.hash).toBe('#/login?from=%2Fuser')
  })
})

test('account screens with very long words and amounts fit a small phone, left to right and right to left', async () => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`
  const huge = sample.amount('-123456789012.34')
  answer(
    getFigures,
    sample.figuresWithPosition({ equity: huge, balance: huge, profit: huge, free: huge, margin: huge }),
  )
  answer(listActivity, {
    activities: [
      {
        by: 'operator',
        at: sample.NOON,
        text: email,
        role: 'compliance',
        reason: email,
        device: null,
        address: '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
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
    expect(overflowing()).toEqual([])
  }
  location.hash = '#/mine/activity'
  await expect.element(page.getByText(`Reason: ${email}`)).toBeVisible()
  expect(overflowing()).toEqual([])
})

describe('resetting a demo', () => {
  const open = async () => {
    await openApp('/user', { as: 'demo' })
    await page.getByRole('button', { name: 'Reset demo account' }).click()
  }

  const amount = () => confirmation().getByLabelText('Starting balance')
  const reset = () => confirmation().getByRole('button', { name: 'Reset', exact: true }).click()

  test('shows first what it closes and what it restores', async () => {
    await open()
    await expect.element(confirmation()).toMatchTextContent(/your balance is set to its start/)
    await expect.element(amount()).toHaveValue('100000')
    await confirmation().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(inputsOf(resetDemo)).toEqual([])
  })

  test('restores the usual balance, or sets the one that is entered', async () => {
    answer(resetDemo, ({ start }) => ({ balance: start ?? sample.amount('100000') }))
    await open()
    await reset()
    await expect.element(confirmation()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Reset demo account' }).click()
    await amount().fill('2500,5')
    await reset()
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(inputsOf(resetDemo)).toEqual([{ start: null }, { start: sample.amount('2500.5') }])
    await page.getByRole('button', { name: 'Reset demo account' }).click()
    await expect.element(amount()).toHaveValue('100000')
  })

  test.each(['99.99', '1000000.01', '0', '-5', 'much', ''])(
    'sends no %j, and shows the limits',
    async (text) => {
      await open()
      await amount().fill(text)
      await reset()
      await expect.element(amount()).toBeInvalid()
      await expect.element(amount()).toHaveAccessibleDescription('From 100.00 to 1,000,000.00.')
      expect(inputsOf(resetDemo)).toEqual([])
    },
  )

  test('shows limits that have changed meanwhile at the field', async () => {
    reject(resetDemo, 'demoBalanceOutOfRange', 'A demo account can start with 100.00 to 500.00.')
    await open()
    await amount().fill('700')
    await reset()
    await expect
      .element(amount())
      .toHaveAccessibleDescription('A demo account can start with 100.00 to 500.00.')
    await expect.element(amount()).toHaveValue('700')
  })

  test('loads the account again, and shows the server’s message', async () => {
    answer(getFigures, sample.figuresWithPosition())
    answer(resetDemo, { balance: sample.amount('100000') }, 'Your demo is as new.')
    await open()
    answer(getFigures, sample.figures())
    await confirmation().getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.element(notice('Your demo is as new.')).toBeVisible()
    await expect.element(main()).toMatchTextContent('100,000.00')
  })

  test('shows the reason when it is rejected', async () => {
    reject(resetDemo, 'tooManyRequests', 'One reset a minute.')
    await open()
    await confirmation().getByRole('button', { name: 'Reset', exact: true }).click()
    await expect.element(notice('One reset a minute.')).toBeVisible()
    await expect.element(confirmation()).not.toBeInTheDocument()
  })

  test('offers no amount while the limits are unknown', async () => {
    failConnection(getBasicInfo)
    answer(resetDemo, { balance: sample.amount('100000') })
    await open()
    await expect.element(confirmation()).toMatchTextContent(/your balance is set to its start/)
    await expect.element(amount()).not.toBeInTheDocument()
    await reset()
    await expect.poll(() => inputsOf(resetDemo)).toEqual([{ start: null }])
  })
})

describe('logging out of a demo account', () => {
  const logOutButton = () => page.getByRole('button', { name: 'Log out' })
  const keep = () => confirmation().getByRole('checkbox', { name: 'Keep this demo account on this device' })
  const open = async () => {
    keepDemo('secret')
    await openApp('/user', { as: 'demo' })
    await logOutButton().click()
  }
  const confirm = () => confirmation().getByRole('button', { name: 'Log out' }).click()

  test('keeps its key on this device, which opens it again', async () => {
    await open()
    await expect.element(keep()).toBeChecked()
    await expect.element(confirmation()).toMatchTextContent(/open it again from the first page/)
    await confirm()
    await expect.element(page.getByRole('button', { name: 'Open your demo again' })).toBeVisible()
    expect(keptDemo()).toBe('secret')
  })

  test('forgets the key when its user says so, after a warning; the choice is offered again each time', async () => {
    await open()
    await keep().click()
    await expect.element(confirmation()).toMatchTextContent(/cannot be opened again/)
    await confirmation().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(confirmation()).not.toBeInTheDocument()
    await logOutButton().click()
    await expect.element(keep()).toBeChecked()
    await keep().click()
    await confirm()
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    expect(keptDemo()).toBeNull()
  })

  test('does not offer what a real account does not have', async () => {
    keepDemo('secret')
    await openApp('/user', { as: 'real' })
    await logOutButton().click()
    await expect.element(confirmation()).toMatchTextContent(/Open positions stay open/)
    await expect.element(keep()).not.toBeInTheDocument()
    await confirm()
    await expect.element(page.getByRole('button', { name: 'Open your demo again' })).toBeVisible()
  })
})

describe('the appearance', () => {
  const { dataset } = document.documentElement

  test('is chosen by the user, and kept on the device', async () => {
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
    await choose('By language')
    await expect.poll(() => dataset['rise']).toBeUndefined()
  })
})

describe('positions closed without the user’s request are announced', () => {
  test.each([
    ['stopLoss', 101, /Stop loss/],
    ['takeProfit', 102, /Take profit/],
    ['stopOut', 103, /Stopped out: Buy 0\.10 EUR\/USD closed at 1\.08469/],
    ['operator', 104, /operator/],
  ] as const)('%s', async (endReason, id, text) => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.closedOrder({ id, endReason })] })
    await expect.element(notice(text)).toBeVisible()
  })

  test('by an operator, with role and reason', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    const endedBy = { role: 'dealing', reason: 'no papers' } as const
    push({
      type: 'orders',
      userId: 7,
      seq: 1,
      orders: [sample.closedOrder({ id: 105, endReason: 'operator', endedBy })],
    })
    await expect
      .element(notice(/Closed by the operator.*By: Dealing desk\. Reason: no papers/s))
      .toBeVisible()
  })

  test('the first three of many by name, the others as a count, and a stop-out with its level', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    const orders = [1, 2, 3, 4, 5].map((id) => sample.closedOrder({ id, endReason: 'stopOut' }))
    push({ type: 'orders', userId: 7, seq: 1, orders })
    await expect.element(notice(/And 2 more positions/)).toBeVisible()
    await expect.element(notice(/fell to 50/)).toBeVisible()
  })

  test('but not those the user closed', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByText('Equity')).toBeVisible()
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.closedOrder({ endReason: 'user' })] })
    const expired = {
      id: 1,
      kind: 'orderExpired',
      title: 'Order expired',
      text: 'It waited until noon.',
      time: 0,
    } as const
    push({ type: 'notice', userId: 7, seq: 2, notice: expired })
    await expect.element(notice(/Order expired/)).toBeVisible()
    await expect.element(notice(/It waited until noon/)).toBeVisible()
    await expect.element(page.getByText(/Closed at/)).not.toBeInTheDocument()
  })
})

test('placeholders stand for the figures until a slow response arrives', async () => {
  const release = hold(getFigures)
  await openApp('/user', { as: 'real' })
  await expect.element(page.getByRole('heading', { name: 'Equity' })).toBeVisible()
  await expect.element(page.getByText('Balance', { exact: true })).not.toBeInTheDocument()
  release()
  await expect.element(page.getByText('Balance', { exact: true })).toBeVisible()
})
