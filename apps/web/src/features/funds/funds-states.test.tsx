import { getBalanceHistory, getFunds, getStatement, listLedgerRecords } from '@fairlot/contract'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sticksOut } from '../../../../../testing/sticks-out.ts'
import { setPreferences } from '../../live/device/preferences.ts'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, comeUp, cut, file, goDown, hold } from '../../testing/fake-server.ts'
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
  test('that could not be had is said, and asked for again by itself', async () => {
    cut(getFunds)
    await open()
    await expect.element(page.getByText('The balance could not be loaded.')).toBeVisible()
    answer(getFunds, { available: sample.amount('1234.5'), frozen: sample.amount('0') })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(main()).toMatchTextContent(/Available balance\s*1,234\.50/)
  })

  test('stays while the connection is gone, and is fetched anew when it is back', async () => {
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await open()
    await expect.element(rows()).toBeVisible()
    goDown()
    await expect.element(page.getByText(/No connection/)).toBeVisible()
    cut(getFunds)
    cut(listLedgerRecords)
    const before = asked(getFunds).length
    comeUp()
    window.dispatchEvent(new Event('online'))
    await expect.element(page.getByText(/No connection/)).not.toBeInTheDocument()
    await expect.poll(() => asked(getFunds).length).toBeGreaterThan(before)
    await settled()
    await expect.element(main()).toMatchTextContent(/Available balance\s*100,000\.00/)
    await expect.element(rows()).toBeVisible()
    await expect.element(page.getByText(/could not be loaded/)).not.toBeInTheDocument()
  })

  test('and every booking are hidden where amounts are, the words of the curve too', async () => {
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

  test('however large fits a small phone', async () => {
    const huge = sample.amount('-123456789012.345678')
    answer(getFunds, { available: huge, frozen: huge })
    answer(listLedgerRecords, { records: [sample.ledgerRecord({ amount: huge, balance: huge })], total: 1 })
    await open([320, 640])
    await expect.element(rows()).toMatchTextContent('−123,456,789,012.345678')
    expect(sticksOut()).toEqual([])
  })
})

describe('the curve', () => {
  const curve = () => page.getByRole('img', { name: /^Balance from/ })
  const touch = (part: number) => {
    const { left, width, top } = curve().element().getBoundingClientRect()
    const at = { clientX: left + width * part, clientY: top + 5, bubbles: true }
    curve().element().dispatchEvent(new PointerEvent('pointermove', at))
  }

  test('is read by a finger: the balance of that day, at its edges too, and that of now without one', async () => {
    answer(getBalanceHistory, pointsOf('100', '250', '175'))
    answer(getFunds, { available: sample.amount('175'), frozen: sample.amount('0') })
    await open()
    const figure = main().getByRole('figure')
    await expect.element(figure).toMatchTextContent(/^Balance175\.00/)
    touch(0.5)
    await expect.element(figure).toMatchTextContent(/^Jan 8, 2026, 12:00:00250\.00/)
    touch(-0.6)
    await expect.element(figure).toMatchTextContent(/^Jan 7, 2026, 12:00:00100\.00/)
    curve()
      .element()
      .dispatchEvent(new PointerEvent('pointerout', { bubbles: true }))
    await expect.element(figure).toMatchTextContent(/^Balance175\.00/)
  })

  test('that did not come is asked for again, and the bookings below are not touched', async () => {
    cut(getBalanceHistory)
    await open()
    await expect.element(page.getByText('The curve could not be loaded.')).toBeVisible()
    await expect.element(page.getByText('No booking yet')).toBeVisible()
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

  test('of days in the wrong order is not made, and that is said', async () => {
    await openSheet()
    await sheet().getByLabelText('Period').selectOptions('Other days')
    const last = sheet().getByLabelText('To, included')
    await sheet().getByLabelText('From').fill('2026-01-06')
    await expect.element(last).toBeValid()
    await last.fill('2026-01-05')
    await expect.element(last).toHaveAccessibleDescription('This day is before the first.')
    await expect.element(make('PDF')).toBeDisabled()
    await last.fill('2026-01-06')
    await expect.element(last).toBeValid()
    await expect.element(make('PDF')).toBeEnabled()
  })

  test('is saved under its days, made once, and the sheet closes', async () => {
    const saved: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    const ready = Promise.withResolvers<void>()
    file(getStatement.path, new Blob(['%PDF'], { type: 'application/pdf' }), ready.promise)
    await openSheet()
    await sheet().getByLabelText('Period').selectOptions('Other days')
    await sheet().getByLabelText('From').fill('2026-01-05')
    await sheet().getByLabelText('To, included').fill('2026-01-06')
    await make('PDF').click()
    await expect.element(make('PDF')).toBeDisabled()
    await expect.element(make('CSV')).toBeDisabled()
    ready.resolve()
    await expect.element(sheet()).not.toBeInTheDocument()
    expect(saved).toEqual(['statement-2026-01-05-2026-01-06.pdf'])
    click.mockRestore()
  })

  test('that did not come is said, and the choice stays for another try', async () => {
    file(getStatement.path, null)
    await openSheet()
    await sheet().getByLabelText('Period').selectOptions('Other days')
    await sheet().getByLabelText('From').fill('2026-01-05')
    await sheet().getByLabelText('To, included').fill('2026-01-06')
    await make('CSV').click()
    await expect.element(notice(/The server could not be reached/)).toBeVisible()
    await expect.element(make('CSV')).toBeEnabled()
    await expect.element(sheet().getByLabelText('From')).toHaveValue('2026-01-05')
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet()).not.toBeInTheDocument()
  })
})

test('the next bookings that did not come are said, and asked for again', async () => {
  const all = Array.from({ length: 12 }, (_, at) => sample.ledgerRecord({ id: 100 + at }))
  answer(listLedgerRecords, { records: all.slice(0, 10), total: all.length })
  await open()
  await expect.poll(() => rows().elements().length).toBe(10)
  cut(listLedgerRecords)
  const more = page.getByRole('button', { name: 'Show more' })
  const release = hold(listLedgerRecords)
  await more.click()
  await expect.element(more).toBeDisabled()
  release()
  await expect.element(page.getByText('The next ones could not be loaded.')).toBeVisible()
  expect(rows().elements()).toHaveLength(10)
  answer(listLedgerRecords, { records: all.slice(10), total: all.length })
  await more.click()
  await expect.poll(() => rows().elements().length).toBe(12)
  expect(asked(listLedgerRecords).at(-1)?.page).toBe(2)
})
