import {
  addUserNote,
  requestAdjustment,
  closeUserOrder,
  getUserEquity,
  getUserProfile,
  listUserCopies,
  listUserNotes,
  listUserOrders,
  type UserCopy,
  type UserProfile,
  type UserSearchRow,
  searchUsers,
  setCreditScore,
  setStaff,
  setUserStatus,
  type UserEquityPoint,
  verifyPerson,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { logOut } from '../../live/session.ts'
import { logInAgain, openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import {
  answer,
  inputsOf,
  headersOf,
  failConnection,
  pushChanged,
  reject,
} from '../../testing/fake-server.ts'
import { openOrder, strategySample } from '../../testing/samples.ts'

withFakeServer()

const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const ZERO = money(0n)

const found = (changes: Partial<UserSearchRow> = {}): UserSearchRow => ({
  id: 17,
  uid: '100017',
  isDemo: false,
  contact: 'a@mail.example',
  status: 'active',
  registeredAt: Date.UTC(2026, 9, 14),
  foundBy: 'newest',
  ...changes,
})

const profile = (changes: Partial<UserProfile> = {}): UserProfile => ({
  user: {
    id: 17,
    uid: '100017',
    email: 'a@mail.example',
    phone: null,
    areaCode: null,
    isDemo: false,
    inviteCode: 'AB',
    creditScore: 100,
    restriction: null,
    identityCheck: 'form',
  },
  status: 'active',
  statusReason: '',
  freezeLapsesAt: null,
  area: 'HK',
  language: 'hk',
  registeredAt: Date.UTC(2026, 9, 14),
  hasSecondFactor: true,
  passkeys: 0,
  invitedBy: null,
  noteCount: 0,
  figures: {
    balance: money(1_000_000_000n),
    equity: money(1_012_500_000n),
    profit: money(12_500_000n),
    free: money(900_000_000n),
    margin: money(112_500_000n),
    level: 900 as never,
    reserved: ZERO,
    frozen: ZERO,
    openOrders: 1,
  },
  deposits: money(1_500_000_000n),
  withdrawals: money(200_000_000n),
  ...changes,
})

async function openUser(tab = '', options: Parameters<typeof openDesk>[1] = {}): Promise<void> {
  answer(getUserProfile, profile())
  await openDesk(`/people/17${tab}`, options)
  await expect.element(page.getByRole('heading', { name: '100017' })).toBeVisible()
}

describe('the list', () => {
  test('is searched with one field, and opens a found user', async () => {
    answer(searchUsers, ({ query }) => ({
      people: query === '' ? [found()] : [found({ foundBy: 'order' })],
      total: 1,
    }))
    answer(getUserProfile, profile())
    await openDesk('/people')
    await expect.element(row('100017')).toBeVisible()
    await page.getByRole('searchbox').fill(' 4711 ')
    await expect.element(row('100017')).toMatchTextContent(/order/)
    expect(inputsOf(searchUsers).at(-1)).toEqual({ query: '4711', page: 1 })
    await row('100017').click()
    await expect.element(page.getByRole('heading', { name: '100017' })).toBeVisible()
  })

  test('says what can be searched for when no user matches', async () => {
    answer(searchUsers, { people: [], total: 0 })
    await openDesk('/people?find=nobody')
    await expect.element(page.getByText('No user matches')).toBeVisible()
  })
})

describe('a user', () => {
  test('is shown with the account figures and contact details', async () => {
    await openUser()
    await expect.element(page.getByRole('region', { name: 'Equity' })).toMatchTextContent(/1,012\.50/)
    await expect.element(page.getByText('Hong Kong', { exact: false }).first()).toBeVisible()
    await expect.element(page.getByText('a@mail.example')).toBeVisible()
  })

  test('an unknown user is reported as such', async () => {
    reject(getUserProfile, 'accountNotFound', 'There is no such account.')
    await openDesk('/people/99')
    await expect.element(page.getByText('There is no such account.')).toBeVisible()
    await openDesk('/people/nobody')
    await expect.element(page.getByText('There is no user with this number.')).toBeVisible()
  })

  test('has only the actions that the role allows', async () => {
    await openUser('', { as: self({ role: 'finance' }) })
    await press('Actions')
    await expect.element(page.getByText('Request an adjustment')).toBeVisible()
    expect(page.getByText('Account status').query()).toBe(null)
  })

  test('is frozen with a reason, from the status that the form showed', async () => {
    await openUser('', { as: self({ role: 'compliance' }) })
    await press('Actions')
    await page.getByRole('button', { name: /Account status/ }).click()
    await page.getByLabelText('Account status').selectOptions('frozen')
    answer(setUserStatus, { status: 'frozen', approvalId: null })
    await page.getByLabelText('Reason').fill('papers are missing')
    await press('Restrict')
    await expect.element(page.getByText('Account status: frozen.').first()).toBeVisible()
    expect(inputsOf(setUserStatus)).toEqual([
      { id: 17, before: 'active', status: 'frozen', reason: 'papers are missing' },
    ])
  })

  test('keeps a credit score that another operator set while the form was open', async () => {
    await openUser('', { as: self({ role: 'compliance' }) })
    await press('Actions')
    await page.getByRole('button', { name: /Credit score/ }).click()
    const score = page.getByLabelText('New score')
    await expect.element(score).toHaveValue('100')
    const { user } = profile()
    answer(getUserProfile, profile({ user: { ...user, creditScore: 80 } }))
    pushChanged('people')
    await expect.element(score).toHaveValue('80')
    await page.getByLabelText('Reason').fill('a late payment')
    await press('Set score')
    await expect.element(page.getByText(/Enter a different whole number/)).toBeVisible()
    expect(inputsOf(setCreditScore)).toEqual([])
    await score.fill('70')
    answer(setCreditScore, { score: 70 })
    await press('Set score')
    await expect.element(page.getByText('Credit score changed.').first()).toBeVisible()
    expect(inputsOf(setCreditScore)).toEqual([{ id: 17, before: 80, score: 70, reason: 'a late payment' }])
  })

  test('is verified without documents once a second operator approves', async () => {
    await openUser('', { as: self({ role: 'compliance' }) })
    await expect.element(page.getByText('not verified').first()).toBeVisible()
    await press('Actions')
    await page.getByRole('button', { name: /^Identity/ }).click()
    answer(verifyPerson, { approvalId: 5 })
    await page.getByLabelText('Reason').fill('passport seen')
    await press('Request')
    await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
    expect(inputsOf(verifyPerson)).toEqual([{ accountId: 17, outcome: 'verified', reason: 'passport seen' }])
  })

  test('an adjustment shows the balance before and after, and waits for a second operator', async () => {
    await openUser('', { as: self({ role: 'finance' }) })
    await press('Actions')
    await page.getByRole('button', { name: /Request an adjustment/ }).click()
    await page.getByLabelText('Reason').fill('a promise kept')
    await press('Request')
    await expect.element(page.getByText(/Enter an amount/).first()).toBeVisible()
    await page.getByLabelText(/Amount/).fill('−25.5')
    await expect.element(page.getByRole('insertion')).toHaveTextContent('974.50')
    failConnection(requestAdjustment)
    await press('Request')
    await expect.element(page.getByText(/did not answer/).first()).toBeVisible()
    answer(requestAdjustment, { caseId: 3 })
    await press('Request')
    await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
    const adjustment = { id: 17, amount: -25_500_000n, reason: 'a promise kept' }
    expect(inputsOf(requestAdjustment)).toEqual([adjustment, adjustment])
    // The same request id: whatever became of the first request, there is one case.
    const ids = headersOf(requestAdjustment).map((headers) => headers.get('idempotency-key'))
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0]])
  })
})

