import { expect, test } from 'vitest'
import { receivingKeyOf } from './payment-forms.ts'

test.each([
  [
    'TON',
    ['EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI'],
  ],
  ['LTC', ['31y61a543gD7YMzDAi2wdfNgpPBAdtF3xm', 'M8BEKTV1zo4YLsG7Gb2HTJd695mcbkACUr']],
  [
    'Bitcoin Cash',
    ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ],
])('a deposit address of %s has one key, however it is written', (protocolCode, addresses) => {
  const keys = addresses.map((address) =>
    receivingKeyOf({ kind: 'channel', form: { currencyCode: 'USDT', protocolCode, address, tag: '' } }),
  )
  expect(new Set(keys).size).toBe(1)
})
