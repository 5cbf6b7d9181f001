import { expect, test } from 'vitest'
import { coinTagOf, coinTargetIn } from './payment-links.ts'

const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TOKEN = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const STELLAR = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const TON = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const CASH = 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'
const CARDANO = 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'
const XRP = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'

test.each([
  ['BTC', BITCOIN, BITCOIN, ''],
  ['BTC', `bitcoin:${BITCOIN}?amount=0.1&label=Ada`, BITCOIN, ''],
  ['BTC', `BITCOIN:${BITCOIN.toUpperCase()}?AMOUNT=1`, BITCOIN.toUpperCase(), ''],
  ['TRC20', `tron:${TRON}?amount=5`, TRON, ''],
  ['USDT-ERC20', `ethereum:${EVM}`, EVM, ''],
  ['ERC20', `ethereum:${EVM}@1?value=2.014e18`, EVM, ''],
  ['Polygon', `ethereum:pay-${EVM}@137`, EVM, ''],
  ['ERC20', `ethereum:${TOKEN}@1/transfer?address=${EVM}&uint256=1`, EVM, ''],
  ['XRP', `xrpl:${XRP}?dt=77`, XRP, '77'],
  ['XLM', `web+stellar:pay?destination=${STELLAR}&memo=user%2077`, STELLAR, 'user 77'],
  ['TON', `ton://transfer/${TON}?amount=1&text=77`, TON, '77'],
  ['Bitcoin Cash', `bitcoincash:${CASH}`, CASH, ''],
  ['BCH', `BITCOINCASH:${CASH.toUpperCase()}?amount=1`, CASH.toUpperCase(), ''],
  ['ETC', `ethereum:${EVM}@61`, EVM, ''],
  ['Cardano', `web+cardano:${CARDANO}?amount=1`, CARDANO, ''],
  ['HBAR', 'hedera:0.0.123?memo=77', '0.0.123', '77'],
  ['Kaspa', 'kaspa:qpm2qsznhks23z76', 'kaspa:qpm2qsznhks23z76', ''],
])('on %s, %s is the address with its tag', (network, text, address, tag) => {
  expect(coinTargetIn(text, network)).toEqual({ address, tag })
})

test.each([
  [
    'a coin of another network',
    'TRC20',
    `bitcoin:${BITCOIN}`,
    'paymentLinkOtherNetwork',
    { name: 'Bitcoin', network: 'Tron (TRC20)' },
  ],
  [
    'another chain',
    'ERC20',
    `ethereum:${EVM}@137`,
    'paymentLinkOtherNetwork',
    { name: 'Polygon', network: 'Ethereum (ERC20)' },
  ],
  [
    'a chain that is not known',
    'ERC20',
    `ethereum:${EVM}@99`,
    'paymentLinkOtherNetwork',
    { name: 'chain 99', network: 'Ethereum (ERC20)' },
  ],
  [
    'a network that is not on the list',
    'Kaspa',
    `bitcoin:${BITCOIN}`,
    'paymentLinkOtherNetwork',
    { name: 'Bitcoin', network: 'Kaspa' },
  ],
  [
    'Bitcoin Cash',
    'BTC',
    `bitcoincash:${CASH}`,
    'paymentLinkOtherNetwork',
    { name: 'Bitcoin Cash', network: 'Bitcoin' },
  ],
  ['something required', 'BTC', `bitcoin:${BITCOIN}?req-offer=1`, 'paymentLinkUnreadable', {}],
  [
    'another call of a contract',
    'ERC20',
    `ethereum:${TOKEN}@1/approve?address=${EVM}`,
    'paymentLinkUnreadable',
    {},
  ],
  ['no receiver', 'ERC20', `ethereum:${TOKEN}@1/transfer?uint256=1`, 'paymentLinkUnreadable', {}],
  ['no address', 'BTC', 'bitcoin:?amount=1', 'paymentLinkUnreadable', {}],
  ['a web page', 'SOL', 'solana:https://example.com/pay', 'paymentLinkUnreadable', {}],
  ['broken escapes', 'BTC', 'bitcoin:%E0%A4%A', 'paymentLinkUnreadable', {}],
  ['a scheme of something else', 'BTC', 'lightning:lnbc1', 'paymentLinkUnreadable', {}],
])('a link for %s is refused with the reason', (_what, network, text, rejected, details) => {
  expect(coinTargetIn(text, network)).toEqual({ rejected, details })
})

test.each([
  ['', '77', '77'],
  ['77', '', '77'],
  ['077', '77', '77'],
  ['78', '77', 'coinTagDiffers'],
  ['seven', '', 'coinTagInvalid'],
  ['', 'seven', 'coinTagInvalid'],
])('of the tags %j in the field and %j in the link, %s counts', (typed, linked, expected) => {
  const tag = coinTagOf('XRP', { typed, linked, field: 'tag' })
  expect(typeof tag === 'string' ? tag : tag.rejected).toBe(expected)
})

test.each([
  ['XRP', 'seven', { name: 'XRP Ledger', rule: 'number', most: '4294967295' }],
  ['stellar', 'x'.repeat(29), { name: 'Stellar', rule: 'text', most: '28' }],
  ['TON', '\u0435xchange', { name: 'TON', rule: 'text', most: '120' }],
  ['Kaspa', 'memo\u0000', { name: 'Kaspa', rule: 'text', most: '120' }],
  ['BTC', '77', { name: 'Bitcoin', rule: 'none', most: '0' }],
])('a tag that %s cannot have is refused with what it takes', (network, typed, expected) => {
  expect(coinTagOf(network, { typed, linked: '', field: 'tag' })).toEqual({
    rejected: 'coinTagInvalid',
    details: { ...expected, field: 'tag' },
  })
})
