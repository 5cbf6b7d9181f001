import { expect, test } from 'vitest'
import type { ReceivingMethod } from '@fairlot/contract'
import { currencyName, methodName } from './payout-fields.tsx'

const method = (change: Partial<ReceivingMethod>): ReceivingMethod =>
  ({ address: '', tag: '', bankName: '', iban: '', payeeAccount: '', ...change }) as ReceivingMethod

test.each([
  [
    'a long address by its first and last characters',
    { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
    'TR7NHq…gjLj6t',
  ],
  ['an address with its tag', { address: 'short.address', tag: '77' }, 'short.address · 77'],
  ['a short one in full', { address: 'short.address' }, 'short.address'],
  [
    'an account by its bank and IBAN',
    { bankName: 'A bank', iban: 'DE89370400440532013000' },
    'A bank · DE8937…013000',
  ],
  ['one without IBAN by its number', { bankName: 'A bank', payeeAccount: '12345678' }, 'A bank · 12345678'],
  ['one without a bank by its number alone', { payeeAccount: '12345678' }, '12345678'],
])('names a method: %s', (_what, change, name) => expect(methodName(method(change))).toBe(name))

test('a coin is named with its network, money without', () => {
  expect(currencyName({ code: 'USDT', network: 'TRC20' })).toBe('USDT · TRC20')
  expect(currencyName({ code: 'EUR', network: '' })).toBe('EUR')
})
