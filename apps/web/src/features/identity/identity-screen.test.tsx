import { getIdentityCheck, getUser, sendIdentity } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push, reject } from '../../testing/fake-server.ts'
import { answerPictures, choosePicture, PICTURE_URL, pictureField } from '../../testing/pictures.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const open = (check: Parameters<typeof sample.identityCheck>[0] = {}) => {
  answer(getIdentityCheck, sample.identityCheck(check))
  return openApp('/mine/auth', { as: 'real' })
}
const sent = { name: 'Ann Heron', number: '••••••4567', sentAt: sample.NOON } as const
const wrongName = { field: 'name', reason: 'It is not complete.' } as const

describe('the identity check', () => {
  test('names each missing part, and sends nothing until all are given', async () => {
    await open()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.element(main()).toMatchTextContent('Enter your name as on the document.')
    await expect.element(main()).toMatchTextContent('Enter the number as on the document.')
    await expect.element(page.getByText('Add this picture.').first()).toBeVisible()
    expect(inputsOf(sendIdentity)).toEqual([])
  })

  test('takes a name as the document carries it, and says at the field what a name cannot have', async () => {
    answerPictures()
    answer(sendIdentity, null)
    await open({ status: 'rejected', ...sent, faults: [wrongName] })
    const name = page.getByLabelText('Name, as on the document')
    const send = page.getByRole('button', { name: 'Send again' })
    for (const wrong of ['Ann 🙂 Heron', 'Ann \u202enoreH']) {
      await name.fill(wrong)
      await send.click()
      await expect.element(page.getByText(/^A name has letters, digits/)).toBeVisible()
    }
    expect(inputsOf(sendIdentity)).toEqual([])
    await name.fill('Siti @ Aminah\u3000A/P Raj')
    await send.click()
    await expect
      .poll(() => inputsOf(sendIdentity))
      .toMatchObject([{ name: expect.stringMatching(/^Siti @ Aminah.A\/P Raj$/) }])
  })

  test('shows the details that were sent, the number masked, and then the verification without a reload', async () => {
    await open({ status: 'waiting', ...sent })
    await expect.element(page.getByText('Your documents are under review')).toBeVisible()
    await expect.element(main()).toMatchTextContent('••••••4567')
    answer(getIdentityCheck, sample.identityCheck({ status: 'verified', ...sent }))
    answer(getUser, sample.realUser({ identityCheck: 'verified' }))
    push({
      type: 'notice',
      userId: 8,
      seq: 1,
      notice: { id: 1, kind: 'identityVerified', title: 'Verified', text: 'Thanks.', time: sample.NOON },
    })
    await expect.element(page.getByText('Your identity is verified')).toBeVisible()
  })

  test('requests only the rejected parts again, with the reason at each field', async () => {
    await open({ status: 'rejected', ...sent, faults: [wrongName] })
    await expect.element(page.getByText('One part could not be accepted')).toBeVisible()
    await expect.element(page.getByText('It is not complete.')).toBeVisible()
    expect(page.getByLabelText('Number of the ID card or passport').elements()).toEqual([])
    expect(page.getByRole('group').elements()).toEqual([])
    const name = page.getByLabelText('Name, as on the document')
    await name.fill('Ann Mary Heron')
    await expect.element(page.getByText('It is not complete.')).not.toBeInTheDocument()
    reject(sendIdentity, 'identityNameInvalid', 'Please write your name as it stands.')
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.element(page.getByText('Please write your name as it stands.')).toBeVisible()
    answer(sendIdentity, null)
    answer(getIdentityCheck, sample.identityCheck({ status: 'waiting', ...sent }))
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.element(page.getByText('Your documents are under review')).toBeVisible()
    expect(inputsOf(sendIdentity).at(-1)).toEqual({
      name: 'Ann Mary Heron',
      number: null,
      front: null,
      reverse: null,
    })
  })

  test('is for real accounts only', async () => {
    await openApp('/mine/auth', { as: 'demo' })
    await expect.element(page.getByText(/real account/).first()).toBeVisible()
  })

  test('fits a small phone', async () => {
    await openApp('/mine/auth', { as: 'real', size: [320, 640] })
    await expect.element(page.getByRole('button', { name: 'Send' })).toBeVisible()
    expect(overflowing()).toEqual([])
  })

  test('can be loaded again after a failure, and shows no form before', async () => {
    failConnection(getIdentityCheck)
    await openApp('/mine/auth', { as: 'real' })
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Send' })).not.toBeInTheDocument()
    const release = hold(getIdentityCheck)
    answer(getIdentityCheck, sample.identityCheck())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('This could not be loaded')).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Send' })).not.toBeInTheDocument()
    release()
    await expect.element(page.getByRole('button', { name: 'Send' })).toBeVisible()
  })

  test('sends all four parts once, and keeps them when there is no response', async () => {
    answerPictures()
    failConnection(sendIdentity)
    await open()
    await page.getByLabelText('Name, as on the document').fill(' Ann Heron ')
    await page.getByLabelText('Number of the ID card or passport').fill('X1234567')
    for (const side of ['Front of the document', 'Back of the document']) {
      await choosePicture(side, `${side}.png`)
      await expect.element(pictureField(side).getByRole('status')).toHaveTextContent('Sent')
    }
    const release = hold(sendIdentity)
    const send = page.getByRole('button', { name: 'Send' })
    await page.getByLabelText('Number of the ID card or passport').click()
    await userEvent.keyboard('{Enter}')
    await expect.element(send).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    await expect.element(page.getByLabelText('Name, as on the document')).toHaveValue(' Ann Heron ')
    await expect.element(page.getByRole('img', { name: 'Back of the document.png' })).toBeVisible()
    expect(inputsOf(sendIdentity)).toEqual([
      { name: 'Ann Heron', number: 'X1234567', front: PICTURE_URL, reverse: PICTURE_URL },
    ])
  })

  test('requests a rejected picture again, without the previous one', async () => {
    answerPictures()
    await open({ status: 'rejected', ...sent, faults: [{ field: 'front', reason: 'A corner is missing.' }] })
    const front = pictureField('Front of the document')
    await expect.element(front).toHaveAccessibleDescription('A corner is missing.')
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect.element(front).toHaveAccessibleDescription('Add this picture.')
    await choosePicture('Front of the document')
    await expect.element(front.getByRole('status')).toHaveTextContent('Sent')
    await expect.element(front).not.toHaveAccessibleDescription(/missing|Add/)
  })
})
