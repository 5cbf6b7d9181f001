import {
  addPersonNote,
  askPersonAdjustment,
  closePersonOrder,
  getPerson,
  listPersonNotes,
  listPersonOrders,
  type PersonProfile,
  type PersonRow,
  searchPeople,
  setPersonStatus,
  verifyPerson,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, askedWith, cut, refuse } from '../../testing/fake-server.ts'
import { openOrder } from '../../testing/samples.ts'

withFakeServer()

const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const NONE = money(0n)

const found = (changes: Partial<PersonRow> = {}): PersonRow => ({
  ...{ id: 17, uid: '100017', isDemo: false, contact: 'a@mail.example', status: 'active' },
  ...{ registeredAt: Date.UTC(2026, 9, 14), foundBy: 'newest' },
  ...changes,
})

const person = (changes: Partial<PersonProfile> = {}): PersonProfile => ({
  user: {
    ...{ id: 17, uid: '100017', email: 'a@mail.example', phone: null, areaCode: null, isDemo: false },
    ...{ inviteCode: 'AB', creditScore: 100, restriction: null, identityCheck: 'form' },
  },
  ...{ status: 'active', statusReason: '', area: 'HK', language: 'hk', registeredAt: Date.UTC(2026, 9, 14) },
  ...{ hasSecondFactor: true, invitedBy: null, noteCount: 0 },
  figures: {
    ...{ balance: money(1_000_000_000n), equity: money(1_012_500_000n), profit: money(12_500_000n) },
    ...{ free: money(900_000_000n), margin: money(112_500_000n), level: 900 as never },
    ...{ reserved: NONE, frozen: NONE, openOrders: 1 },
  },
  ...{ deposits: money(1_500_000_000n), withdrawals: money(200_000_000n) },
  ...changes,
})

async function openPerson(tab = '', options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answer(getPerson, person())
  await openDesk(`/people/17${tab}`, options)
  await expect.element(page.getByRole('heading', { name: '100017' })).toBeVisible()
}

describe('the list', () => {
  test('is searched by one line, and opens whoever is found', async () => {
    answer(searchPeople, ({ query }) => ({
      people: query === '' ? [found()] : [found({ foundBy: 'order' })],
      total: 1,
    }))
    answer(getPerson, person())
    await openDesk('/people')
    await expect.element(row('100017')).toBeVisible()
    await page.getByRole('searchbox').fill(' 4711 ')
    await expect.element(row('100017')).toMatchTextContent(/order/)
    expect(asked(searchPeople).at(-1)).toEqual({ query: '4711', page: 1 })
    await row('100017').click()
    await expect.element(page.getByRole('heading', { name: '100017' })).toBeVisible()
  })

  test('says what can be looked for when nobody is found', async () => {
    answer(searchPeople, { people: [], total: 0 })
    await openDesk('/people?find=nobody')
    await expect.element(page.getByText('Nobody is found by this')).toBeVisible()
  })
})

