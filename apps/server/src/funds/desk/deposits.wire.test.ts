import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  listDeposits,
  listDepositsAsWell,
  listLedgerRecords,
  reportCoinDeposit,
  reportWireDeposit,
  valueOf,
} from '@fairlot/contract'
import { decideApproval, finishDeposit, refuseDeposit } from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { upload } from '../../platform/files/testing/sending.ts'
import { post, sentTo } from '../../testing/accounts.ts'
import { dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  newPayer,
  setUpPayments,
  reportDeposit,
  TRON_ADDRESS,
  sentUnits,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

/** One for one, in units of 1e-10. */
const RATE_OF_ONE = 10_000_000_000n

describe.each(DATABASES)('a deposit, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-deposits-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { DATA_DIR: dataDir } })
  let [payer, finance]: [Payer, AtDesk] = [] as never
  let count = 0
  beforeAll(async () => {
    await setUpPayments(server())
    payer = await newPayer(server())
    finance = await atDesk(server(), 'finance')
  })
  const picture = async (of: Payer = payer) =>
    upload(
      server(),
      of.token,
      await rendered(40 + (count += 1), 30)
        .png()
        .toBuffer(),
    )
  const balanceOf = (of: Payer) =>
    server().deployment.engine.state().accounts.get(of.user.id)?.available.balance
  const latest = async () => {
    const page = valueOf(await payer.client.call(listDeposits, { kind: 'coin', before: null, page: 1 }))
    return page.deposits[0]
  }

  test('is offered the addresses and accounts that the operators have set up', async () => {
    const { client } = payer
    expect(valueOf(await client.call(listDepositAddresses, null))).toEqual([
      {
        id: 1,
        currency: 'USDT',
        network: 'TRC20',
        address: TRON_ADDRESS,
        tag: '',
        leftToday: units(5_000),
        rate: RATE_OF_ONE,
        isRateFixed: true,
        accountCurrency: 'USD',
      },
    ])
    expect(valueOf(await client.call(listDepositCurrencies, null))).toEqual([{ currency: 'EUR' }])
    const [account, ...more] = valueOf(await client.call(listDepositAccounts, { currency: 'EUR' }))
    expect(account).toMatchObject({ id: 1, bankName: 'A bank', bic: 'DEUTDEFF' })
    expect(more).toEqual([])
    expect(valueOf(await client.call(listDepositAccounts, { currency: 'CHF' }))).toEqual([])
  })

  test('is credited once, at the amount that the desk confirms', async () => {
    const reported = await reportDeposit(payer, 500, await picture())
    expect(reported).toMatchObject({
      amount: sentUnits(500),
      estimate: units(500),
      status: 'unchecked',
      kind: 'coin',
      credited: null,
    })
    expect(balanceOf(payer)).toBe(0n)
    const confirmed = { id: reported.id, amount: sentUnits(499.5), arrivedAt: null, reason: 'arrived' }
    expect(await finance.request(finishDeposit, confirmed)).toEqual({ approvalId: null })
    expect(await finance.refusalOf(finishDeposit, confirmed)).toBe('caseEnded')
    expect(balanceOf(payer)).toBe(units(499.5))
    expect(await latest()).toMatchObject({ id: reported.id, status: 'finished', credited: units(499.5) })
    const { records } = valueOf(
      await payer.client.call(listLedgerRecords, { before: null, page: 1, group: null }),
    )
    expect(records).toMatchObject([{ kind: 'deposit', amount: units(499.5), balance: units(499.5) }])
    const subjects = async () => (await sentTo(server(), payer.email)).map(({ subject }) => subject)
    await expect.poll(subjects).toContain(`Your deposit ${reported.id} is credited`)
  })

  test('shows why it was refused, and is not credited', async () => {
    const before = balanceOf(payer)
    const reported = await reportDeposit(payer, 50, await picture())
    const reason = 'nothing has arrived'
    expect(
      await finance.refusalOf(refuseDeposit, { id: reported.id, outcome: 'rejected', reason: ' ' }),
    ).toBe('reasonMissing')
    await finance.request(refuseDeposit, { id: reported.id, outcome: 'rejected', reason })
    expect(await latest()).toMatchObject({ status: 'rejected', remark: reason })
    const other = await reportDeposit(payer, 50, await picture())
    await finance.request(refuseDeposit, { id: other.id, outcome: 'invalid', reason })
    expect(await latest()).toMatchObject({ status: 'invalid', remark: reason })
    expect(balanceOf(payer)).toBe(before)
  })

  test('by wire has its own list, which both names of the call return', async () => {
    const proof = await picture()
    const reported = valueOf(
      await payer.client.call(reportWireDeposit, { amount: sentUnits(70), proof, wireId: 1, reference: '' }),
    )
    expect(reported).toMatchObject({ kind: 'bank', currency: 'EUR' })
    const query = { kind: 'bank', page: 1, before: null } as const
    const page = valueOf(await payer.client.call(listDeposits, query))
    expect(page).toMatchObject({ total: 1, deposits: [{ id: reported.id }] })
    expect(valueOf(await payer.client.call(listDepositsAsWell, query))).toEqual(page)
    expect(valueOf(await payer.client.call(listDeposits, { ...query, page: 2 })).deposits).toEqual([])
    const after = async (before: number) =>
      valueOf(await payer.client.call(listDeposits, { ...query, before })).deposits.map(({ id }) => id)
    expect([await after(reported.id), await after(reported.id + 1)]).toEqual([[], [reported.id]])
  })

  test('above the limit is credited once a second operator approves it', async () => {
    const rich = await newPayer(server())
    const reported = valueOf(
      await rich.client.call(reportWireDeposit, {
        amount: sentUnits(20_000),
        proof: await picture(rich),
        wireId: 1,
        reference: '',
      }),
    )
    const confirmed = { id: reported.id, amount: sentUnits(20_000), arrivedAt: null, reason: 'arrived' }
    const tap = () => finance.try(finishDeposit, confirmed, { requestId: 'a tap' })
    const { approvalId } = valueOf(await tap())
    expect(approvalId).not.toBeNull()
    expect(balanceOf(rich)).toBe(0n)
    // As after a lost answer. Without the request id it is another request.
    expect(valueOf(await tap())).toEqual({ approvalId })
    expect(await finance.refusalOf(finishDeposit, confirmed)).toBe('secondPersonAsked')
    const decision = { id: approvalId ?? 0, isApproved: true, reason: 'seen as well' }
    expect(await finance.refusalOf(decideApproval, decision)).toBe('sameOperator')
    const second = await atDesk(server(), 'administrator')
    await second.request(decideApproval, decision)
    expect(balanceOf(rich)).toBe(units(20_000))
  })

  test('needs a picture of its own user that belongs to no other deposit', async () => {
    const stranger = await newPayer(server())
    const theirs = await picture(stranger)
    const given = { amount: sentUnits(20), address: null, channelId: 1, reference: '' }
    const refusalOf = async (input: object) => {
      const outcome = await payer.client.call(reportCoinDeposit, { ...given, proof: theirs, ...input })
      return outcome.ok ? null : outcome.reason
    }
    expect(await refusalOf({})).toBe('proofUnknown')
    expect(await refusalOf({ proof: 'https://elsewhere.example/a.png' })).toBe('proofUnknown')
    const own = await picture()
    await reportDeposit(payer, 20, own)
    expect(await refusalOf({ proof: own })).toBe('proofUsed')
    expect(await refusalOf({ proof: await picture(), channelId: 99 })).toBe('channelNotFound')
  })

  test('above the daily limit of its channel is refused', async () => {
    const outcome = await payer.client.call(reportCoinDeposit, {
      amount: sentUnits(4_990),
      address: null,
      channelId: 1,
      reference: '',
      proof: await picture(),
    })
    expect(outcome).toMatchObject({ ok: false, reason: 'dayLimitReached' })
  })

  test('above the daily limit of its user is refused, also of two at once, and the rest is shown', async () => {
    const { queries } = server().deployment.database
    const limit = (most: bigint | null) =>
      queries.updateTable('wire_account').set({ person_day_limit: most }).where('id', '=', 1n).execute()
    const one = await newPayer(server())
    const left = async (of: Payer) =>
      valueOf(await of.client.call(listDepositAccounts, { currency: 'EUR' }))[0]?.leftToday
    expect(await left(one)).toBeNull()
    await limit(units(100))
    expect(await left(one)).toBe(units(100))
    const report = async (of: Payer, amount: number) => {
      const wire = { amount: sentUnits(amount), proof: await picture(of), wireId: 1, reference: '' }
      const outcome = await of.client.call(reportWireDeposit, wire)
      return outcome.ok ? null : outcome.reason
    }
    const both = await Promise.all([report(one, 60), report(one, 60)])
    expect(new Set(both)).toEqual(new Set(['personDayLimitReached', null]))
    expect(await left(one)).toBe(units(40))
    const other = await newPayer(server())
    expect(await report(other, 100)).toBeNull()
    await queries
      .updateTable('deposit')
      .set({ told_at: BigInt(Date.now() - 86_400_000) })
      .where('user_id', '=', BigInt(one.user.id))
      .execute()
    expect(await left(one)).toBe(units(100))
    await limit(null)
  })

  test.each([
    [{ number: 0 }, 'amountInvalid'],
    [{ number: -5 }, 'amountInvalid'],
    [{ number: '1e309' }, 'amountMalformed'],
    [{ number: '1.000000001' }, 'amountMalformed'],
    [{ number: '9'.repeat(40) }, 'amountMalformed'],
    [{ number: ' 5' }, 'amountMalformed'],
    [{ number: null }, 'amountMalformed'],
    [{ proofImg: 'x'.repeat(5_000) }, 'textTooLong'],
    [{ transaction_number: 'x'.repeat(10_000) }, 'textTooLong'],
    [{ charge_id: 'one' }, 'idInvalid'],
  ])('with %j is refused and not recorded', async (given, reason) => {
    const before = (await latest())?.id
    const body = { number: 5, proofImg: await picture(), charge_id: 1, address: '', ...given }
    const answer = await post(server(), '/api/quickCharge/submit', body, payer.token)
    expect(dataOf(answer)).toMatchObject({ reason, field: Object.keys(given)[0] })
    expect((await latest())?.id).toBe(before)
  })

  test('is accepted by GET, as older clients send it', async () => {
    const query = new URLSearchParams({ number: '6', proofImg: await picture(), charge_id: '1', address: '' })
    const answer = await fetch(`${server().url}/api/quickCharge/submit?${query.toString()}`, {
      headers: { authorization: payer.token, lang: 'en' },
    })
    expect(await answer.json()).toMatchObject({ code: 1, data: { number: 6, status: 0, type: 0 } })
  })

  test('sent twice with one request id is recorded once', async () => {
    const body = { number: 7, proofImg: await picture(), charge_id: 1 }
    const send = () =>
      post(server(), '/api/quickCharge/submit', body, payer.token, { 'idempotency-key': 'one deposit' })
    const [first, again] = [await send(), await send()]
    expect(dataOf<{ id: number }>(again)).toEqual(dataOf<{ id: number }>(first))
  })
})
