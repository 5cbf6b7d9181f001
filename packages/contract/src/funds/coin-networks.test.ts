import { expect, test } from 'vitest'
import { coinNetworkOf, readCoinTag, takesCoinTag } from './coin-networks.ts'

test.each([
  [
    'TRC20',
    [
      'trc20',
      'TRC-20',
      'USDT-TRC20',
      'TRC20-USDT',
      'TRC20USDT',
      'Tron (TRC20)',
      'TRX',
      'ＴＲＣ２０',
      'TRC\u0662\u0660',
    ],
  ],
  ['ERC20', ['erc-20', 'Ethereum', 'ETH', 'USDC on ERC20', 'BTC-ERC20']],
  ['BEP20', ['BEP-20', 'BSC', 'BNB Smart Chain (BEP20)', 'ETH-BEP20', 'BNB']],
  ['BTC', ['bitcoin', 'BTC', ' btc ']],
  ['XRP', ['XRP Ledger', 'ripple']],
  ['BCH', ['bch', 'Bitcoin Cash', 'bitcoin-cash', 'BCH (Bitcoin Cash)']],
  ['ETC', ['Ethereum Classic', 'ETC', 'Ethereum Classic (ETC)']],
  ['ADA', ['Cardano', 'ADA', 'Cardano (ADA)']],
  ['DOT', ['Polkadot', 'dot', 'USDT-Polkadot']],
  ['NEAR', ['NEAR Protocol', 'USDT-NEAR', 'near']],
  ['HBAR', ['Hedera', 'HBAR', 'Hedera Hashgraph']],
  ['EOS', ['EOS', 'USDT-EOS', 'Vaulta']],
] as const)('%s is known however it is written', (code, spellings) => {
  expect(spellings.map((written) => coinNetworkOf(written))).toEqual(spellings.map(() => code))
})

test.each([
  ['two networks', 'TRC20 ERC20'],
  ['letters of another script', '\u0422RC20'],
  ['a fork of Bitcoin', 'Bitcoin Gold'],
  ['a fork of Bitcoin Cash', 'Bitcoin Cash SV'],
  ['a fork of Ethereum', 'Ethereum PoW'],
  ['two coins', 'BTC XRP'],
  ['nothing', ''],
  ['only spaces', '  \u3000'],
  ['an address', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['10,000 characters', 'TRC2'.repeat(2_500)],
  ['one that is not listed', 'Kaspa'],
])('%s is no network of the list', (_what, written) => {
  expect(coinNetworkOf(written)).toBeNull()
})

test.each([
  ['XRP', '104', '104'],
  ['XRP', '00104', '104'],
  ['XRP', '\u0661\u0660\u0664', '104'],
  ['XRP', '१०४', '104'],
  ['XRP', '１０４', '104'],
  ['XRP', '4294967296', null],
  ['XRP', '-1', null],
  ['XRP', '1e3', null],
  ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', null],
  ['XRP', '1\u202e2', null],
  ['XLM', 'user 77', 'user 77'],
  ['XLM', 'x'.repeat(29), null],
  ['XLM', 'memo\u0000', null],
  ['XLM', '\u0435xchange', null],
  ['TON', '  77 ', '77'],
  ['TON', ' \u3000 ', ''],
  ['TON', 'x'.repeat(10_000), null],
  ['HBAR', '77', '77'],
  ['HBAR', 'x'.repeat(101), null],
  ['EOS', 'user 77', 'user 77'],
  ['EOS', 'x'.repeat(257), null],
  ['Kaspa', 'anything', 'anything'],
  ['BTC', '', ''],
  ['BTC', '77', null],
])('on %s the tag %j is stored as %j', (network, typed, stored) => {
  expect(readCoinTag(network, typed)).toBe(stored)
})

test('a network has tags, has none, or is unknown', () => {
  expect(['Ripple', 'EOS', 'HBAR'].map(takesCoinTag)).toEqual(['yes', 'yes', 'yes'])
  expect(['USDT-TRC20', 'Bitcoin Cash', 'Kaspa'].map(takesCoinTag)).toEqual(['no', 'no', 'unknown'])
})
