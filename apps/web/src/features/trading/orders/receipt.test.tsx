import { listReceipts } from '@fairlot/contract'
import type { Receipt, SealedReceipt } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerOrders, notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const sheet = () => page.getByRole('dialog', { name: 'EUR/USD' })
const check = () => sheet().getByRole('button', { name: 'Check this receipt' })
const verdict = () => sheet().getByRole('status')

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The receipt of the sample position as stored by the server, and as shown on the screen. */
async function sealed(change: (body: string) => string = (body) => body): Promise<[SealedReceipt, Receipt]> {
  const { at, previousHash } = sample.receipt()
  const previous = previousHash ?? ''
  const body = change(
    JSON.stringify({
      number: 1,
      at,
      event: {
        type: 'orderFilled',
        orderId: 41,
        accountId: 7,
        fillPrice: 108_439,
        receipt: {
          action: 'open',
          trigger: 'user',
          tick: {
            instrumentId: 1,
            bid: 108_433,
            ask: 108_439,
            seq: 4711,
            time: at - 120,
            receivedAt: at - 113,
            source: 'simulated',
          },
          quoteSide: 'ask',
          requestedPrice: 108_439,
          filledPrice: 108_439,
          slippage: 0,
          delayMs: 113,
          conversion: [],
          ruleVersion: 1,
          terms: 3,
        },
      },
      transfers: [],
    }),
  )
  const hash = await hashOf(previous + body)
  return [{ number: 1, orderId: 41, previousHash: previous, body, hash }, sample.receipt({ hash })]
}

async function openReceipt(receipt: Receipt) {
  answerOrders({ holding: [sample.position({ receipts: [receipt] })] })
  await openApp('/order', { as: 'demo' })
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'EUR/USD' })
  await row.getByRole('button').first().click()
  await expect.element(sheet()).toBeVisible()
}

describe('a receipt', () => {
  test('shows its tick, the requested price and the fill', async () => {
    await openReceipt(sample.receipt())
    for (const text of [
      /Receipt: opened/,
      /Triggered by\s*You/,
      /Decided at\s*Jan 7, 2026, 12:00:00.*\.000/,
      /Bid \/ ask at that time\s*1\.08433 \/ 1\.08439/,
      /no\. 4,711 · .*11:59:59.*\.880/,
      /Source of the tick\s*simulated/,
      /Delay\s*113 ms after the tick arrived/,
      /Requested \/ filled\s*1\.08439 \/ 1\.08439/,
      /Filled against\s*the ask/,
      /Slippage\s*0\.00000 as requested/,
      /Terms in force\s*no\. 3/,
      /Hash\s*a1b2…a1b2/,
    ])
      await expect.element(sheet()).toMatchTextContent(text)
  })

  test.each([
    ['0.00002', /\+0\.00002 better than requested/],
    ['-0.00003', /−0\.00003 worse than requested/],
  ])('shows the direction of a slippage of %s', async (slippage, text) => {
    await openReceipt(sample.receipt({ slippage: sample.decimal(slippage) }))
    await expect.element(sheet()).toMatchTextContent(text)
  })

  test('names the mark-up included in its price', async () => {
    const { tick } = sample.receipt()
    await openReceipt(sample.receipt({ tick: tick && { ...tick, markUp: sample.decimal('0.00011') } }))
    await expect.element(sheet()).toMatchTextContent(/Mark-up per side\s*0\.00011/)
  })

  test.each<[string, (tick: NonNullable<Receipt['tick']>) => Partial<Receipt>]>([
    ['its price', (tick) => ({ tick: { ...tick, admitted: 'yes' } })],
    [
      'a price that converted it',
      (tick) => ({ conversion: [{ ...tick, instrumentId: 2, admitted: 'yes' }] }),
    ],
  ])('says that operators admitted the reference of %s', async (_price, changeOf) => {
    const { tick } = sample.receipt()
    if (!tick) throw new Error('the sample has one')
    await openReceipt(sample.receipt(changeOf(tick)))
    await expect.element(sheet()).toMatchTextContent(/Reference\s*Reference price approved by operators/)
  })

  test('names no operators where the market confirmed its reference', async () => {
    await openReceipt(sample.receipt())
    await expect.element(sheet()).toMatchTextContent('Receipt: opened')
    await expect.element(sheet()).not.toMatchTextContent('approved by operators')
  })

  test('leaves out what does not apply', async () => {
    await openReceipt(sample.receipt({ tick: null, filledPrice: null, quoteSide: null, terms: 0 }))
    await expect.element(sheet()).toMatchTextContent('Receipt: opened')
    await expect
      .element(sheet())
      .not.toMatchTextContent(/Bid \/ ask at that time|Requested \/ filled|Terms in force|Slippage/)
  })

  test('names the pairs used for the currency conversion', async () => {
    const { tick } = sample.receipt()
    if (!tick) throw new Error('the sample has one')
    const pair = { ...tick, instrumentId: 2, bid: sample.decimal('2650.05'), ask: sample.decimal('2650.45') }
    await openReceipt(sample.receipt({ conversion: [pair] }))
    await expect.element(sheet()).toMatchTextContent(/Converted with XAU\/USD\s*2,650\.05 \/ 2,650\.45/)
  })

  test('is not offered for a check before it has a hash', async () => {
    await openReceipt(sample.receipt({ hash: null, previousHash: null }))
    await expect.element(sheet()).toMatchTextContent('Receipt: opened')
    await expect.element(check()).not.toBeInTheDocument()
  })
})

