import { readDecimal } from '@fairlot/core/decimal'
import { money } from '@fairlot/core'
import type { InputOf } from '@fairlot/contract'
import {
  decideApproval,
  getPaymentSetup,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  switchOffReceiving,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const CHANNEL: InputOf<typeof saveDepositChannel> = {
  ...{ id: null, version: 0, currencyCode: 'USDT', protocolCode: 'ERC20', reason: 'a new wallet' },
  ...{ address: '0x52908400098527886E0F7030069857D2E4169EE7', dayLimit: money(5_000_000_000n) },
  personDayLimit: money(1_000_000_000n),
}
const WIRE: InputOf<typeof saveWireAccount> = {
  ...{ id: null, version: 0, currencyCode: 'EUR', bankName: 'Quay Bank', bankAddress: '2 Quay' },
  ...{ bankSwift: 'QUAYDEFF', payeeName: 'Fairlot clients', payeeAccount: 'DE89370400440532013000' },
  ...{ bankRemark: 'your number', dayLimit: null, personDayLimit: null, reason: 'a new bank' },
}
const CURRENCY: InputOf<typeof saveWithdrawalCurrency> = {
  ...{ id: null, version: 0, code: 'USDT', protocol: 'TRC20', kind: 'coin', feeType: 'rate' },
  personDayLimit: money(2_000_000_000n),
  ...{
    fee: money(10_000n),
    usdPrice: readDecimal('0.9998', 10) ?? (0 as never),
    minimum: money(10_000_000n),
  },
  ...{ maximum: null, isOn: true, reason: 'a way to be paid' },
}

describe.each(DATABASES)('the setup of payments, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  let finance: AtDesk
  beforeAll(async () => {
    finance = await atDesk(server(), 'finance')
  })
  const setup = () => finance.ask(getPaymentSetup, null)

  test('an address for deposits is asked for, and not there before a second person agrees', async () => {
    const asked = await finance.ask(saveDepositChannel, CHANNEL)
    expect(asked.approvalId).toBeGreaterThan(0)
    expect(await finance.ask(saveWireAccount, WIRE)).toMatchObject({ approvalId: expect.any(Number) })
    expect(await setup()).toEqual({ channels: [], wires: [], currencies: [] })
    const compliance = await atDesk(server(), 'compliance')
    const decision = { id: asked.approvalId ?? 0, isApproved: true, reason: 'compared by phone' }
    expect(await finance.refusalOf(decideApproval, decision)).toBe('sameOperator')
    await compliance.ask(decideApproval, decision)
    const { channels } = await setup()
    expect(channels).toMatchObject([{ address: CHANNEL.address, isOn: true, version: 1 }])
    const [channel] = channels
    const off = { kind: 'channel', id: channel?.id ?? 0, version: 1, reason: 'the key leaked' } as const
    await finance.ask(switchOffReceiving, off)
    expect((await setup()).channels).toMatchObject([{ isOn: false, version: 2 }])
  })

  test.each([
    [
      'a wrong checksum',
      { address: '0x52908400098527886E0F7030069857D2E4169Ee7' },
      'receivingAddressInvalid',
    ],
    ['an address of another network', { protocolCode: 'TRC20' }, 'receivingAddressInvalid'],
    ['no network', { protocolCode: '' }, 'paymentFieldInvalid'],
    ['a currency that is none', { currencyCode: 'us dollars' }, 'paymentFieldInvalid'],
    ['a limit of nothing', { dayLimit: money(0n) }, 'paymentFieldInvalid'],
    ['no reason', { reason: '' }, 'reasonMissing'],
    ['a channel of nobody', { id: 99, version: 1 }, 'paymentRowNotFound'],
  ])('an address with %s is refused', async (_name, given, reason) => {
    expect(await finance.refusalOf(saveDepositChannel, { ...CHANNEL, ...given })).toBe(reason)
  })

  test.each([
    ['a wrong check digit', { payeeAccount: 'DE89370400440532013001' }, 'receivingAddressInvalid'],
    ['a bank code that is none', { bankSwift: 'QUAY' }, 'paymentFieldInvalid'],
    ['no payee', { payeeName: ' ' }, 'paymentFieldInvalid'],
  ])('an account with %s is refused', async (_name, given, reason) => {
    expect(await finance.refusalOf(saveWireAccount, { ...WIRE, ...given })).toBe(reason)
  })

  test('what withdrawals are paid in is written by one person, and by forms that are up to date', async () => {
    const saved = await finance.ask(saveWithdrawalCurrency, CURRENCY)
    const dearer = { ...CURRENCY, ...saved, fee: money(20_000n) }
    expect(await finance.ask(saveWithdrawalCurrency, dearer)).toMatchObject({ version: 2 })
    expect(await finance.refusalOf(saveWithdrawalCurrency, dearer)).toBe('formOutdated')
    expect((await setup()).currencies).toMatchObject([
      { code: 'USDT', fee: 20_000n, usdPrice: 0.9998, minimum: 10_000_000n, maximum: null },
    ])
  })

  test.each([
    ['a fee of all there is', { fee: money(1_000_000n) }],
    ['a fee below nothing', { fee: money(-1n) }],
    ['a price of nothing', { usdPrice: 0 as never }],
    ['a maximum below its minimum', { maximum: money(1n) }],
    ['a coin without a network', { protocol: '' }],
  ])('a currency with %s is refused', async (_name, given) => {
    const refusal = await finance.refusalOf(saveWithdrawalCurrency, { ...CURRENCY, ...given })
    expect(refusal).toBe('paymentFieldInvalid')
  })

  test('nothing that is not there can be switched off', async () => {
    const off = { kind: 'channel', id: 77, version: 1, reason: 'the key leaked' } as const
    expect(await finance.refusalOf(switchOffReceiving, off)).toBe('paymentRowNotFound')
  })
})
