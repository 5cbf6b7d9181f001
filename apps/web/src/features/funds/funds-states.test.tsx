import { getBalanceHistory, getFunds, getStatement, listLedgerRecords } from '@fairlot/contract'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { setPreferences } from '../../live/device/preferences.ts'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import {
  answer,
  inputsOf,
  acceptConnections,
  failConnection,
  file,
  loseConnections,
  hold,
} from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const rows = () => main().getByRole('listitem')
const open = (size?: readonly [number, number]) =>
  openApp('/mine/history', { as: 'real', ...(size && { size }) })
const pointsOf = (...texts: readonly string[]) => ({
  points: texts.map((text, day) => ({ at: sample.NOON + day * 86_400_000, balance: sample.amount(text) })),
})

describe('the balance', () => {
  test('shows a failure, and can be loaded again', async () => {
    failConnection(getFunds)
    await open()
    await expect.element(page.getByText('The balance could not be loaded.')).toBeVisible()
    // Only from the press on: the log-in on the private stream, which may come late, fetches it too.
    const recover = () => answer(getFunds, { available: sample.amount('1234.5'), frozen: sample.amount('0') })
    window.addEventListener('click', recover, { capture: true, once: true })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(main()).toMatchTextContent(/Available balance\s*1,234\.50/)
  })

  test('stays while the connection is lost, and is fetched again after the reconnect', async () => {
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await open()
    await expect.element(rows()).toBeVisible()
    loseConnections()
    await expect.element(page.getByText(/No connection/)).toBeVisible()
    failConnection(getFunds)
    failConnection(listLedgerRecords)
    const before = inputsOf(getFunds).length
    acceptConnections()
    window.dispatchEvent(new Event('online'))
    await expect.element(page.getByText(/No connection/)).not.toBeInTheDocument()
    await expect.poll(() => inputsOf(getFunds).length).toBeGreaterThan(before)
    await settled()
    await expect.element(main()).toMatchTextContent(/Available balance\s*100,000\.00/)
    await expect.element(rows()).toBeVisible()
    await expect.element(page.getByText(/could not be loaded/)).not.toBeInTheDocument()
  })

  test('and every booking are hidden with the amounts, in the label of the curve too', async () => {
    setPreferences({ isBalanceHidden: true })
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    answer(getBalanceHistory, pointsOf('777', '100000'))
    await open()
    await expect
      .element(page.getByRole('img', { name: /^Balance from •••••• on .* to •••••• now$/ }))
      .toBeVisible()
    await expect.element(rows()).toMatchTextContent('Balance ••••••')
    expect(main().element().innerHTML).not.toMatch(/777|100,000|99,996|3\.61/)
  })

  test('fits a small phone, however large', async () => {
    const huge = sample.amount('-123456789012.345678')
    answer(getFunds, { available: huge, frozen: huge })
    answer(listLedgerRecords, { records: [sample.ledgerRecord({ amount: huge, balance: huge })], total: 1 })
    await open([320, 640])
    await expect.element(rows()).toMatchTextContent('−123,456,789,012.35')
    expect(overflowing()).toEqual([])
  })
})