describe('an order', () => {
  test('opens beside the list with its receipts, and is closed by two operators on one of the listed grounds', async () => {
    answer(listUserOrders, { orders: [openOrder()], total: 1, profit: ZERO, balance: ZERO })
    await openUser('/orders', { as: self({ role: 'dealing' }) })
    await row('buy').click()
    await expect.element(page.getByRole('region', { name: 'Receipt: Opened' })).toBeVisible()
    await press('Close at market price')
    answer(closeUserOrder, { approvalId: 5 })
    await page.getByLabelText('Ground for closing').selectOptions('The client agreement was broken')
    await page.getByLabelText('Reason', { exact: true }).fill('not for this country')
    await press('Request closing')
    await expect.element(page.getByText(/It waits for a second operator/).first()).toBeVisible()
    expect(inputsOf(closeUserOrder)).toEqual([
      { id: 17, orderId: 41, ground: 'termsBroken', reason: 'not for this country' },
    ])
  })

  test('cannot be closed by a role that may not', async () => {
    answer(listUserOrders, { orders: [openOrder()], total: 1, profit: ZERO, balance: ZERO })
    await openUser('/orders', { as: self({ role: 'administrator' }) })
    await row('buy').click()
    await expect.element(page.getByRole('region', { name: 'Receipt: Opened' })).toBeVisible()
    expect(page.getByRole('button', { name: /Close at/ }).query()).toBe(null)
  })
})

