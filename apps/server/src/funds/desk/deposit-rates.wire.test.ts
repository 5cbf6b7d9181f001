import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  getDeposit,
  getStatement,
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  reportWireDeposit,
  valueOf,
  type InputOf,
} from '@fairlot/contract'
import {
  decideApproval,
  finishDeposit,
  getWaitingCase,
  previewCredit,
  saveDepositChannel,
  saveWireAccount,
} from '@fairlot/contract/desk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '../../../../../testing/read-csv.ts'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { upload } from '../../platform/files/testing/sending.ts'
import { sentTo } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  newPayer,
  openedDeposit,
  sentUnits,
  setUpPayments,
  reportDeposit,
  units,
  type Payer,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { differenceWith } from '../../verify/test-kit.ts'
import { verify } from '../../verify/verify.ts'

const MINUTE_MS = 60_000
const REASON = 'arrived'
const rateOf = (value: number): bigint => BigInt(Math.round(value * 1e10))

describe.each(DATABASES)('a deposit in its own currency, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-rates-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { DATA_DIR: dataDir } })
  let [payer, finance, second]: [Payer, AtDesk, AtDesk] = [] as never
  beforeAll(async () => {
    await setUpPayments(server())
    // Euros count at the mid of the market, which is 1.10.
    const { queries } = server().deployment.database
    await queries.updateTable('wire_account').set({ fixed_rate: null }).execute()
    await server().price('EURUSD', [1.0999, 1.1001])
    ;[payer, finance] = [await newPayer(server()), await atDesk(server(), 'finance')]
    second = await atDesk(server(), 'administrator')
  })
  afterAll(async () => {
    await server().deployment.engine.caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })
  let seen = 0
  const picture = async (of: Payer = payer) =>
    upload(
      server(),
      of.token,
      await rendered(40 + (seen += 1), 30)
        .png()
        .toBuffer(),
    )
  const wire = async (amount: number, of: Payer = payer) =>
    valueOf(
      await of.client.call(reportWireDeposit, {
        amount: sentUnits(amount),
        proof: await picture(of),
        wireId: 1,
        reference: '',
      }),
    )
  const balance = (of: Payer = payer) =>
    server().deployment.engine.state().accounts.get(of.user.id)?.available.balance ?? 0n
  const shownTo = async (id: number) => valueOf(await payer.client.call(getDeposit, { id }))
  const claim = (id: number, amount: number, arrivedAt: number | null = null) => ({
    id,
    amount: sentUnits(amount),
    arrivedAt,
  })
  const credit = (id: number, amount: number, arrivedAt: number | null = null) => ({
    ...claim(id, amount, arrivedAt),
    reason: REASON,
  })
  /** A bar of the minute before a moment, which closed at a price of five decimals. */
  const barBefore = async (at: number, close: number) => {
    const { queries } = server().deployment.database
    const { instruments, sources } = server().deployment.engine.state()
    const id = [...instruments.values()].find(({ code }) => code === 'EURUSD')?.id ?? 0
    const price = BigInt(close)
    await queries
      .insertInto('candle')
      .values({
        instrument_id: BigInt(id),
        source: sources.get(id)?.kind ?? '',
        period: '1min',
        time: BigInt(Math.floor(at / MINUTE_MS) * MINUTE_MS - MINUTE_MS),
        open: price,
        high: price,
        low: price,
        close: price,
        volume: 1n,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['instrument_id', 'source', 'period', 'time'])
          .doUpdateSet({ open: price, high: price, low: price, close: price }),
      )
      .execute()
  }

  test('shows its owner amount, currency, rate and credit: first estimated, then final', async () => {
    const [account] = valueOf(await payer.client.call(listDepositAccounts, { currency: 'EUR' }))
    expect(account).toMatchObject({ rate: rateOf(1.1), isRateFixed: false, accountCurrency: 'USD' })
    const reported = await wire(1_000)
    expect(reported).toMatchObject({
      amount: sentUnits(1_000),
      currency: 'EUR',
      accountCurrency: 'USD',
      estimate: units(1_100),
      estimatedRate: rateOf(1.1),
      credited: null,
      rate: null,
    })
    const preview = await finance.request(previewCredit, claim(reported.id, 999.5))
    expect(preview).toMatchObject({
      currency: 'EUR',
      accountCurrency: 'USD',
      rate: rateOf(1.1),
      rateNow: rateOf(1.1),
      credited: units(1_099.45),
      needsSecond: false,
    })
    const before = balance()
    expect(await finance.request(finishDeposit, credit(reported.id, 999.5))).toEqual({ approvalId: null })
    expect(balance() - before).toBe(units(1_099.45))
    expect(await shownTo(reported.id)).toMatchObject({
      amount: sentUnits(1_000),
      arrived: sentUnits(999.5),
      rate: rateOf(1.1),
      credited: units(1_099.45),
    })
    const mails = async () => JSON.stringify(await sentTo(server(), payer.email))
    await expect.poll(mails).toContain('1,099.45 USD')
    await expect.poll(mails).toContain('999.50 EUR arrived, at a rate of 1.1')
    const day = new Date(server().deployment.market.now()).toISOString().slice(0, 10)
    const statement = await fetch(`${server().url}${getStatement.path}?from=${day}&to=${day}&format=csv`, {
      headers: { lang: 'en', authorization: payer.token },
    })
    const { header, rows } = readCsv(await statement.text())
    const cell = (row: readonly string[], name: string) => row[header.indexOf(name)]
    const row = rows.find((each) => cell(each, 'Case') === String(reported.id)) ?? []
    expect(['Kind', 'Note', 'Change in available'].map((name) => cell(row, name))).toEqual([
      'deposit',
      `No. ${reported.id} · 999.5 EUR at a rate of 1.1`,
      '1099.45',
    ])
  })

  test('counts with its value against the daily limits', async () => {
    const { queries } = server().deployment.database
    const limit = (most: bigint | null) =>
      queries.updateTable('wire_account').set({ person_day_limit: most }).execute()
    const poor = await newPayer(server())
    await limit(units(100))
    const proof = await picture(poor)
    const given = { proof, wireId: 1, reference: '' }
    const refused = await poor.client.call(reportWireDeposit, { ...given, amount: sentUnits(95) })
    expect(refused).toMatchObject({ ok: false, reason: 'personDayLimitReached' })
    expect((await poor.client.call(reportWireDeposit, { ...given, amount: sentUnits(90) })).ok).toBe(true)
    await limit(null)
  })

  test('is credited at the rate of its arrival, by two operators if more than one percent from the mid', async () => {
    const { id, createdAt } = await wire(1_000)
    await barBefore(createdAt, 105_000)
    const before = balance()
    expect(await finance.request(previewCredit, claim(id, 1_000, createdAt))).toMatchObject({
      rate: rateOf(1.05),
      credited: units(1_050),
      needsSecond: true,
    })
    const { approvalId } = await finance.request(finishDeposit, credit(id, 1_000, createdAt))
    expect(approvalId).not.toBeNull()
    expect(balance()).toBe(before)
    const shown = await second.request(getWaitingCase, { caseKey: `deposit:${id}` })
    expect(shown.changes).toMatchObject([
      { field: 'Received', after: '1000 EUR' },
      { field: 'Rate', after: '1.05' },
      { field: 'Credited', after: '1,050.00' },
    ])
    await second.request(decideApproval, {
      id: approvalId ?? 0,
      isApproved: true,
      reason: 'the bank says so',
    })
    expect(balance() - before).toBe(units(1_050))
    expect(await shownTo(id)).toMatchObject({ rate: rateOf(1.05), arrivedAt: createdAt })
    await server().deployment.engine.caughtUp()
    const { database } = server().deployment
    // Another bar, or in effect another rate in the journal.
    const forged = differenceWith(database, (queries) =>
      queries
        .updateTable('candle')
        .set({ open: 104_999n, high: 104_999n, low: 104_999n, close: 104_999n })
        .where('close', '=', 105_000n)
        .execute(),
    )
    expect(await forged).toBe(
      'depositEnded: arrived rate is "10500000000", it should be from "10499900000" to "10499900000"',
    )
  })

  test('cannot arrive before its report or in the future', async () => {
    const { id, createdAt } = await wire(10)
    for (const at of [createdAt - 2 * MINUTE_MS, Date.now() + MINUTE_MS])
      expect(await finance.try(finishDeposit, credit(id, 10, at))).toMatchObject({
        reason: 'arrivalInvalid',
        details: { field: 'arrivedAt' },
      })
    await finance.request(finishDeposit, credit(id, 10))
  })

  test('in a coin pegged to the dollar counts one for one', async () => {
    const { id } = await reportDeposit(payer, 500, await picture())
    const before = balance()
    // Older clients send an amount without a time of arrival.
    await finance.request(finishDeposit, credit(id, 499.5))
    expect(balance() - before).toBe(units(499.5))
    expect(await shownTo(id)).toMatchObject({ rate: rateOf(1), credited: units(499.5) })
  })

  test('from before deposits had a currency is credited in account money', async () => {
    const id = await openedDeposit(server(), payer.user.id, units(25))
    const before = balance()
    expect(await finance.request(previewCredit, claim(id, 25))).toMatchObject({ currency: 'USD', rate: null })
    expect(await finance.refusalOf(finishDeposit, credit(id, 0.00000001))).toBe('amountInvalid')
    await finance.request(finishDeposit, credit(id, 25))
    expect(balance() - before).toBe(units(25))
  })

  test('is neither offered nor accepted in a currency without a rate', async () => {
    const { queries } = server().deployment.database
    const row = await queries.selectFrom('wire_account').selectAll().executeTakeFirstOrThrow()
    await queries
      .insertInto('wire_account')
      .values({ ...row, id: 2n, currency_code: 'XTS' })
      .execute()
    expect(valueOf(await payer.client.call(listDepositCurrencies, null))).toEqual([{ currency: 'EUR' }])
    expect(valueOf(await payer.client.call(listDepositAddresses, null))).toHaveLength(1)
    const given = { amount: sentUnits(5), proof: await picture(), wireId: 2, reference: '' }
    expect(await payer.client.call(reportWireDeposit, given)).toMatchObject({
      ok: false,
      reason: 'rateUnknown',
    })
    // Nobody set it up at the desk, and `verify` would say so.
    await queries.deleteFrom('wire_account').where('id', '=', 2n).execute()
  })

  const CHANNEL: InputOf<typeof saveDepositChannel> = {
    id: null,
    version: 0,
    currencyCode: 'USDT',
    protocolCode: 'ERC20',
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    tag: '',
    isUnlistedNetwork: false,
    dayLimit: null,
    personDayLimit: null,
    fixedRate: null,
    reason: 'a wallet',
  }
  const WIRE: InputOf<typeof saveWireAccount> = {
    id: null,
    version: 0,
    currencyCode: 'EUR',
    bankName: 'Quay Bank',
    bankAddress: '2 Quay',
    bankSwift: 'QUAYDEFF',
    payeeName: 'Fairlot clients',
    payeeAccount: 'DE89370400440532013000',
    bankRemark: '',
    dayLimit: null,
    personDayLimit: null,
    fixedRate: null,
    reason: 'a bank',
  }

  test.each([
    ['zero', { fixedRate: 0n }, 'rateInvalid'],
    ['below zero', { fixedRate: -1n }, 'rateInvalid'],
    ['a thousand times off', { fixedRate: rateOf(1_000) }, 'rateInvalid'],
    ['a thousand times off the other way', { fixedRate: rateOf(0.001) }, 'rateInvalid'],
    ['none, in a currency without a pair', { currencyCode: 'XTS' }, 'fixedRateNeeded'],
  ])('is refused a channel with a fixed rate of %s', async (_name, given, reason) => {
    expect(await finance.refusalOf(saveDepositChannel, { ...CHANNEL, ...given })).toBe(reason)
    expect(await finance.refusalOf(saveWireAccount, { ...WIRE, ...given })).toBe(reason)
  })

  test('is refused a channel whose address or IBAN exists in another spelling', async () => {
    const { approvalId } = await finance.request(saveDepositChannel, CHANNEL)
    await second.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: 'compared' })
    const lowerCase = { ...CHANNEL, address: CHANNEL.address.toLowerCase(), protocolCode: 'ERC-20' }
    expect(await finance.refusalOf(saveDepositChannel, lowerCase)).toBe('receivingAddressTaken')
    // As rows from before the list of networks name it.
    const { queries } = server().deployment.database
    const row = queries.updateTable('deposit_channel').where('address', '=', CHANNEL.address)
    await row.set({ protocol_code: 'USDT Ethereum' }).execute()
    expect(await finance.refusalOf(saveDepositChannel, lowerCase)).toBe('receivingAddressTaken')
    await row.set({ protocol_code: 'ERC20' }).execute()
    for (const payeeAccount of ['DE89 3704 0044 0532 0130 00', 'IBAN: de89\u20113704\u20110044 0532 0130 00'])
      expect(await finance.refusalOf(saveWireAccount, { ...WIRE, payeeAccount })).toBe(
        'receivingAddressTaken',
      )
  })

  test('is credited at the rate that the second operator has read, whatever the market does meanwhile', async () => {
    const [rich, cashier] = [await newPayer(server()), await atDesk(server(), 'finance')]
    const { id } = await wire(20_000, rich)
    const { approvalId } = await cashier.request(finishDeposit, credit(id, 20_000))
    const { changes } = await second.request(getWaitingCase, { caseKey: `deposit:${id}` })
    expect(changes).toContainEqual(expect.objectContaining({ field: 'Credited', after: '22,000.00' }))
    await server().price('EURUSD', [1.1039, 1.1041])
    expect(await cashier.request(previewCredit, claim(id, 20_000))).toMatchObject({ rate: rateOf(1.104) })
    await second.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: 'compared' })
    expect(balance(rich)).toBe(units(22_000))
    expect(valueOf(await rich.client.call(getDeposit, { id }))).toMatchObject({ rate: rateOf(1.1) })
    await server().price('EURUSD', [1.0999, 1.1001])
  })

  test('counts at a fixed rate once two operators have set it', async () => {
    const { queries } = server().deployment.database
    const row = await queries.selectFrom('wire_account').selectAll().executeTakeFirstOrThrow()
    const change = { ...WIRE, id: 1, version: Number(row.version), fixedRate: rateOf(1.105) }
    const { approvalId } = await finance.request(saveWireAccount, change)
    const shown = async () =>
      valueOf(await payer.client.call(listDepositAccounts, { currency: 'EUR' })).find(({ id }) => id === 1)
    expect(await shown()).toMatchObject({ isRateFixed: false })
    await second.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: 'compared' })
    expect(await shown()).toMatchObject({ rate: rateOf(1.105), isRateFixed: true })
    const { id } = await wire(100)
    await server().price('EURUSD', [1.0999, 1.1001])
    await finance.request(finishDeposit, credit(id, 100))
    expect(await shownTo(id)).toMatchObject({ rate: rateOf(1.105), credited: units(110.5) })
  })
})