describe('a person', () => {
  test('is shown with what the account is worth and who it is', async () => {
    await openPerson()
    await expect.element(page.getByRole('region', { name: 'Equity' })).toMatchTextContent(/1,012\.50/)
    await expect.element(page.getByText('Hong Kong', { exact: false }).first()).toBeVisible()
    await expect.element(page.getByText('a@mail.example')).toBeVisible()
  })

  test('who is not there is said so', async () => {
    refuse(getPerson, 'accountNotFound', 'There is no such account.')
    await openDesk('/people/99')
    await expect.element(page.getByText('There is no such account.')).toBeVisible()
    await openDesk('/people/nobody')
    await expect.element(page.getByText('There is nobody of this number.')).toBeVisible()
  })

  test('offers only what the role may do', async () => {
    await openPerson('', { as: self({ role: 'finance' }) })
    await press('Act')
    await expect.element(page.getByText('Ask for an adjustment')).toBeVisible()
    expect(page.getByText('Restrict or free').query()).toBe(null)
  })

  test('is frozen with a reason, from what the form showed', async () => {
    await openPerson('', { as: self({ role: 'compliance' }) })
    await press('Act')
    await page.getByRole('button', { name: /Restrict or free/ }).click()
    await page.getByLabelText('May do').selectOptions('frozen')
    answer(setPersonStatus, { status: 'frozen' })
    await page.getByLabelText('Reason').fill('papers are missing')
    await press('Restrict it')
    await expect.element(page.getByText('Now: frozen.').first()).toBeVisible()
    expect(asked(setPersonStatus)).toEqual([
      { id: 17, before: 'active', status: 'frozen', reason: 'papers are missing' },
    ])
  })

  test('is verified by compliance with a reason, and the head says so', async () => {
    await openPerson('', { as: self({ role: 'compliance' }) })
    await expect.element(page.getByText('not verified').first()).toBeVisible()
    await press('Act')
    await page.getByRole('button', { name: /^Identity/ }).click()
    answer(verifyPerson, null)
    const { user } = person()
    answer(getPerson, person({ user: { ...user, identityCheck: 'verified' } }))
    await page.getByLabelText('Reason').fill('passport seen')
    await press('Verified')
    await expect.element(page.getByText('verified', { exact: true })).toBeVisible()
    expect(asked(verifyPerson)).toEqual([{ accountId: 17, outcome: 'verified', reason: 'passport seen' }])
  })

  test('an adjustment shows the balance before and after, and waits for another person', async () => {
    await openPerson('', { as: self({ role: 'finance' }) })
    await press('Act')
    await page.getByRole('button', { name: /Ask for an adjustment/ }).click()
    await page.getByLabelText('Reason').fill('a promise kept')
    await press('Ask for it')
    await expect.element(page.getByText(/Write an amount/).first()).toBeVisible()
    await page.getByLabelText(/Amount/).fill('−25.5')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('974.50')
    cut(askPersonAdjustment)
    await press('Ask for it')
    await expect.element(page.getByText(/did not answer/).first()).toBeVisible()
    answer(askPersonAdjustment, { caseId: 3 })
    await press('Ask for it')
    await expect.element(page.getByText(/waits for another person/).first()).toBeVisible()
    const adjustment = { id: 17, amount: -25_500_000n, reason: 'a promise kept' }
    expect(asked(askPersonAdjustment)).toEqual([adjustment, adjustment])
    // The same thing under the same name: whatever became of the first, there is one case.
    const names = askedWith(askPersonAdjustment).map((headers) => headers.get('idempotency-key'))
    expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), names[0]])
  })
})

describe('an order', () => {
  test('opens beside the list with its receipts, and is closed with a reason', async () => {
    answer(listPersonOrders, { orders: [openOrder()], total: 1, profit: NONE, balance: NONE })
    await openPerson('/orders', { as: self({ role: 'dealing' }) })
    await row('buy').click()
    await expect.element(page.getByRole('region', { name: 'Receipt: Opened' })).toBeVisible()
    await press("Close at the market's price")
    answer(closePersonOrder, { order: openOrder({ status: 'closed', endReason: 'operator' }) })
    await page.getByLabelText('Reason').fill('not for this country')
    await press('Close it')
    await expect.element(page.getByText("Closed at the market's price.").first()).toBeVisible()
    expect(asked(closePersonOrder)).toEqual([{ id: 17, orderId: 41, reason: 'not for this country' }])
  })

  test('cannot be closed by a role that may not', async () => {
    answer(listPersonOrders, { orders: [openOrder()], total: 1, profit: NONE, balance: NONE })
    await openPerson('/orders', { as: self({ role: 'administrator' }) })
    await row('buy').click()
    await expect.element(page.getByRole('region', { name: 'Receipt: Opened' })).toBeVisible()
    expect(page.getByRole('button', { name: /Close at/ }).query()).toBe(null)
  })
})

test('a note is kept as it was typed, and shown as text on a phone too', async () => {
  const text = '<b>called</b> twice'
  const note = { id: 1, at: Date.UTC(2026, 10, 22), operator: 'S.', role: 'support', text } as const
  answer(listPersonNotes, { notes: [], total: 0 })
  await openPerson('/notes', { size: PHONE })
  answer(addPersonNote, { note })
  answer(listPersonNotes, { notes: [note], total: 1 })
  await page.getByLabelText('New note').fill(text)
  await userEvent.tab()
  await press('Keep note')
  await expect.element(page.getByText(text)).toBeVisible()
  expect(asked(addPersonNote)).toEqual([{ id: 17, text }])
})