describe('copies', () => {
  const copy = (changes: Partial<UserCopy> = {}): UserCopy => ({
    id: 40,
    strategyId: 12,
    name: 'Calm water',
    providerId: 31,
    state: 'running',
    endReason: null,
    putIn: money(1_000_000_000n),
    takenOut: money(250_000_000n),
    equity: money(812_500_000n),
    feePaid: money(1_500_000n),
    positions: 2,
    startedAt: Date.UTC(2026, 9, 14),
    endedAt: null,
    ...changes,
  })

  const NOT_STAFF = { isStaff: false, otherAccounts: [] }

  test('are shown with money, fees and state, and lead to the provider', async () => {
    const ended = copy({ id: 38, state: 'ended', endReason: 'stopLoss', equity: null })
    answer(listUserCopies, { copies: [copy(), ended], strategy: null, ...NOT_STAFF, total: 2 })
    await openUser('/copies', { as: self({ role: 'support' }) })
    await expect
      .element(row('Copy 40'))
      .toMatchTextContent(/Calm water\s*Copy 40\s*100031\s*running\s*1,000.00\s*250.00\s*812.50\s*1.50\s*2/)
    await expect.element(row('Copy 38')).toMatchTextContent(/Copy 38 · copy stop loss.*ended.*–/)
    expect(page.getByRole('region', { name: 'Strategy' }).query()).toBe(null)
    await row('Copy 40').getByRole('link', { name: '100031' }).click()
    await expect.poll(() => location.hash).toBe('#/people/31')
  })

  test('stand below the strategy that the user publishes, with a link to its reports', async () => {
    answer(listUserCopies, {
      copies: [],
      strategy: strategySample({ isHidden: true }),
      ...NOT_STAFF,
      total: 0,
    })
    await openUser('/copies', { size: PHONE })
    const own = page.getByRole('region', { name: 'Strategy' })
    await expect.element(own).toMatchTextContent(/Publishes Calm water.*hidden.*12.5 %.*1,204/)
    await expect.element(page.getByText('No copies yet')).toBeVisible()
    const link = own.getByRole('link', { name: '1 open report' })
    await expect.element(link).toHaveAttribute('href', '#/copying?find=12')
  })

  test('name the other accounts of the person, who is recorded as staff with a reason', async () => {
    const none = { copies: [], strategy: null, total: 0 }
    answer(listUserCopies, { ...none, isStaff: false, otherAccounts: [31] })
    await openUser('/copies', { as: self({ role: 'compliance' }) })
    const publishing = page.getByRole('region', { name: 'Publishing' })
    await expect
      .element(publishing)
      .toMatchTextContent(/Not recorded as working for us. The same person: 100031/)
    await press('Works for us')
    await page.getByLabelText('Reason', { exact: true }).fill('answers the phone here')
    answer(setStaff, { isStaff: true })
    answer(listUserCopies, { ...none, isStaff: true, otherAccounts: [31] })
    await press('Record')
    await expect.element(publishing).toMatchTextContent(/Works for us, so may not publish strategies./)
    expect(inputsOf(setStaff)).toEqual([{ id: 17, isStaff: true, reason: 'answers the phone here' }])
    await press('No longer works for us')
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/may publish strategies again/)
  })

  test('do not offer to record staff to a role that may only look', async () => {
    answer(listUserCopies, { copies: [], strategy: null, ...NOT_STAFF, total: 0 })
    await openUser('/copies', { as: self({ role: 'support' }) })
    await expect.element(page.getByRole('region', { name: 'Publishing' })).toBeVisible()
    expect(page.getByRole('button', { name: 'Works for us' }).query()).toBe(null)
  })
})

