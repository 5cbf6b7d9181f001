import { getBasicInfo, getFigures } from '@fairlot/contract'
import type { AccountFigures } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { answerOrders, DESKTOP, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const meter = () => page.getByRole('meter', { name: 'Margin level' })
const open = async (figures: Partial<AccountFigures> = {}) => {
  answer(getFigures, sample.figuresWithPosition(figures))
  await openApp('/', { as: 'demo' })
  await expect.element(page.getByText('Equity')).toBeVisible()
  await settled()
}
const pushFigures = (change: Partial<Parameters<typeof push>[0] & { type: 'account' }>) =>
  push({
    type: 'account',
    userId: 7,
    seq: 1,
    level: sample.decimal('500'),
    margin: sample.amount('361.58'),
    profit: sample.amount('3'),
    balance: sample.amount('99996.38'),
    reserved: sample.amount('0'),
    orders: [],
    computedAt: Date.now(),
    ...change,
  })

describe('the account at a glance', () => {
  test('has equity, profit and level, the rest below', async () => {
    await open()
    for (const text of [/Equity\s*99,999\.38/, /Open profit\s*\+3\.00/, /Balance\s*99,996\.38/])
      await expect.element(main()).toMatchTextContent(text)
    await expect.element(main()).toMatchTextContent(/Margin level\s*27,656/)
    await expect.element(main()).toMatchTextContent(/Free margin\s*99,637\.80/)
  })

  test('without margin in use shows a dash and explains it', async () => {
    await open({ level: null, margin: sample.amount('0') })
    await expect.element(page.getByTitle('No margin in use')).toMatchTextContent('–')
    await expect.element(meter()).toHaveAttribute('aria-valuetext', 'No margin in use')
    await expect.element(meter()).toHaveAttribute('aria-valuenow', '100')
  })

  test('of a new real account leads to identity, deposit and first order instead of zeros', async () => {
    const none = sample.amount('0')
    answer(
      getFigures,
      sample.figuresWithPosition({ balance: none, equity: none, margin: none, free: none, level: null }),
    )
    await openApp('/', { as: 'real' })
    await expect.element(page.getByText('Three steps to your first order')).toBeVisible()
    await expect.element(page.getByText('Equity')).not.toBeInTheDocument()
    await expect.element(meter()).not.toBeInTheDocument()
    for (const text of ['Make a deposit', 'Place your first order'])
      await expect.element(main()).toMatchTextContent(text)
  })

  test('of a new real account shows the next step instead of zeros in the header of a wide window', async () => {
    const none = sample.amount('0')
    answer(
      getFigures,
      sample.figuresWithPosition({ balance: none, equity: none, margin: none, free: none, level: null }),
    )
    await openApp('/news', { as: 'real', size: DESKTOP })
    const header = page.getByRole('banner')
    await expect
      .element(header.getByRole('link', { name: 'Verify your identity' }))
      .toHaveAttribute('href', '#/mine/auth')
    await expect.element(header.getByText('Equity')).not.toBeInTheDocument()
  })

  test('of a new real account is the same on the account screen', async () => {
    const none = sample.amount('0')
    answer(
      getFigures,
      sample.figuresWithPosition({ balance: none, equity: none, margin: none, free: none, level: null }),
    )
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('Three steps to your first order')).toBeVisible()
    await expect.element(page.getByText('Equity')).not.toBeInTheDocument()
    await expect.element(meter()).not.toBeInTheDocument()
  })

  test('of a new real account shows that deposits are not available while the broker has one operator', async () => {
    const none = sample.amount('0')
    answer(
      getFigures,
      sample.figuresWithPosition({ balance: none, equity: none, margin: none, free: none, level: null }),
    )
    answer(getBasicInfo, sample.basicInfo({ isSingleOperator: true }))
    await openApp('/', { as: 'real' })
    await expect
      .element(main())
      .toMatchTextContent('Deposits are not available yet: they require a second operator.')
  })

  test('a loss has its sign', async () => {
    await open({ profit: sample.amount('-12.34') })
    await expect.element(main()).toMatchTextContent(/Open profit\s*−12\.34/)
  })

  test('is a placeholder until the first response', async () => {
    const release = hold(getFigures)
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByRole('link', { name: /EUR\/USD/ })).toBeVisible()
    await expect.element(page.getByText('Equity')).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('Equity')).toBeVisible()
  })

  test('a failed request affects nothing else', async () => {
    failConnection(getFigures)
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByRole('link', { name: /EUR\/USD/ })).toBeVisible()
  })

  test('very large amounts make the page no wider than the screen', async () => {
    const huge = sample.amount('-123456789012.34')
    answer(
      getFigures,
      sample.figuresWithPosition({ equity: huge, balance: huge, profit: huge, free: huge, margin: huge }),
    )
    await openApp('/', { as: 'demo', size: [320, 700] })
    await expect.element(main()).toMatchTextContent('−123,456,789,012.34')
    expect(overflowing()).toEqual([])
  })
})

