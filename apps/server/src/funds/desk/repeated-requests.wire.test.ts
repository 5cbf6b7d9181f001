import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getFunds, listDeposits, reportCoinDeposit, requestWithdrawal, valueOf } from '@fairlot/contract'
import { finishDeposit } from '@fairlot/contract/desk'
import { REQUEST_RETENTION_MS } from '@fairlot/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { upload } from '../../platform/files/testing/sending.ts'
import { movablePace } from '../../testing/accounts.ts'
import { atDesk } from '../../testing/desk.ts'
import {
  newPayer,
  NO_QUOTE,
  oldMethod,
  openedDeposit,
  sentUnits,
  setUpPayments,
  TRON_ADDRESS,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const MINUTE_MS = 60_000

describe.each(DATABASES)('a payment request with an id, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-repeats-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { DATA_DIR: dataDir } })
  beforeAll(() => setUpPayments(server()))

  /** A verified user with 1,000 and a receiving method that is old enough. */
  const readyPayer = async () => {
    const payer = await newPayer(server())
    const finance = await atDesk(server(), 'finance')
    const id = await openedDeposit(server(), payer.user.id, units(1_000))
    const credit = { id, amount: sentUnits(1_000), arrivedAt: null, reason: 'arrived' }
    await finance.request(finishDeposit, credit)
    return { ...payer, methodId: (await oldMethod(server(), payer)).id }
  }
  const frozenOf = async ({ client }: Payer) => valueOf(await client.call(getFunds, null)).frozen
  const ONCE = { requestId: 'once' }

  test('for a withdrawal repeats its answer for 48 hours; the same id is then checked like a new one', async () => {
    const payer = await readyPayer()
    const form = {
      currencyId: 1,
      amount: units(100),
      memo: '',
      methodId: payer.methodId,
      authCode: null,
      ...NO_QUOTE,
    }
    const send = (given: object = {}) => payer.client.call(requestWithdrawal, { ...form, ...given }, ONCE)
    const first = valueOf(await send())
    // Nothing that has changed since affects a repeat: the first request was checked.
    await server()
      .deployment.database.queries.deleteFrom('verified_person')
      .where('user_id', '=', BigInt(payer.user.id))
      .execute()
    pass(REQUEST_RETENTION_MS - MINUTE_MS)
    expect(valueOf(await send()).id).toBe(first.id)
    expect(await send({ amount: units(200) })).toMatchObject({ reason: 'requestIdReused' })
    pass(MINUTE_MS)
    expect(await send()).toMatchObject({ reason: 'identityUnverified' })
    expect(await frozenOf(payer)).toBe(units(100))
  })

  test('for a deposit repeats its answer for 48 hours; the same id then needs a picture of its own', async () => {
    const payer = await newPayer(server())
    const proof = await upload(server(), payer.token, await rendered(41, 30).png().toBuffer())
    const form = { amount: sentUnits(7), proof, address: TRON_ADDRESS, channelId: 1, reference: '' }
    const send = (given: object = {}) => payer.client.call(reportCoinDeposit, { ...form, ...given }, ONCE)
    const first = valueOf(await send())
    pass(REQUEST_RETENTION_MS - MINUTE_MS)
    expect(valueOf(await send()).id).toBe(first.id)
    expect(await send({ amount: sentUnits(8) })).toMatchObject({ reason: 'requestIdReused' })
    pass(MINUTE_MS)
    expect(await send()).toMatchObject({ reason: 'proofUsed' })
    const { total } = valueOf(await payer.client.call(listDeposits, { kind: 'coin', before: null, page: 1 }))
    expect(total).toBe(1)
  })
})