describe('the curve', () => {
  const curve = () => page.getByRole('img', { name: /^Balance from/ })
  const pointAt = (part: number) => {
    const { left, width, top } = curve().element().getBoundingClientRect()
    const at = { clientX: left + width * part, clientY: top + 5, bubbles: true }
    curve().element().dispatchEvent(new PointerEvent('pointermove', at))
  }

  test('shows the balance at the pointer, at its edges too, and the current one without a pointer', async () => {
    answer(getBalanceHistory, pointsOf('100', '250', '175'))
    answer(getFunds, { available: sample.amount('175'), frozen: sample.amount('0') })
    await open()
    const figure = main().getByRole('figure')
    await expect.element(figure).toMatchTextContent(/^Balance175\.00/)
    pointAt(0.5)
    await expect.element(figure).toMatchTextContent(/^Jan 8, 2026, 12:00:00250\.00/)
    pointAt(-0.6)
    await expect.element(figure).toMatchTextContent(/^Jan 7, 2026, 12:00:00100\.00/)
    curve()
      .element()
      .dispatchEvent(new PointerEvent('pointerout', { bubbles: true }))
    await expect.element(figure).toMatchTextContent(/^Balance175\.00/)
  })

  test('can be loaded again after a failure, without affecting the bookings below', async () => {
    failConnection(getBalanceHistory)
    await open()
    await expect.element(page.getByText('The chart could not be loaded.')).toBeVisible()
    await expect.element(page.getByText('No transactions yet')).toBeVisible()
    answer(getBalanceHistory, pointsOf('100', '150'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(curve()).toBeVisible()
  })
})

describe('a statement', () => {
  const sheet = () => page.getByRole('dialog', { name: 'Statement' })
  const make = (format: string) => sheet().getByRole('button', { name: format, exact: true })
  const openSheet = async () => {
    await open()
    await page.getByRole('button', { name: 'Statement as PDF or CSV' }).click()
    await expect.element(sheet()).toBeVisible()
  }

  test('of days in the wrong order is rejected with a message', async () => {
    await openSheet()
    await sheet().getByLabelText('Period').selectOptions('Other period')
    const last = sheet().getByLabelText('To (inclusive)')
    await sheet().getByLabelText('From').fill('2026-01-06')
    await expect.element(last).toBeValid()
    await last.fill('2026-01-05')
    await expect.element(last).toHaveAccessibleDescription('The end date is before the start date.')
    await expect.element(make('PDF')).toBeDisabled()
    await last.fill('2026-01-06')
    await expect.element(last).toBeValid()
    await expect.element(make('PDF')).toBeEnabled()
  })

  test('is saved once under its days, and the sheet closes', async () => {
    const saved: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    const ready = Promise.withResolvers<void>()
    file(getStatement.path, new Blob(['%PDF'], { type: 'application/pdf' }), ready.promise)
    await openSheet()
    await sheet().getByLabelText('Period').selectOptions('Other period')
    await sheet().getByLabelText('From').fill('2026-01-05')
    await sheet().getByLabelText('To (inclusive)').fill('2026-01-06')
    await make('PDF').click()
    await expect.element(make('PDF')).toBeDisabled()
    await expect.element(make('CSV')).toBeDisabled()
    ready.resolve()
    await expect.element(sheet()).not.toBeInTheDocument()
    expect(saved).toEqual(['statement-2026-01-05-2026-01-06.pdf'])
    click.mockRestore()
  })

  test('shows a failure, and keeps the choice for another try', async () => {
    file(getStatement.path, null)
    await openSheet()
    await sheet().getByLabelText('Period').selectOptions('Other period')
    await sheet().getByLabelText('From').fill('2026-01-05')
    await sheet().getByLabelText('To (inclusive)').fill('2026-01-06')
    await make('CSV').click()
    await expect.element(notice(/The server could not be reached/)).toBeVisible()
    await expect.element(make('CSV')).toBeEnabled()
    await expect.element(sheet().getByLabelText('From')).toHaveValue('2026-01-05')
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet()).not.toBeInTheDocument()
  })
})

test('a failed next page of bookings shows an error, and can be loaded again', async () => {
  const all = Array.from({ length: 12 }, (_, at) => sample.ledgerRecord({ id: 100 + at }))
  answer(listLedgerRecords, { records: all.slice(0, 10), total: all.length })
  await open()
  await expect.poll(() => rows().elements().length).toBe(10)
  failConnection(listLedgerRecords)
  const more = page.getByRole('button', { name: 'Show more' })
  const release = hold(listLedgerRecords)
  await more.click()
  await expect.element(more).toBeDisabled()
  release()
  await expect.element(page.getByText('More entries could not be loaded.')).toBeVisible()
  expect(rows().elements()).toHaveLength(10)
  answer(listLedgerRecords, { records: all.slice(10), total: all.length })
  await more.click()
  await expect.poll(() => rows().elements().length).toBe(12)
  expect(inputsOf(listLedgerRecords).at(-1)?.before).toBe(109)
})