describe('the equity by hour', () => {
  const hour = Date.UTC(2026, 10, 22, 9)
  const point = (hours: number, equity: bigint | null): UserEquityPoint => ({
    moment: hour + hours * 3_600_000,
    balance: money(1_000_000_000n),
    equity: equity === null ? null : money(equity),
  })
  const openEquity = (...points: UserEquityPoint[]) => {
    answer(getUserEquity, { points })
    return openUser('/equity')
  }
  test('a single point is shown with its figure', async () => {
    await openEquity(point(0, 1_012_500_000n))
    await expect.element(page.getByRole('img', { name: 'Equity 1,012.50 on 22 Nov, 09:00' })).toBeVisible()
    await expect.element(page.getByText(/^low 1,012.50/)).toBeVisible()
  })

  test('hours without a price say so', async () => {
    await openEquity(point(0, null), point(1, null))
    await expect.element(page.getByText('No equity known')).toBeVisible()
  })
})

test('a note is stored as entered, and shown as plain text on a phone too', async () => {
  const text = '<b>called</b> twice'
  const note = { id: 1, at: Date.UTC(2026, 10, 22), operator: 'S.', role: 'support', text } as const
  answer(listUserNotes, { notes: [], total: 0 })
  await openUser('/notes', { size: PHONE })
  answer(addUserNote, { note })
  answer(listUserNotes, { notes: [note], total: 1 })
  await page.getByLabelText('New note').fill(text)
  await userEvent.tab()
  await press('Save note')
  await expect.element(page.getByText(text)).toBeVisible()
  expect(inputsOf(addUserNote)).toEqual([{ id: 17, text }])
})

describe('a session that ends by inactivity', () => {
  const note = () => page.getByLabelText('New note')

  test('leaves a half-written note to the operator who wrote it', async () => {
    answer(listUserNotes, { notes: [], total: 0 })
    await openUser('/notes')
    await note().fill('Called, said that')
    await logOut('idle')
    await logInAgain()
    await expect.element(note()).toHaveValue('Called, said that')
  })

  test('shows a half-written note to no other operator', async () => {
    answer(listUserNotes, { notes: [], total: 0 })
    await openUser('/notes')
    await note().fill('Called, said that')
    await logOut('idle')
    await logInAgain(self({ id: 5, name: 'E. Editor' }))
    await expect.element(note()).toHaveValue('')
  })

  test('leaves the figure and the reason of a dialog', async () => {
    await openUser()
    const open = async () => {
      await press('Actions')
      await page.getByRole('button', { name: /Credit score/ }).click()
    }
    await open()
    await page.getByLabelText('New score').fill('77')
    await page.getByLabelText('Reason').fill('Paid in time for')
    await logOut('idle')
    await logInAgain()
    await open()
    await expect.element(page.getByLabelText('New score')).toHaveValue('77')
    await expect.element(page.getByLabelText('Reason')).toHaveValue('Paid in time for')
  })

  test('leaves nothing after a log-out that the operator wanted', async () => {
    answer(listUserNotes, { notes: [], total: 0 })
    await openUser('/notes')
    await note().fill('Called, said that')
    await logOut()
    await logInAgain()
    await expect.element(note()).toHaveValue('')
  })
})
