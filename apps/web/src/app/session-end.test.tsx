import {
  bindReceivingMethod,
  getFigures,
  getUser,
  listPayoutCurrencies,
  listReceivingMethods,
  logIn,
  requestWithdrawal,
  submitOrder,
  type User,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { currentToken } from '../live/device/token.ts'
import { answerOrders, choose, notice, openApp, withFakeServer } from '../testing/app.tsx'
import { answer, push, reject } from '../testing/fake-server.ts'
import { confirmation, openOrderSheet, orderSheet } from '../testing/orders.ts'
import * as pay from '../testing/payment-samples.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

beforeEach(() => {
  answer(listPayoutCurrencies, [pay.payoutCurrency()])
  answer(listReceivingMethods, [pay.receivingMethod()])
})

const reason = () => page.getByText(/^Your session has ended\. Please log in again\./).first()
const text = (name: string) => page.getByRole('textbox', { name })
const endSession = () => push({ type: 'loginResult', code: 999 })

async function logInAgain(user: User = sample.realUser()) {
  answer(logIn, { token: 'fresh', user })
  answer(getUser, user)
  await text('E-mail address').fill('ada@example.org')
  await page.getByLabelText('Password', { exact: true }).fill('correct horse')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
}

/** What somebody may type or paste. */
const TYPED = [
  ['digits', '1234.56'],
  ['spaces', '   '],
  ['marks of direction', '\u200f12\u202e34'],
  ['NUL', '12\u00003'],
  ['Arabic digits', '١٢٣'],
  ['Persian digits', '۱۲۳'],
  ['Devanagari digits', '१२३'],
  ['Thai digits', '๑๒๓'],
  ['Bengali digits', '১২৩'],
  ['full-width digits', '１２３'],
  ['ten thousand digits', '1'.repeat(10_000)],
] as const

describe('a session that ends under a form', () => {
  test('is said at the log-in, and the amount is there again after it', async () => {
    reject(requestWithdrawal, 'sessionGone', 'You have been logged out.')
    await openApp('/mine/withdraw', { as: 'real' })
    await page.getByLabelText('Amount').fill('400')
    await text('Memo (optional)').fill('For the roof')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect.element(reason()).toMatchTextContent(/What you entered will still be there, except/)
    await logInAgain()
    await expect.element(page.getByLabelText('Amount')).toHaveValue('400')
    await expect.element(text('Memo (optional)')).toHaveValue('For the roof')
    await expect.element(reason()).not.toBeInTheDocument()
  })

  test('keeps the account number and the tab, and neither passwords nor codes', async () => {
    reject(bindReceivingMethod, 'sessionGone', 'You have been logged out.')
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await page.getByLabelText('Payee', { exact: true }).fill('Ada')
    await page.getByLabelText('Bank', { exact: true }).fill('A bank')
    await page.getByLabelText('IBAN', { exact: true }).fill('DE89370400440532013000')
    await page.getByLabelText('Your password').fill('four grey herons')
    await page.getByRole('main').getByRole('button', { name: 'Add' }).click()
    await expect.element(reason()).toBeVisible()
    await logInAgain()
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toHaveValue('DE89370400440532013000')
    await expect.element(page.getByLabelText('Your password')).toHaveValue('')
  })

  test.each(TYPED)('that was being filled in, reported by the socket, keeps %s', async (_name, typed) => {
    await openApp('/mine/withdraw', { as: 'real' })
    await choose('To a bank account')
    await page.getByLabelText('Amount').fill(typed)
    // Elsewhere in the form, so that the field shows what it has read.
    await text('Memo (optional)').click()
    const { value } = page.getByLabelText('Amount').element() as HTMLInputElement
    endSession()
    await expect.element(reason()).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await logInAgain()
    await expect.element(page.getByLabelText('Amount')).toHaveValue(value)
  })

  test('keeps nothing for another user', async () => {
    await openApp('/mine/withdraw', { as: 'real' })
    await page.getByLabelText('Amount').fill('400')
    endSession()
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await logInAgain(sample.realUser({ id: 77, email: 'eve@example.org' }))
    await expect.element(page.getByLabelText('Amount')).toHaveValue('')
  })

  test('keeps nothing of a form that its user has left', async () => {
    await openApp('/mine/withdraw', { as: 'real' })
    await page.getByLabelText('Amount').fill('400')
    location.hash = '#/mine/history'
    await expect.element(page.getByLabelText('Amount')).not.toBeInTheDocument()
    endSession()
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await expect.element(reason()).not.toMatchTextContent(/What you entered/)
    await logInAgain()
    location.hash = '#/mine/withdraw'
    await expect.element(page.getByLabelText('Amount')).toHaveValue('')
  })

  test('keeps the ticket with its size', async () => {
    reject(submitOrder, 'sessionGone', 'You have been logged out.')
    await openApp('/trade?code=EURUSD', { as: 'real' })
    await page.getByRole('textbox', { name: /^Lots/ }).fill('0.35')
    await page.getByRole('button', { name: /^Buy/ }).click()
    await expect.element(reason()).toBeVisible()
    await logInAgain()
    await expect.element(page.getByRole('textbox', { name: /^Lots/ })).toHaveValue('0.35')
  })

  test('is said on a screen that visitors may see, too', async () => {
    await openApp('/trade?code=EURUSD', { as: 'real' })
    await expect.element(page.getByRole('button', { name: /^Buy/ })).toBeVisible()
    endSession()
    await expect.element(notice(/^Your session has ended/)).toBeVisible()
  })
})

/** Opens the order in full, and there a form, unless it is open already. */
const inOrder = (form?: string) => async () => {
  await openOrderSheet('EUR/USD')
  if (form !== undefined) await orderSheet().getByRole('button', { name: form }).click()
}
const dialogField = (name: string) => page.getByRole('dialog').getByRole('textbox', { name })
const press = (name: string) => async () => page.getByRole('button', { name }).first().click()
const nothing = async () => undefined

type FormRow = {
  name: string
  path: string
  /** What leads to the form, and what leads there after the log-in. */
  open: () => Promise<unknown>
  reopen: () => Promise<unknown>
  field: () => ReturnType<typeof page.getByRole>
  typed: string
  demo?: true
}

const FORMS: readonly FormRow[] = [
  {
    name: 'a message to support',
    path: '/mine/chat',
    open: nothing,
    reopen: nothing,
    field: () => page.getByLabelText('Your message'),
    typed: 'My deposit has not arrived',
  },
  {
    name: 'a text that reads wrongly',
    path: '/mine/text',
    open: nothing,
    reopen: nothing,
    field: () => page.getByLabelText('What reads wrongly'),
    typed: 'Free margin is for free',
  },
  {
    name: 'the price of an alert',
    path: '/mine/notices?tab=alerts',
    open: press('New alert'),
    reopen: nothing,
    field: () => dialogField('Price'),
    typed: '1.2345',
  },
  {
    name: 'the level of a margin alert',
    path: '/user',
    open: press('Set a margin alert'),
    reopen: nothing,
    field: () => dialogField('Margin level in percent'),
    typed: '275',
  },
  {
    name: 'the price of an alert at a position',
    path: '/order',
    open: inOrder('Alert'),
    reopen: inOrder(),
    field: () => dialogField('Price'),
    typed: '1.2345',
  },
  {
    name: 'a stop',
    path: '/order',
    open: inOrder('Set stops'),
    reopen: inOrder(),
    field: () => orderSheet().getByRole('textbox', { name: /^Stop loss/ }),
    typed: '1.0711',
  },
  {
    name: 'the distance of a trailing stop',
    path: '/order',
    open: inOrder('Trail stop'),
    reopen: inOrder(),
    field: () => dialogField('Distance in price'),
    typed: '0.0123',
  },
  {
    name: 'the lots of a partial close',
    path: '/order',
    open: inOrder('Close part'),
    reopen: inOrder(),
    field: () => dialogField('Lots to close'),
    typed: '0.03',
  },
  {
    name: 'the balance of a demo',
    path: '/user',
    open: press('Reset demo account'),
    reopen: press('Reset demo account'),
    field: () => confirmation().getByLabelText('Starting balance'),
    typed: '2500.5',
    demo: true,
  },
]

describe('what was typed when the session ended', () => {
  const endUnder = async ({ path, open, field, typed, demo }: FormRow) => {
    answerOrders({ holding: [sample.position()] })
    answer(getFigures, sample.figuresWithPosition())
    await openApp(path, { as: demo ? 'demo' : 'real' })
    await open()
    await field().fill(typed)
    endSession()
    await expect.poll(currentToken).toBe(null)
    location.hash = `#/login?from=${encodeURIComponent(path)}`
  }

  test.each(FORMS)('is there again: $name', async (form) => {
    await endUnder(form)
    await logInAgain(form.demo ? sample.demoUser() : sample.realUser())
    await expect.poll(() => location.hash).toBe(`#${form.path}`)
    await form.reopen()
    await expect.element(form.field()).toHaveValue(form.typed)
  })

  test.each(FORMS)('is not shown to somebody else: $name', async (form) => {
    await endUnder(form)
    await logInAgain(form.demo ? sample.demoUser({ id: 77 }) : sample.realUser({ id: 77 }))
    await expect.poll(() => location.hash).toBe(`#${form.path}`)
    await form.open()
    await expect.element(form.field()).toBeVisible()
    await expect.element(form.field()).not.toHaveValue(form.typed)
  })
})
