import { readDecimal } from '@fairlot/core/decimal'
import { money } from '@fairlot/core'
import {
  listDepositAddresses,
  listPayoutCurrencies,
  listTermsChanges,
  valueOf,
  type InputOf,
} from '@fairlot/contract'
import {
  changeOperator,
  decideApproval,
  type DepositChannel,
  getPaymentSetup,
  listWaiting,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  switchOffReceiving,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { endSingleOperatorMode } from '../../testing/engine-setup.ts'
import { newPayer, TRON_ADDRESS } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const CHANNEL: InputOf<typeof saveDepositChannel> = {
  id: null,
  version: 0,
  currencyCode: 'USDT',
  protocolCode: 'ERC20',
  reason: 'a new wallet',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  tag: '',
  isUnlistedNetwork: false,
  dayLimit: money(5_000_000_000n),
  personDayLimit: money(1_000_000_000n),
  fixedRate: null,
}
const OTHER_TRON = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'
const RIPPLE = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
const OTHER = { ...CHANNEL, address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' }
const WIRE: InputOf<typeof saveWireAccount> = {
  id: null,
  version: 0,
  currencyCode: 'EUR',
  bankName: 'Quay Bank',
  bankAddress: '2 Quay',
  bankSwift: 'QUAYDEFF',
  payeeName: 'Fairlot clients',
  payeeAccount: 'DE89370400440532013000',
  bankRemark: 'your number',
  dayLimit: null,
  fixedRate: null,
  personDayLimit: null,
  reason: 'a new bank',
}
const CURRENCY: InputOf<typeof saveWithdrawalCurrency> = {
  id: null,
  version: 0,
  code: 'USDT',
  protocol: 'TRC20',
  kind: 'coin',
  feeType: 'rate',
  personDayLimit: money(2_000_000_000n),
  fee: money(10_000n),
  usdPrice: readDecimal('0.9998', 10) ?? (0 as never),
  minimum: money(10_000_000n),
  maximum: null,
  isOn: true,
  isUnlistedNetwork: false,
  reason: 'a way to be paid',
}

const EVERYTHING = { kind: null, held: null, search: null, page: 1, before: null } as const

describe.each(DATABASES)('the payment setup, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  let finance: AtDesk
  beforeAll(async () => {
    finance = await atDesk(server(), 'finance')
  })
  const setup = () => finance.request(getPaymentSetup, null)
  const agreeAs =
    (colleague: AtDesk) =>
    async ({ approvalId }: { readonly approvalId: number | null }) => {
      // Null would mean that one operator was enough.
      expect(approvalId).toEqual(expect.any(Number))
      await colleague.request(decideApproval, {
        id: approvalId ?? 0,
        isApproved: true,
        reason: 'compared by phone',
      })
    }
  const shown = async () => {
    const changes = valueOf(await clientOf(server().url).call(listTermsChanges, null))
    return changes.filter((change) => change.kind === 'payments')
  }

  test('cannot be changed while only one operator may decide', async () => {
    expect(await finance.refusalOf(saveWithdrawalCurrency, CURRENCY)).toBe('secondOperatorNeeded')
    expect(await finance.refusalOf(saveDepositChannel, CHANNEL)).toBe('secondOperatorNeeded')
    expect(await finance.refusalOf(saveWireAccount, WIRE)).toBe('secondOperatorNeeded')
    expect(await setup()).toEqual({ channels: [], wires: [], currencies: [] })
    await endSingleOperatorMode(server())
  })

  test('has a new deposit address only after a second operator approves it', async () => {
    const requested = await finance.request(saveDepositChannel, CHANNEL)
    expect(requested.approvalId).toBeGreaterThan(0)
    expect(await finance.request(saveWireAccount, WIRE)).toMatchObject({ approvalId: expect.any(Number) })
    expect(await setup()).toEqual({ channels: [], wires: [], currencies: [] })
    const compliance = await atDesk(server(), 'compliance')
    const decision = { id: requested.approvalId ?? 0, isApproved: true, reason: 'compared by phone' }
    expect(await finance.refusalOf(decideApproval, decision)).toBe('sameOperator')
    await compliance.request(decideApproval, decision)
    const { channels } = await setup()
    expect(channels).toMatchObject([{ address: CHANNEL.address, isOn: true, version: 1 }])
    const [channel] = channels
    const off = { kind: 'channel', id: channel?.id ?? 0, version: 1, reason: 'the key leaked' } as const
    await finance.request(switchOffReceiving, off)
    expect((await setup()).channels).toMatchObject([{ isOn: false, version: 2 }])
  })

  test('announces changes of limits and withdrawal fees to users', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const agree = agreeAs(compliance)
    await agree(await finance.request(saveDepositChannel, OTHER))
    await agree(
      await finance.request(saveWithdrawalCurrency, { ...CURRENCY, code: 'ETH', protocol: 'ERC20' }),
    )
    expect(await shown()).toEqual([])
    const { channels, currencies } = await setup()
    const channel = { ...OTHER, id: channels.at(-1)?.id ?? 0, version: 1, dayLimit: null }
    await agree(await finance.request(saveDepositChannel, channel))
    const currency = { ...CURRENCY, code: 'ETH', protocol: 'ERC20', id: currencies[0]?.id ?? 0, version: 1 }
    const dearer = { ...currency, fee: money(25_000n), personDayLimit: null, isOn: false }
    await agree(await finance.request(saveWithdrawalCurrency, dearer))
    expect(await shown()).toMatchObject([
      {
        about: 'ETH · ERC20',
        isInForce: true,
        reason: CURRENCY.reason,
        fields: [
          { field: 'fee', before: '1 %', after: '2.5 %' },
          { field: 'personDayLimit', before: '2000', after: '' },
        ],
      },
      { about: 'USDT · ERC20', fields: [{ field: 'dayLimit', before: '5000', after: '' }] },
    ])
  })

  test('lowers daily limits only after the notice period, and raises them at once', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const agree = agreeAs(compliance)
    const payer = await newPayer(server())
    const address = TRON_ADDRESS
    await agree(await finance.request(saveDepositChannel, { ...CHANNEL, protocolCode: 'TRC20', address }))
    const stored = async () => {
      const row = (await setup()).channels.at(-1)
      if (!row) throw new Error('no channel')
      return row
    }
    const left = async () =>
      valueOf(await payer.client.call(listDepositAddresses, null)).find((each) => each.address === address)
        ?.leftToday
    const save = async (limits: Partial<DepositChannel>) => {
      const { changedAt: _at, isOn: _on, rateNow: _rate, comingLimits: _coming, ...form } = await stored()
      const change = { ...form, ...limits, isUnlistedNetwork: false, reason: 'a smaller bank' }
      await agree(await finance.request(saveDepositChannel, change))
    }
    expect(await left()).toBe(1_000_000_000n)
    const since = Date.now()
    const given = { dayLimit: money(100_000_000n), personDayLimit: money(2_000_000_000n) }
    await save(given)
    const { comingLimits, ...inForce } = await stored()
    expect(inForce).toMatchObject({ dayLimit: 5_000_000_000n, personDayLimit: 2_000_000_000n })
    expect(comingLimits).toEqual({ ...given, from: expect.any(Number) })
    expect(comingLimits?.from).toBeGreaterThanOrEqual(since + 24 * 3_600_000)
    expect(await left()).toBe(2_000_000_000n)
    const [coming, atOnce] = (await shown()).filter(({ about }) => about === 'USDT · TRC20')
    expect(coming).toMatchObject({
      fields: [{ field: 'dayLimit', before: '5000', after: '100' }],
      effectiveAt: comingLimits?.from,
      isInForce: false,
    })
    expect(atOnce).toMatchObject({
      fields: [{ field: 'personDayLimit', before: '1000', after: '2000' }],
      isInForce: true,
    })
    const { queries } = server().deployment.database
    const { id } = await stored()
    // As if the notice period were over.
    await queries
      .updateTable('deposit_channel')
      .set({ limits_from: 1n })
      .where('id', '=', BigInt(id))
      .execute()
    expect(await stored()).toMatchObject({ ...given, comingLimits: null })
    expect(await left()).toBe(100_000_000n)
    await save({ dayLimit: money(300_000_000n) })
    expect(await left()).toBe(300_000_000n)
    // An announced limit is taken back by two operators who keep the one in force.
    await save({ dayLimit: money(1_000_000n) })
    expect(await left()).toBe(300_000_000n)
    await save({})
    expect(await stored()).toMatchObject({ dayLimit: 300_000_000n, comingLimits: null })
    expect((await shown()).filter(({ isInForce }) => !isInForce)).toEqual([])
  })

  test('lowers the daily limit of a payout currency only after the notice period', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const agree = agreeAs(compliance)
    const payer = await newPayer(server())
    const code = 'LTC'
    await agree(await finance.request(saveWithdrawalCurrency, { ...CURRENCY, code }))
    const stored = async () => {
      const row = (await setup()).currencies.find((each) => each.code === code)
      if (!row) throw new Error('no currency')
      return row
    }
    const left = async () =>
      valueOf(await payer.client.call(listPayoutCurrencies, { kind: 'coin' })).find(
        (each) => each.code === code,
      )?.leftToday
    const form = async () => {
      const { changedAt: _at, comingLimits: _coming, ...own } = await stored()
      return { ...own, isUnlistedNetwork: false, reason: 'a smaller bank' }
    }
    const personDayLimit = money(50_000_000n)
    const lower = { ...(await form()), personDayLimit }
    const waiting = await finance.request(saveWithdrawalCurrency, lower)
    expect(await left()).toBe(2_000_000_000n)
    await agree(waiting)
    expect(await left()).toBe(2_000_000_000n)
    expect(await stored()).toMatchObject({
      personDayLimit: 2_000_000_000n,
      comingLimits: { personDayLimit, from: expect.any(Number) },
    })
    expect((await shown()).find(({ isInForce }) => !isInForce)).toMatchObject({
      fields: [{ field: 'personDayLimit', before: '2000', after: '50' }],
    })
    // One operator may switch it off, which neither takes the announced limit back nor hastens it.
    const off = { ...(await form()), isOn: false }
    const together = await finance.request(saveWithdrawalCurrency, { ...off, personDayLimit: null })
    expect(together).toEqual({ approvalId: expect.any(Number) })
    expect(await finance.request(saveWithdrawalCurrency, off)).toEqual({ approvalId: null })
    expect(await stored()).toMatchObject({ isOn: false, comingLimits: { personDayLimit } })
    const { queries } = server().deployment.database
    const set = (values: { readonly limits_from: bigint; readonly is_on: bigint }) =>
      queries.updateTable('withdrawal_currency').set(values).where('code', '=', code).execute()
    const { comingLimits } = await stored()
    // As if the notice period were over.
    await set({ limits_from: 1n, is_on: 1n })
    expect(await left()).toBe(50_000_000n)
    await set({ limits_from: BigInt(comingLimits?.from ?? 0), is_on: 0n })
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test.each([
    ['a wrong checksum', { address: '0x52908400098527886E0F7030069857D2E4169Ee7' }, 'coinAddressInvalid'],
    ['an address of another network', { protocolCode: 'TRC20' }, 'coinAddressInvalid'],
    ['no network', { protocolCode: '' }, 'paymentFieldInvalid'],
    [
      'a wrong last letter, however Tron is written',
      { protocolCode: 'TRC20-USDT', address: `${TRON_ADDRESS.slice(0, -1)}u` },
      'coinAddressInvalid',
    ],
    ['an address of Ethereum on Tron', { protocolCode: 'USDT-TRC20' }, 'coinAddressInvalid'],
    ['a network that is not on the list', { protocolCode: 'Kaspa' }, 'networkUnlisted'],
    ['a network in letters of another script', { protocolCode: '\u0422RC20' }, 'paymentFieldInvalid'],
    ['a network with NUL', { protocolCode: 'TRC20\u0000' }, 'coinAddressInvalid'],
    ['a network turned around', { protocolCode: 'TRC\u202e20' }, 'coinAddressInvalid'],
    ['a network of only spaces', { protocolCode: ' \u3000 ' }, 'paymentFieldInvalid'],
    ['a network of 10,000 characters', { protocolCode: 'ERC20 '.repeat(1_700) }, 'paymentFieldInvalid'],
    ['an address of 10,000 characters', { address: '0x'.repeat(5_000) }, 'coinAddressInvalid'],
    ['a link of another chain', { address: `ethereum:${CHANNEL.address}@56` }, 'paymentLinkOtherNetwork'],
    ['a link that cannot be read', { address: 'lightning:lnbc1' }, 'paymentLinkUnreadable'],
    ['a tag where there is none', { tag: '77' }, 'coinTagInvalid'],
    ['an invalid currency', { currencyCode: 'us dollars' }, 'paymentFieldInvalid'],
    ['a limit of zero', { dayLimit: money(0n) }, 'paymentFieldInvalid'],
    ['no reason', { reason: '' }, 'reasonMissing'],
    ['an unknown id', { id: 99, version: 1 }, 'paymentRowNotFound'],
  ])('refuses an address with %s', async (_name, given, reason) => {
    expect(await finance.refusalOf(saveDepositChannel, { ...CHANNEL, ...given })).toBe(reason)
  })

  test.each([
    ['a wrong check digit', { payeeAccount: 'DE89370400440532013001' }, 'bankAccountInvalid'],
    ['an invalid bank code', { bankSwift: 'QUAY' }, 'bicInvalid'],
    ['no payee', { payeeName: ' ' }, 'methodFieldMissing'],
    ['a payee that is only spaces', { payeeName: '\u3000\u00a0' }, 'methodFieldMissing'],
    ['a payee that is too long', { payeeName: 'a'.repeat(10_000) }, 'textTooLong'],
    ['a payee that is turned around', { payeeName: 'Fairlot \u202estneilc' }, 'nameInvalid'],
    ['a payee with NUL', { payeeName: 'Fairlot\u0000' }, 'nameInvalid'],
    ['a bank with an emoji', { bankName: 'Quay 🏦' }, 'nameInvalid'],
  ])('refuses a bank account with %s', async (_name, given, reason) => {
    expect(await finance.refusalOf(saveWireAccount, { ...WIRE, ...given })).toBe(reason)
  })

  test.each([
    [saveDepositChannel, { ...CHANNEL, currencyCode: 'us dollars' }, 'currencyCode', /2 to 10 capital/],
    [saveDepositChannel, { ...CHANNEL, protocolCode: '\u0422RC20' }, 'protocolCode', /2 to 30 Latin letters/],
    [saveDepositChannel, { ...CHANNEL, dayLimit: money(0n) }, 'dayLimit', /must be above zero/],
    [saveWireAccount, { ...WIRE, bankName: '' }, 'bankName', /fill in this field/],
    [saveWireAccount, { ...WIRE, payeeName: 'a'.repeat(201) }, 'payeeName', /at most 200 characters/],
    [saveWireAccount, { ...WIRE, bankSwift: 'QUAY' }, 'bankSwift', /8 or 11 letters and digits/],
    [saveWithdrawalCurrency, { ...CURRENCY, code: '\u0415UR' }, 'code', /2 to 10 capital/],
    [saveWithdrawalCurrency, { ...CURRENCY, fee: money(-1n) }, 'fee', /zero or more/],
    [saveWithdrawalCurrency, { ...CURRENCY, minimum: money(-1n) }, 'minimum', /zero or more/],
    [saveWithdrawalCurrency, { ...CURRENCY, maximum: money(1n) }, 'maximum', /not be below the minimum/],
  ] as const)(
    'says of what was refused which field it is and what is expected there: %#',
    async (of, form, field, sentence) => {
      const outcome = await finance.try<object, unknown>(of, form)
      if (outcome.ok) expect.fail('it was accepted')
      expect(outcome.details.field).toBe(field)
      expect(outcome.message).toMatch(sentence)
    },
  )

  test('takes a bank code as banks write it', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const given = { bankSwift: 'quay gb 2l\u00a0', payeeAccount: 'GB33BUKB20201555555555' }
    await agreeAs(compliance)(await finance.request(saveWireAccount, { ...WIRE, ...given }))
    const { wires } = await setup()
    expect(wires.map(({ bankSwift }) => bankSwift)).toContain('QUAYGB2L')
  })

  test('stores a network by its name on the list, and an address without the link around it', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const given = { protocolCode: 'USDT-TRC20', address: `tron:${OTHER_TRON}?amount=5` }
    await agreeAs(compliance)(await finance.request(saveDepositChannel, { ...CHANNEL, ...given }))
    expect((await setup()).channels.at(-1)).toMatchObject({ protocolCode: 'TRC20', address: OTHER_TRON })
  })

  test('shows the tag of a deposit address to payers', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const payer = await newPayer(server())
    const given = { currencyCode: 'XRP', protocolCode: 'Ripple', address: RIPPLE, fixedRate: 5_000_000_000n }
    for (const tag of ['seven', '4294967296', 'x'.repeat(10_000), RIPPLE])
      expect(await finance.refusalOf(saveDepositChannel, { ...CHANNEL, ...given, tag })).toBe(
        'coinTagInvalid',
      )
    const tagged = { ...CHANNEL, ...given, tag: '\u0660\u0667\u0667' }
    await agreeAs(compliance)(await finance.request(saveDepositChannel, tagged))
    const offered = valueOf(await payer.client.call(listDepositAddresses, null))
    expect(offered.find(({ currency }) => currency === 'XRP')).toMatchObject({
      network: 'XRP',
      address: RIPPLE,
      tag: '77',
    })
    expect(await finance.refusalOf(saveDepositChannel, tagged)).toBe('receivingAddressTaken')
    // The address of an exchange has one tag for each of its customers.
    expect(await finance.refusalOf(saveDepositChannel, { ...tagged, tag: '78' })).toBeNull()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test('has a network that is not on the list only after a warning and two operators', async () => {
    const compliance = await atDesk(server(), 'compliance')
    const confirmed = { protocolCode: 'Kaspa', address: 'kaspa:qpm2qsznhks23z76', isUnlistedNetwork: true }
    const risksOf = async ({ approvalId }: { readonly approvalId: number | null }) => {
      const search = `approval:${approvalId}`
      const { cases } = await compliance.request(listWaiting, { ...EVERYTHING, search })
      return cases[0]?.riskReasons
    }
    const unlisted = 'the network is not on the list: nothing can check the address'
    const channel = await finance.request(saveDepositChannel, { ...CHANNEL, ...confirmed })
    expect(await risksOf(channel)).toContain(unlisted)
    await agreeAs(compliance)(channel)
    expect((await setup()).channels.at(-1)).toMatchObject({ protocolCode: 'Kaspa' })
    const currency = { ...CURRENCY, code: 'KAS', protocol: 'Kaspa' }
    expect(await finance.refusalOf(saveWithdrawalCurrency, currency)).toBe('networkUnlisted')
    const other = { ...currency, isUnlistedNetwork: true }
    const payout = await finance.request(saveWithdrawalCurrency, other)
    expect(await risksOf(payout)).toContain(`${unlisted}es`)
    await agreeAs(compliance)(payout)
    const stored = (await setup()).currencies.find(({ code }) => code === 'KAS')
    expect(stored).toMatchObject({ protocol: 'Kaspa', isOn: true })
    if (!stored) throw new Error('no currency')
    const { changedAt: _at, comingLimits: _coming, ...form } = stored
    const off = { ...form, isUnlistedNetwork: false, isOn: false, reason: 'not used' }
    expect(await finance.request(saveWithdrawalCurrency, off)).toEqual({ approvalId: null })
  })

  describe('a payout currency', () => {
    const approve = (id: number | null, by: AtDesk) =>
      by.refusalOf(decideApproval, { id: id ?? 0, isApproved: true, reason: 'compared with the market' })
    const stored = async () => (await setup()).currencies
    /** The form of USDT after two operators have set it up. */
    const offered = async (colleague: AtDesk) => {
      const { approvalId } = await finance.request(saveWithdrawalCurrency, CURRENCY)
      expect(await approve(approvalId, colleague)).toBeNull()
      const row = (await stored()).at(-1)
      if (!row) throw new Error('no currency')
      const { changedAt: _changedAt, ...form } = row
      return { ...form, isUnlistedNetwork: false, reason: 'the market moved' }
    }

    test('keeps its price until a second operator approves the change', async () => {
      const compliance = await atDesk(server(), 'compliance')
      const form = await offered(compliance)
      expect(form).toMatchObject({ code: 'USDT', fee: 10_000n, usdPrice: 0.9998, maximum: null, version: 1 })
      const tenfold = { ...form, usdPrice: readDecimal('9.998', 10) ?? (0 as never) }
      const { approvalId } = await finance.request(saveWithdrawalCurrency, tenfold)
      expect(approvalId).toBeGreaterThan(0)
      expect(await approve(approvalId, finance)).toBe('sameOperator')
      expect((await stored()).at(-1)).toMatchObject({ usdPrice: 0.9998, version: 1 })
      expect(await approve(approvalId, compliance)).toBeNull()
      expect((await stored()).at(-1)).toMatchObject({ usdPrice: 9.998, version: 2 })
      const entry = server()
        .deployment.database.queries.selectFrom('desk_act')
        .selectAll()
        .where('case_key', '=', `approval:${approvalId}`)
        .where('second_name', '=', compliance.name)
      expect(await entry.executeTakeFirst()).toMatchObject({
        act: 'editPaymentSetup',
        operator_name: finance.name,
        outcome: 'done',
      })
      await server().deployment.engine.caughtUp()
      expect((await verify(server().deployment.database)).difference).toBeNull()
    })

    test('is not changed by an outdated form, neither when saved nor when approved', async () => {
      const compliance = await atDesk(server(), 'compliance')
      const form = await offered(compliance)
      const first = await finance.request(saveWithdrawalCurrency, { ...form, fee: money(20_000n) })
      const second = await finance.request(saveWithdrawalCurrency, { ...form, fee: money(30_000n) })
      expect(await approve(first.approvalId, compliance)).toBeNull()
      expect(await approve(second.approvalId, compliance)).toBe('formOutdated')
      expect(await finance.refusalOf(saveWithdrawalCurrency, form)).toBe('formOutdated')
      expect((await stored()).at(-1)).toMatchObject({ fee: 20_000n, version: 2 })
    })

    test('is not changed if the requester has lost the role since', async () => {
      const compliance = await atDesk(server(), 'compliance')
      const form = await offered(compliance)
      const leaving = await atDesk(server(), 'finance')
      const { approvalId } = await leaving.request(saveWithdrawalCurrency, { ...form, minimum: money(1n) })
      await server()
        .deployment.database.queries.updateTable('operator')
        .set({ role: 'support' })
        .where('id', '=', BigInt(leaving.id))
        .execute()
      expect(await approve(approvalId, compliance)).toBe('operatorNotEntitled')
      expect(await approve(approvalId, compliance)).toBe('caseEnded')
      expect((await stored()).at(-1)).toMatchObject({ minimum: 10_000_000n, version: 1 })
    })

    test('is not changed if the requester was switched off since, even if they have returned', async () => {
      const compliance = await atDesk(server(), 'compliance')
      const administrator = await atDesk(server(), 'administrator')
      const form = await offered(compliance)
      const returning = await atDesk(server(), 'finance')
      const { approvalId } = await returning.request(saveWithdrawalCurrency, { ...form, fee: money(0n) })
      const change = { id: returning.id, role: null, reason: 'an inquiry' }
      await administrator.request(changeOperator, { ...change, isOn: false })
      const on = await administrator.request(changeOperator, { ...change, isOn: true })
      expect(await approve(on.approvalId, compliance)).toBeNull()
      expect(await approve(approvalId, compliance)).toBe('operatorNotEntitled')
      expect(await approve(approvalId, compliance)).toBe('caseEnded')
      expect((await stored()).at(-1)).toMatchObject({ fee: 10_000n, version: 1 })
    })

    test('is switched off by one operator if nothing else changes, and on again by two', async () => {
      const compliance = await atDesk(server(), 'compliance')
      const form = await offered(compliance)
      const dearer = { ...form, isOn: false, fee: money(20_000n) }
      expect(await finance.request(saveWithdrawalCurrency, dearer)).toEqual({
        approvalId: expect.any(Number),
      })
      expect((await stored()).at(-1)).toMatchObject({ isOn: true, version: 1 })
      const off = { ...form, isOn: false, reason: 'the exchange is down' }
      expect(await finance.request(saveWithdrawalCurrency, off)).toEqual({ approvalId: null })
      expect((await stored()).at(-1)).toMatchObject({ isOn: false, version: 2, fee: 10_000n })
      expect(await finance.refusalOf(saveWithdrawalCurrency, off)).toBe('formOutdated')
      const on = await finance.request(saveWithdrawalCurrency, { ...off, isOn: true, version: 2 })
      expect((await stored()).at(-1)).toMatchObject({ isOn: false })
      expect(await approve(on.approvalId, compliance)).toBeNull()
      expect((await stored()).at(-1)).toMatchObject({ isOn: true, version: 3 })
    })
  })

  test.each([
    ['a fee of 100 %', { fee: money(1_000_000n) }],
    ['a negative fee', { fee: money(-1n) }],
    ['a price of zero', { usdPrice: 0 as never }],
    ['a maximum below its minimum', { maximum: money(1n) }],
    ['a coin without a network', { protocol: '' }],
  ])('refuses a payout currency with %s', async (_name, given) => {
    const refusal = await finance.refusalOf(saveWithdrawalCurrency, { ...CURRENCY, ...given })
    expect(refusal).toBe('paymentFieldInvalid')
  })

  test.each(['10.0001', '0.0999', '9998'])(
    'refuses a payout price of %s, tenfold off the market',
    async (price) => {
      const given = { ...CURRENCY, usdPrice: readDecimal(price, 10) ?? (0 as never) }
      const outcome = await finance.try(saveWithdrawalCurrency, given)
      expect(outcome).toMatchObject({ ok: false, reason: 'rateInvalid', details: { field: 'usdPrice' } })
    },
  )

  test('takes any payout price of a currency without a market', async () => {
    const given = { ...CURRENCY, code: 'XAF', protocol: '', kind: 'bank', usdPrice: 600 as never } as const
    const { approvalId } = await finance.request(saveWithdrawalCurrency, given)
    expect(approvalId).toBeGreaterThan(0)
  })

  test('refuses to switch off an unknown channel', async () => {
    const off = { kind: 'channel', id: 77, version: 1, reason: 'the key leaked' } as const
    expect(await finance.refusalOf(switchOffReceiving, off)).toBe('paymentRowNotFound')
  })
})
