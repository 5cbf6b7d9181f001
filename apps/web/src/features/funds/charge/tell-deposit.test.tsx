import {
  listChargeAccounts,
  listChargeChannels,
  listChargeCurrencies,
  listDeposits,
  tellCoinDeposit,
  tellWireDeposit,
  uploadPicture,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, asked, askedWith, cut, hold, refuse } from '../../../testing/fake-server.ts'
import { amount } from '../../../testing/market-samples.ts'
import * as pay from '../../../testing/payment-samples.ts'
import { answerPictures, choosePicture, PICTURE_URL, pictureField } from '../../../testing/pictures.ts'

withFakeServer()

beforeEach(() => {
  answerPictures()
  answer(listChargeChannels, [pay.chargeChannel()])
})

const PROOF = 'Picture of the transfer'
const amountSent = () => page.getByLabelText(/^Amount sent/)
const reference = () => page.getByLabelText('Transaction number (optional)')
const tell = () => page.getByRole('button', { name: 'Tell us about this deposit' })
const open = () => openApp('/mine/charge', { as: 'real' })

async function fillIn(): Promise<void> {
  await amountSent().fill('100.50')
  await choosePicture(PROOF)
  await expect.element(pictureField(PROOF).getByRole('status')).toHaveTextContent('Sent')
}

describe('telling of coins that were sent', () => {
  test('takes amount, picture and number once, and leaves an empty form and a new row', async () => {
    answer(tellCoinDeposit, pay.deposit(), 'We will look at it.')
    await open()
    await fillIn()
    await reference().fill(' 0xabc ')
    const release = hold(tellCoinDeposit)
    await reference().click()
    await userEvent.keyboard('{Enter}')
    await expect.element(tell()).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    answer(listDeposits, { deposits: [pay.deposit()], total: 1 })
    release()
    await expect.element(notice('We will look at it.')).toBeVisible()
    await expect.element(page.getByText('Deposit 12')).toBeVisible()
    await expect.element(amountSent()).toHaveValue('')
    await expect.element(reference()).toHaveValue('')
    await expect.element(pictureField(PROOF).getByRole('button', { name: 'Choose a picture' })).toBeVisible()
    const { address, id } = pay.chargeChannel()
    expect(asked(tellCoinDeposit)).toEqual([
      { amount: amount('100.5'), proof: PICTURE_URL, reference: '0xabc', address, channelId: id },
    ])
  })

  test.each([
    ['dayLimitReached', 'Only 40.00 more today.', amountSent],
    ['proofUsed', 'This picture has been used before.', () => pictureField(PROOF)],
  ] as const)(
    'refused for %s says so at its field, and keeps all that was filled in',
    async (reason, sentence, field) => {
      refuse(tellCoinDeposit, reason, sentence)
      await open()
      await fillIn()
      await reference().fill('0xabc')
      await tell().click()
      await expect.element(field()).toHaveAccessibleDescription(sentence)
      await expect.element(amountSent()).toHaveValue('100.50')
      await expect.element(reference()).toHaveValue('0xabc')
      await expect.element(page.getByRole('img', { name: 'transfer.png' })).toBeVisible()
    },
  )

  test('without an answer is told again under the same name, so that it counts once', async () => {
    cut(tellCoinDeposit)
    await open()
    await fillIn()
    await tell().click()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    answer(tellCoinDeposit, pay.deposit())
    await tell().click()
    await expect.element(amountSent()).toHaveValue('')
    const [first, second] = askedWith(tellCoinDeposit).map((headers) => headers.get('idempotency-key'))
    expect(first).toBeTruthy()
    expect(second).toBe(first)
  })

  test('a picture that is refused is gone and says why; another one may be taken away again', async () => {
    refuse(uploadPicture, 'pictureBroken', 'This is no picture.')
    await open()
    await choosePicture(PROOF)
    await expect.element(pictureField(PROOF)).toHaveAccessibleDescription('This is no picture.')
    answerPictures()
    await choosePicture(PROOF, 'receipt.png')
    await expect.element(page.getByRole('img', { name: 'receipt.png' })).toBeVisible()
    await pictureField(PROOF).getByRole('button', { name: 'Remove' }).click()
    await amountSent().fill('1')
    await tell().click()
    await expect.element(pictureField(PROOF)).toHaveAccessibleDescription('Add a picture of the transfer.')
    expect(asked(tellCoinDeposit)).toEqual([])
  })

  test('is not sent before its picture has arrived', async () => {
    const release = hold(uploadPicture)
    await open()
    await amountSent().fill('1')
    await choosePicture(PROOF)
    await expect
      .element(page.getByRole('meter', { name: 'Sending' }))
      .toHaveAttribute('aria-valuetext', '50%')
    await tell().click()
    await expect.element(pictureField(PROOF)).toHaveAccessibleDescription('Add a picture of the transfer.')
    release()
    await expect.element(pictureField(PROOF).getByRole('status')).toHaveTextContent('Sent')
    expect(asked(tellCoinDeposit)).toEqual([])
  })
})

describe('telling of a wire', () => {
  const banks = [
    pay.chargeAccount(),
    pay.chargeAccount({ id: 2, bankName: 'Another bank', payeeAccount: 'FR7630006000011234567890189' }),
  ]
  const openWire = async () => {
    answer(listChargeCurrencies, [{ currency: 'EUR' }])
    await open()
    await page.getByText('Bank wire', { exact: true }).click()
  }

  test('names the bank that was chosen, and its whole account is there to be copied', async () => {
    answer(listChargeAccounts, banks)
    answer(tellWireDeposit, pay.deposit())
    await openWire()
    await page.getByLabelText('Bank', { exact: true }).selectOptions('Another bank')
    await expect.element(page.getByText('FR7630006000011234567890189').first()).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Copy the account' })).toBeVisible()
    await fillIn()
    await tell().click()
    await expect
      .poll(() => asked(tellWireDeposit))
      .toEqual([{ amount: amount('100.5'), proof: PICTURE_URL, reference: '', wireId: 2 }])
  })

  test('has no form for a currency without an account, and none whose accounts could not be had', async () => {
    cut(listChargeAccounts)
    await openWire()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(tell()).not.toBeInTheDocument()
    answer(listChargeAccounts, [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('No way to pay in here yet')).toBeVisible()
    await expect.element(tell()).not.toBeInTheDocument()
  })
})
