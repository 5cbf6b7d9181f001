import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decideApproval,
  findReference,
  finishDeposit,
  getWaitingCase,
  listWaiting,
  refuseDeposit,
  takeCase,
} from '@fairlot/contract/desk'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receipt as appReceipt } from '../../platform/files/testing/receipts.ts'
import { upload } from '../../platform/files/testing/sending.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  newPayer,
  setUpPayments,
  reportDeposit,
  sentUnits,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const EVERYTHING = { kind: null, held: null, search: null, page: 1, before: null }

/** A bank receipt: a pattern of greys that depends on its number. */
function receipt(number: number) {
  const bars = Array.from({ length: 72 }, (_, at) => {
    const grey = (Math.imul(at + 1, 2_654_435_761 + number * 97) >>> 8) % 256
    return `<rect x="${(at % 9) * 40}" y="${Math.floor(at / 9) * 40}" width="40" height="40" fill="rgb(${grey},${grey},${grey})"/>`
  })
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="360" height="320">${bars.join('')}</svg>`),
  )
}

describe.each(DATABASES)('a deposit that may be a duplicate, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-duplicates-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { DATA_DIR: dataDir } })
  let [ada, bo, finance]: [Payer, Payer, AtDesk] = [] as never
  beforeAll(async () => {
    await setUpPayments(server())
    ;[ada, bo] = [await newPayer(server()), await newPayer(server())]
    finance = await atDesk(server(), 'finance')
  })
  const seen = (id: number) => finance.request(getWaitingCase, { caseKey: `deposit:${id}` })

  test('is a risk if its picture, a similar one or its transaction number was used, and links to those cases', async () => {
    const picture = await receipt(1).png().toBuffer()
    const again = await receipt(1).resize(340).jpeg({ quality: 60 }).toBuffer()
    const report = async (payer: Payer, bytes: Buffer, reference = '') =>
      reportDeposit(payer, 20, await upload(server(), payer.token, bytes), reference)
    const first = await report(ada, picture)
    const usual = await report(ada, await receipt(2).png().toBuffer(), '0xAB12')
    expect((await seen(usual.id)).case).toMatchObject({ risk: 'usual', riskReasons: [] })
    const copied = await report(bo, picture)
    const alike = await report(bo, again)
    const sameNumber = await report(bo, await receipt(3).png().toBuffer(), ' 0xab12 ')
    await finance.request(refuseDeposit, { id: first.id, outcome: 'rejected', reason: 'nothing arrived' })

    expect(await seen(copied.id)).toMatchObject({
      case: {
        risk: 'high',
        riskReasons: [`same picture as deposit ${first.id}`, expect.stringContaining(`${alike.id}`)],
      },
      related: [
        {
          caseKey: `deposit:${first.id}`,
          accountId: ada.user.id,
          why: 'same picture',
          state: 'rejected',
          waits: false,
        },
        { caseKey: `deposit:${alike.id}`, accountId: bo.user.id, state: 'open', waits: true },
      ],
    })
    expect((await seen(alike.id)).case.riskReasons).toEqual([
      `picture that looks the same as deposit ${first.id}, deposit ${copied.id}`,
    ])
    expect(await seen(sameNumber.id)).toMatchObject({
      case: { risk: 'high', riskReasons: [`same transaction number as deposit ${usual.id}`] },
      related: [{ caseKey: `deposit:${usual.id}`, title: `Deposit ${usual.id}` }],
    })
    const { cases } = await finance.request(listWaiting, EVERYTHING)
    expect(cases[0]?.risk).toBe('high')
    expect(cases.find(({ caseKey }) => caseKey === `deposit:${usual.id}`)?.risk).toBe('high')
  })

  test('is told from others of one app, and found when its status bar is cut off', async () => {
    const kind = { layout: 'slip', theme: 'light' } as const
    const { width, height } = await appReceipt(kind, { seed: 61 }).metadata()
    const cut = { left: 0, top: 90, width, height: height - 90 }
    const report = async (payer: Payer, picture: Sharp) =>
      reportDeposit(payer, 20, await upload(server(), payer.token, await picture.png().toBuffer()))
    const ids: number[] = []
    for (const seed of [61, 62, 63, 64]) ids.push((await report(ada, appReceipt(kind, { seed }))).id)
    for (const id of ids) expect((await seen(id)).case.riskReasons).toEqual([])
    const repeated = await report(bo, appReceipt(kind, { seed: 61 }).extract(cut))
    expect((await seen(repeated.id)).case.riskReasons).toEqual([
      `picture that looks the same as deposit ${ids[0]}`,
    ])
  })

  test('is found by its transaction number however it was written, also by an operator who pays', async () => {
    const hash = '9f3c1e7a5b2d4860a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071a'
    const cy = await newPayer(server())
    let number = 20
    const report = async (payer: Payer, reference: string) => {
      number += 1
      const picture = await receipt(number).png().toBuffer()
      return reportDeposit(payer, 20, await upload(server(), payer.token, picture), reference)
    }
    const first = await report(ada, `0x${hash}`)
    const spellings = [
      hash,
      hash.toUpperCase(),
      `TxID: ${hash}`,
      hash.match(/.{1,16}/g)?.join(' ') ?? '',
      `https://tronscan.org/#/transaction/${hash}`,
      `https://www.blockchain.com/explorer/transactions/btc/${hash}?utm_source=app`,
    ]
    for (const written of spellings) {
      const { id } = await report(cy, written)
      const [reason] = (await seen(id)).case.riskReasons
      expect([written, reason]).toEqual([
        written,
        expect.stringMatching(new RegExp(`^same transaction number as deposit ${first.id}\\b`)),
      ])
    }
    const other = await report(cy, `0x${hash.slice(1)}0`)
    expect((await seen(other.id)).case.riskReasons.join(' ')).not.toContain('number')
    const { cases } = await finance.request(findReference, {
      id: 999,
      reference: `https://etherscan.io/tx/0x${hash}`,
    })
    expect(cases).toHaveLength(spellings.length + 1)
  })

  test('waits for a second operator as one case, not as two', async () => {
    const proof = await upload(server(), ada.token, await receipt(9).png().toBuffer())
    const { id } = await reportDeposit(ada, 4_000, proof)
    const confirmed = { id, amount: sentUnits(12_000), arrivedAt: null, reason: 'twelve have arrived' }
    const outcomes = await Promise.all([1, 2].map(() => finance.try(finishDeposit, confirmed)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await finance.refusalOf(finishDeposit, confirmed)).toBe('secondPersonAsked')
    expect(await finance.refusalOf(refuseDeposit, { id, outcome: 'invalid', reason: 'no' })).toBe(
      'secondPersonAsked',
    )
    const { cases, all, total } = await finance.request(listWaiting, EVERYTHING)
    expect(all).toBe(total)
    expect(cases.filter(({ caseKey }) => caseKey.startsWith('approval'))).toEqual([])
    const mine = cases.find(({ caseKey }) => caseKey === `deposit:${id}`)
    expect(mine).toMatchObject({ askedBy: finance.name, needsSecond: true, amount: units(12_000) })

    const second = await atDesk(server(), 'administrator')
    const shown = await second.request(getWaitingCase, { caseKey: `deposit:${id}` })
    expect(shown).toMatchObject({ decision: 'approval', barrier: null, reason: 'twelve have arrived' })
    expect(shown.changes).toEqual([
      { field: 'Received', before: null, after: '12000 USDT' },
      { field: 'Rate', before: null, after: '1' },
      { field: 'Credited', before: '4,000.00 reported', after: '12,000.00' },
    ])
    expect(shown.steps.map(({ state }) => state)).toEqual(['done', 'done', 'now', 'next'])
    expect(await seen(id)).toMatchObject({ barrier: 'sameOperator', mayWithdraw: true })
    await second.request(takeCase, { caseKey: `deposit:${id}`, from: null })
    const decision = { id: shown.approvalId ?? 0, isApproved: true, reason: 'seen as well' }
    const other = await atDesk(server(), 'finance')
    expect(await other.refusalOf(decideApproval, decision)).toBe('caseHeld')
    await second.request(decideApproval, decision)
    expect(await finance.refusalOf(getWaitingCase, { caseKey: `deposit:${id}` })).toBe('caseEnded')
    const { engine } = server().deployment
    expect(engine.state().accounts.get(ada.user.id)?.available.balance).toBe(units(12_000))
  })
})
