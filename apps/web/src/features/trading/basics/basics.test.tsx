import { getFigures } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { answerInstruments, answerOrders, openApp, withFakeServer } from '../../../testing/app.tsx'
import { setPreferences } from '../../../live/device/preferences.ts'
import { answer } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const sheet = () => page.getByRole('dialog', { name: 'The terms, with your figures' })
const show = () => page.getByRole('button', { name: 'What do these terms mean?' }).click()

describe('the terms of the ticket', () => {
  test('are explained by the order on it', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByLabelText('Lots', { exact: true }).fill('0.10')
    await show()
    await expect.element(sheet()).toMatchTextContent('One lot of EUR/USD is 100,000 units.')
    await expect.element(sheet()).toMatchTextContent('Your 0.10 lots are 10,000 units.')
    // 0.10 lots at 1.08472 are worth 10,847.20; a thirtieth of that is 361.57.
    await expect
      .element(sheet())
      .toMatchTextContent(/lots are worth 10,847\.\d\d\. At 30 × 361\.5\d is set aside/)
    await expect.element(sheet()).toMatchTextContent(/moves by 1 %, you gain or lose 108\.4\d/)
    await expect.element(sheet()).toMatchTextContent(/After this order it would be about 27,6\d\d\.\d\d %/)
    await expect
      .element(sheet())
      .toMatchTextContent(
        /At or below 50 % positions are closed.*margin of 361\.5\d that is when your equity has fallen to 180\.7\d/,
      )
    await expect.element(sheet()).not.toMatchTextContent(/If you buy now/)
    await page.getByRole('button', { name: 'Close' }).click()
    // Two lots could lose the account: the price at which that happens is named.
    await page.getByLabelText('Lots', { exact: true }).fill('2')
    await show()
    await expect.element(sheet()).toMatchTextContent(/If you buy now, the price would have to fall to 0\.\d+/)
  })

  test('are explained to a visitor by the prices alone', async () => {
    await openApp('/trade')
    await show()
    await expect.element(sheet()).toMatchTextContent('One lot of EUR/USD is 100,000 units.')
    await expect.element(sheet()).not.toMatchTextContent(/After this order/)
  })

  test('are explained without a price, or without a valid size', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByLabelText('Lots', { exact: true }).fill('many')
    await show()
    await expect.element(sheet()).toMatchTextContent('One lot of EUR/USD is 100,000 units.')
    await expect.element(sheet()).not.toMatchTextContent(/many|NaN|undefined/)
  })

  test('differ for a fixed margin', async () => {
    answerInstruments(sample.eurusd({ marginMode: 'fixed' }))
    await openApp('/trade', { as: 'demo' })
    await show()
    await expect.element(sheet()).toMatchTextContent(/The margin of this instrument is fixed/)
  })
})

describe('the terms of the account', () => {
  test('are explained by its own equity and margin', async () => {
    answer(getFigures, sample.figuresWithPosition())
    answerOrders({ holding: [sample.position()] })
    await openApp('/user', { as: 'real' })
    await show()
    await expect.element(sheet()).toMatchTextContent('99,999.38 of equity ÷ 361.58 of margin = 27,656.22 %.')
    await expect
      .element(sheet())
      .toMatchTextContent('With your margin of 361.58 that is when your equity has fallen to 180.79.')
  })

  test('show no amounts while these are hidden', async () => {
    setPreferences({ isBalanceHidden: true })
    answer(getFigures, sample.figuresWithPosition())
    answerOrders({ holding: [sample.position()] })
    await openApp('/user', { as: 'real' })
    await show()
    await expect.element(sheet()).toMatchTextContent(/of equity ÷/)
    await expect.element(sheet()).not.toMatchTextContent(/99,999|361\.58|180\.79/)
  })

  test('fit a small phone, left to right and right to left', async () => {
    answer(getFigures, sample.figuresWithPosition({ equity: sample.amount('123456789012.34') }))
    await openApp('/user', { as: 'real', size: [320, 568] })
    await show()
    await expect.element(sheet().getByText('Stop-out', { exact: true })).toBeVisible()
    for (const dir of ['ltr', 'rtl']) {
      document.documentElement.dir = dir
      expect(overflowing()).toEqual([])
    }
  })
})
