import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  requestWithdrawal,
  listDeposits,
  listWithdrawals,
  reportCoinDeposit,
  valueOf,
} from '@fairlot/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { upload } from '../../platform/files/testing/sending.ts'
import { atDesk } from '../../testing/desk.ts'
import {
  methodForm,
  newPayer,
  openedDeposit,
  setUpPayments,
  sentUnits,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, makePlace, startServer, type RunningServer } from '../../testing/running-server.ts'
import { approveWithdrawal, finishDeposit } from '@fairlot/contract/desk'
import { createFollowUps } from '../../engine/follow-ups.ts'
import { createPaymentCases, type NewCase } from '../payment-cases.ts'
import { detailsOf } from '../receiving-methods.ts'

const REASON = 'as it should be'

const depositOf = ({ user: { id } }: Payer, proof: string, amount: number): NewCase => ({
  userId: id,
  request: undefined,
  call: reportCoinDeposit.name,
  kind: 'deposit',
  row: {
    user_id: BigInt(id),
    kind: 'coin',
    channel_id: 1n,
    currency_code: 'USDT',
    protocol_code: 'TRC20',
    address: 'T',
    tag: '',
    shown_address: '',
    proof,
    proof_hash: 'h',
    reference: '5n',
    told_at: 5n,
  },
  command: (request) => ({ type: 'openDeposit', accountId: id, amount: units(amount), request }),
})

const withdrawalOf = ({ user: { id } }: Payer): NewCase => ({
  userId: id,
  request: undefined,
  call: requestWithdrawal.name,
  kind: 'withdrawal',
  row: {
    user_id: BigInt(id),
    currency_id: 1n,
    code: 'USDT',
    protocol: 'TRC20',
    kind: 'coin',
    price: '1',
    received: '38',
    method_id: 1n,
    memo: '',
    asked_at: 5n,
    reference: '',
    method: JSON.stringify(detailsOf(methodForm())),
  },
  command: (request) => ({
    type: 'requestWithdrawal',
    accountId: id,
    amount: units(50),
    fee: units(12),
    request,
  }),
})

describe.each(DATABASES)('a server that crashes between the engine’s decision and its row, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-drafts-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  /** Opens a case as a call does, in a server that crashes before or after the engine has accepted it. */
  const openAndCrash = async ({ deployment }: RunningServer, when: 'before' | 'after', draft: NewCase) => {
    const { engine, database, wallClock: now } = deployment
    const execute: typeof engine.execute = async (command) => {
      if (when === 'after') await engine.execute(command)
      throw new Error('killed')
    }
    const proofs = { ownPictureOf: () => Promise.resolve(null), tie: () => Promise.reject(new Error('dead')) }
    const followUps = createFollowUps({ queries: database.queries, engine: { ...engine, execute }, now })
    const cases = createPaymentCases({ followUps, proofs })
    await expect(cases.open(draft)).rejects.toThrow('killed')
  }

  test('writes the row of every accepted case at its next start, and no row of any other', async () => {
    const place = await makePlace(kind)
    const env = { DATA_DIR: dataDir }
    const first = await startServer(place, { env: kind === 'postgres' ? env : {} })
    await setUpPayments(first)
    const payer = await newPayer(first)
    const finance = await atDesk(first, 'finance')
    const funded = await openedDeposit(first, payer.user.id, units(100))
    await finance.request(finishDeposit, {
      id: funded,
      amount: sentUnits(100),
      arrivedAt: null,
      reason: REASON,
    })
    const url = await upload(first, payer.token, await rendered(44, 30).png().toBuffer())
    const proof = url.slice(url.lastIndexOf('/') + 1)
    await openAndCrash(first, 'after', depositOf(payer, proof, 20))
    await openAndCrash(first, 'before', depositOf(payer, proof, 30))
    await openAndCrash(first, 'after', withdrawalOf(payer))
    await first.stop()

    const again = await startServer(place, { env: kind === 'postgres' ? env : {} })
    const { queries } = again.deployment.database
    expect(await queries.selectFrom('follow_up').selectAll().execute()).toEqual([])
    const client = clientOf(again.url, payer.token)
    const deposits = valueOf(await client.call(listDeposits, { kind: 'coin', before: null, page: 1 }))
    expect(deposits).toMatchObject({ total: 1, deposits: [{ amount: sentUnits(20), status: 'unchecked' }] })
    const withdrawals = valueOf(await client.call(listWithdrawals, { kind: 'coin', before: null, page: 1 }))
    expect(withdrawals).toMatchObject({ total: 1, withdrawals: [{ amount: units(50), status: 'waiting' }] })
    const file = await queries
      .selectFrom('stored_file')
      .selectAll()
      .where('key', '=', proof)
      .executeTakeFirst()
    expect(file?.used_by).toBe(`deposit:${deposits.deposits[0]?.id}`)
    const desk = await atDesk(again, 'finance')
    const [withdrawal] = withdrawals.withdrawals
    await desk.request(approveWithdrawal, { id: withdrawal?.id ?? 0, reason: REASON })
    expect(again.failures).toEqual([])
    await again.stop()
    await place.remove()
  })
})