describe('checking a receipt on this device', () => {
  test('confirms a genuine receipt, and shows the hashed text', async () => {
    const [kept, receipt] = await sealed()
    answer(listReceipts, [kept])
    await openReceipt(receipt)
    await check().click()
    await expect.element(verdict()).toMatchTextContent('This receipt is genuine')
    await expect.element(sheet()).toMatchTextContent(kept.body)
    await expect.element(sheet()).toMatchTextContent(/Hash calculated on this device\s*[0-9a-f]{64}/)
    expect(inputsOf(listReceipts)).toEqual([{ orderId: 41 }])
  })

  test('detects a changed character of the text', async () => {
    const [kept, receipt] = await sealed()
    answer(listReceipts, [{ ...kept, body: kept.body.replace('108439', '108438') }])
    await openReceipt(receipt)
    await check().click()
    await expect.element(verdict()).toMatchTextContent('The hash does not match')
  })

  test('detects and names figures that differ from the text', async () => {
    const [kept, receipt] = await sealed()
    answer(listReceipts, [kept])
    await openReceipt({ ...receipt, delayMs: 5 })
    await check().click()
    await expect.element(verdict()).toMatchTextContent('The figures do not match')
    await expect.element(verdict()).toMatchTextContent('the trigger and the delay')
  })

  test('reports a receipt that the server does not have as missing', async () => {
    answer(listReceipts, [])
    await openReceipt(sample.receipt())
    await check().click()
    await expect.element(verdict()).toMatchTextContent('This receipt could not be found')
  })

  test('shows a failure, and can be tried again', async () => {
    failConnection(listReceipts)
    await openReceipt(sample.receipt())
    await check().click()
    await expect.element(notice(/The server could not be reached/)).toBeInTheDocument()
    await expect.element(check()).toBeEnabled()
    await expect.element(verdict()).not.toBeInTheDocument()
  })

  test('shows that it is busy until the response', async () => {
    answer(listReceipts, [])
    const release = hold(listReceipts)
    await openReceipt(sample.receipt())
    await check().click()
    await expect.element(check()).toHaveAttribute('aria-busy', 'true')
    release()
    await expect.element(verdict()).toBeVisible()
  })

  test('copies the text to be hashed elsewhere', async () => {
    const [kept, receipt] = await sealed()
    answer(listReceipts, [kept])
    await openReceipt(receipt)
    await check().click()
    await sheet().getByRole('button', { name: 'Copy the text' }).click()
    await expect.element(notice(/^Copied\.$|^The text is selected/)).toBeVisible()
  })
})
