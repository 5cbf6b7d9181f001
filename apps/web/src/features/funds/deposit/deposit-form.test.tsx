import {
  getDeposit,
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  listDeposits,
  reportCoinDeposit,
  reportWireDeposit,
  uploadPicture,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, headersOf, failConnection, hold, reject } from '../../../testing/fake-server.ts'
import * as pay from '../../../testing/payment-samples.ts'
import { answerPictures, choosePicture, PICTURE_URL, pictureField } from '../../../testing/pictures.ts'

withFakeServer()

beforeEach(() => {
  answerPictures()
  answer(listDepositAddresses, [pay.depositAddress()])
})

const PROOF = 'Picture of the transfer'
const amountSent = () => page.getByLabelText(/^Amount sent/)
const reference = () => page.getByLabelText('Transaction number (optional)')
const submit = () => page.getByRole('button', { name: 'Send deposit request' })
const open = () => openApp('/mine/charge', { as: 'real' })

async function fillIn(): Promise<void> {
  await amountSent().fill('100.50')
  await choosePicture(PROOF)
  await expect.element(pictureField(PROOF).getByRole('status')).toHaveTextContent('Sent')
}

describe('reporting a coin deposit', () => {
  test('sends amount, picture and number once, then shows the request and empties the form', async () => {
    answer(reportCoinDeposit, pay.deposit(), 'We will look at it.')
    answer(getDeposit, pay.deposit())
    await open()
    await fillIn()
    await reference().fill(' 0xabc ')
    const release = hold(reportCoinDeposit)
    await reference().click()
    await userEvent.keyboard('{Enter}')
    await expect.element(submit()).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    answer(listDeposits, { deposits: [pay.deposit()], total: 1 })
    release()
    await expect.element(notice('We will look at it.')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Deposit 12' })).toBeVisible()
    await expect.element(page.getByText(/^We received your deposit request\./)).toBeVisible()
    await page.getByRole('link', { name: 'All deposits' }).click()
    await expect.element(page.getByText('Deposit 12')).toBeVisible()
    await expect.element(amountSent()).toHaveValue('')
    await expect.element(reference()).toHaveValue('')
    await expect.element(pictureField(PROOF).getByRole('button', { name: 'Choose a picture' })).toBeVisible()
    const { address, id } = pay.depositAddress()
    expect(inputsOf(reportCoinDeposit)).toEqual([
      { amount: 10_050_000_000n, proof: PICTURE_URL, reference: '0xabc', address, channelId: id },
    ])
  })

  test.each([
    ['dayLimitReached', 'Only 40.00 more today.', amountSent, 'number'],
    ['proofUsed', 'This picture has been used before.', () => pictureField(PROOF), 'proofImg'],
    ['textTooLong', 'This text is too long.', reference, 'transaction_number'],
  ] as const)(
    'shows a rejection (%s) at its field, and keeps the input',
    async (...[reason, sentence, shownAt, field]) => {
      reject(reportCoinDeposit, reason, sentence, { field })
      await open()
      await fillIn()
      await reference().fill('0xabc')
      await submit().click()
      await expect.element(shownAt()).toHaveAccessibleDescription(sentence)
      await expect.element(amountSent()).toHaveValue('100.50')
      await expect.element(reference()).toHaveValue('0xabc')
      await expect.element(page.getByRole('img', { name: 'transfer.png' })).toBeVisible()
    },
  )

  test('is submitted again under the same request id after a missing response, so that it counts once', async () => {
    failConnection(reportCoinDeposit)
    await open()
    await fillIn()
    await submit().click()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    answer(reportCoinDeposit, pay.deposit())
    answer(getDeposit, pay.deposit())
    await submit().click()
    await expect.element(page.getByText(/^We received your deposit request\./)).toBeVisible()
    const [first, second] = headersOf(reportCoinDeposit).map((headers) => headers.get('idempotency-key'))
    expect(first).toBeTruthy()
    expect(second).toBe(first)
  })

  test('a rejected picture is removed with its reason; an uploaded one can be removed', async () => {
    reject(uploadPicture, 'pictureBroken', 'This is no picture.')
    await open()
    await choosePicture(PROOF)
    await expect.element(pictureField(PROOF)).toHaveAccessibleDescription('This is no picture.')
    answerPictures()
    await choosePicture(PROOF, 'receipt.png')
    await expect.element(page.getByRole('img', { name: 'receipt.png' })).toBeVisible()
    await pictureField(PROOF).getByRole('button', { name: 'Remove' }).click()
    await amountSent().fill('1')
    await submit().click()
    await expect.element(pictureField(PROOF)).toHaveAccessibleDescription('Add a picture of the transfer.')
    expect(inputsOf(reportCoinDeposit)).toEqual([])
  })

  test('is not sent before its picture is uploaded', async () => {
    const release = hold(uploadPicture)
    await open()
    await amountSent().fill('1')
    await choosePicture(PROOF)
    await expect
      .element(page.getByRole('meter', { name: 'Sending' }))
      .toHaveAttribute('aria-valuetext', '50%')
    await submit().click()
    await expect.element(pictureField(PROOF)).toHaveAccessibleDescription('Add a picture of the transfer.')
    release()
    await expect.element(pictureField(PROOF).getByRole('status')).toHaveTextContent('Sent')
    expect(inputsOf(reportCoinDeposit)).toEqual([])
  })
})

describe('reporting a wire', () => {
  const banks = [
    pay.depositAccount(),
    pay.depositAccount({ id: 2, bankName: 'Another bank', payeeAccount: 'FR7630006000011234567890189' }),
  ]
  const openWire = async () => {
    answer(listDepositCurrencies, [{ currency: 'EUR' }])
    await open()
    await page.getByText('Bank wire', { exact: true }).click()
  }

  test('names the chosen bank, and shows its full account to copy', async () => {
    answer(listDepositAccounts, banks)
    answer(reportWireDeposit, pay.deposit())
    answer(getDeposit, pay.deposit())
    await openWire()
    await page.getByLabelText('Bank', { exact: true }).selectOptions('Another bank')
    await expect.element(page.getByText('FR7630006000011234567890189').first()).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Copy the account' })).toBeVisible()
    await fillIn()
    await submit().click()
    await expect
      .poll(() => inputsOf(reportWireDeposit))
      .toEqual([{ amount: 10_050_000_000n, proof: PICTURE_URL, reference: '', wireId: 2 }])
  })

  test('shows no form for a currency without an account, nor when the accounts failed to load', async () => {
    failConnection(listDepositAccounts)
    await openWire()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(submit()).not.toBeInTheDocument()
    answer(listDepositAccounts, [])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('No deposit method of this kind yet')).toBeVisible()
    await expect.element(submit()).not.toBeInTheDocument()
  })
})