describe('what is pushed', () => {
  test('updates the figures without another request', async () => {
    await open()
    const before = inputsOf(getFigures).length
    pushFigures({ profit: sample.amount('-100'), level: sample.decimal('400') })
    await expect.element(main()).toMatchTextContent(/Equity\s*99,896\.38/)
    await expect.element(main()).toMatchTextContent(/Open profit\s*−100\.00/)
    await expect.element(main()).toMatchTextContent(/Margin level\s*400\.00/)
    expect(inputsOf(getFigures).length).toBe(before)
  })

  test('booked money appears in the balance at once', async () => {
    await open()
    const record = sample.ledgerRecord({ amount: sample.amount('500'), balance: sample.amount('100496.38') })
    push({
      type: 'funds',
      userId: 7,
      seq: 1,
      frozen: sample.amount('0'),
      records: [record],
      available: sample.amount('100496.38'),
    })
    await expect.element(main()).toMatchTextContent(/Balance\s*100,496\.38/)
  })

  test('figures that repeat a number this device has missed cause a new request', async () => {
    await open()
    push({ type: 'closed', seq: 1, orderIds: [] })
    const before = inputsOf(getFigures).length
    pushFigures({ seq: 4 })
    await expect.poll(() => inputsOf(getFigures).length).toBeGreaterThan(before)
  })
})

describe('the margin call', () => {
  const low = { level: sample.decimal('95'), margin: sample.amount('100000') }

  test('explains at the warning level what happens at the stop-out', async () => {
    await open(low)
    const call = page.getByRole('status').filter({ hasText: 'Margin call.' })
    await expect.element(call).toMatchTextContent(/at or below 100.*At 50.*positions are closed/)
  })

  test('uses the levels of the deployment', async () => {
    answer(
      getBasicInfo,
      sample.basicInfo({ warningLevel: sample.decimal('80'), stopOutLevel: sample.decimal('30') }),
    )
    await open(low)
    await expect.element(meter()).toBeInTheDocument()
    await expect.element(page.getByText('Margin call.')).not.toBeInTheDocument()
    await expect.element(page.getByText(/Stop-out at 30/)).toBeInTheDocument()
  })

  test('becomes more urgent near the stop-out', async () => {
    await open({ ...low, level: sample.decimal('55') })
    await expect.element(page.getByText('The stop-out is near.')).toBeVisible()
  })

  test('disappears when the market recovers', async () => {
    await open(low)
    await expect.element(page.getByText('Margin call.')).toBeVisible()
    pushFigures({ level: sample.decimal('500') })
    await expect.element(page.getByText('Margin call.')).not.toBeInTheDocument()
  })

  test('shows the stop-out price of each position beside the current price', async () => {
    answerOrders({ holding: [sample.position()] })
    answer(
      getFigures,
      sample.figures({ ...low, balance: sample.amount('250'), equity: sample.amount('253') }),
    )
    await openApp('/', { as: 'demo' })
    await expect.element(page.getByRole('heading', { name: 'Stopped out at' })).toBeVisible()
    await expect.element(main()).toMatchTextContent(/EUR\/USD · Buy\s*1\.\d{5}.*now 1\.08469/)
  })

  test('is shown on the desktop too', async () => {
    answer(getFigures, sample.figuresWithPosition(low))
    await openApp('/', { as: 'demo', size: DESKTOP })
    await expect.element(page.getByText('Margin call.')).toBeVisible()
  })
})

describe('the filled part of the margin bar', () => {
  test.each([
    ['27656.22', '100'],
    ['200', '50'],
    ['100', '100'],
    ['50', '50'],
    ['0', '0'],
    ['-20', '0'],
  ])('at a level of %s percent: %s', async (level, part) => {
    await open({ level: sample.decimal(level) })
    await expect.element(meter()).toHaveAttribute('aria-valuenow', part)
  })
})
