import { describe, expect, test } from 'vitest'
import { transactionKey } from './transaction-number.ts'

const HASH = '9f3c1e7a5b2d4860a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071a'
const GROUPS = HASH.match(/.{1,8}/g)?.join(' ') ?? ''
/** Solana's are longer, and not hexadecimal. */
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

describe('a transaction number', () => {
  test.each([
    HASH,
    HASH.toUpperCase(),
    `0x${HASH}`,
    `0X${HASH.toUpperCase()}`,
    ` ${HASH}\u00a0`,
    GROUPS,
    `0x ${GROUPS}`,
    `TxID:${HASH}`,
    `TxID: 0x${HASH}`,
    `TXID ${HASH}`,
    `txid ${GROUPS}`,
    `Tx Hash - ${HASH}`,
    `Transaction hash：${HASH}`,
    `交易哈希：${HASH}`,
    `Номер транзакции: ${GROUPS}`,
    `TX#${HASH}.`,
    `(${HASH})`,
    `https://etherscan.io/tx/0x${HASH}`,
    `https://tronscan.org/#/transaction/${HASH}`,
    `https://tronscan.org/#/transaction/${HASH.toUpperCase()}?lang=en`,
    `tronscan.org/#/transaction/${HASH}`,
    `https://www.blockchain.com/explorer/transactions/btc/${HASH}`,
    `https://mempool.space/tx/${HASH}#vin=0`,
    `https://explorer.example/?txid=${HASH}`,
    `sent: https://bscscan.com/tx/0x${HASH} please check`,
    HASH.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ])('is the same hash written as %j', (written) => expect(transactionKey(written)).toBe(HASH))

  test.each([
    SIGNATURE,
    `https://explorer.solana.com/tx/${SIGNATURE}?cluster=mainnet-beta`,
    `https://solscan.io/tx/${SIGNATURE}`,
    `https://explorer.example/solana/${SIGNATURE}`,
    `Signature: ${SIGNATURE}`,
  ])('is the same signature written as %j', (written) =>
    expect(transactionKey(written)).toBe(transactionKey(SIGNATURE)),
  )

  test.each([
    ['0xAB12', 'ab12'],
    ['TxID: 0xab12', 'AB12'],
    ['TX 77', '77'],
    ['FT 2633-1904/7', 'ft263319047'],
    ['Ref. FT26331904', 'FT26331904'],
    ['Reference number: FT26331904', 'ref:FT 26331904'],
    ['UTR 412345678901', '412345678901'],
    ['№ 000123', '000123'],
    ['٤١٢٣٤٥', '412345'],
  ])('of a bank or a short one is the same as %j and %j', (one, other) =>
    expect(transactionKey(one)).toBe(transactionKey(other)),
  )

  test.each([
    [HASH, `${HASH.slice(0, -1)}b`],
    [HASH, HASH.slice(0, -1)],
    ['FT26331904', 'FT26331905'],
    ['000123', '123'],
    ['2026:11', '2025:11'],
    ['https://etherscan.io/tx/0xab12', 'https://etherscan.io/tx/0xab13'],
    ['https://bank.example/a', 'https://bank.example/b'],
    ['txid', 'txhash'],
    ['0x', '0'],
  ])('%j is another than %j', (one, other) => expect(transactionKey(one)).not.toBe(transactionKey(other)))

  test.each(['', ' ', '\u3000', '-', '0x'.slice(2), '://', '\u0000', '\u202e\u200f'])(
    'is none without a letter or digit: %j',
    (written) => expect(transactionKey(written)).toBe(''),
  )

  test('is read from the first 300 characters of any text', () => {
    for (const part of ['a', '0', 'a.', 'tx ', '0x', ':', '/', 'é#', '1='])
      expect(transactionKey(part.repeat(5_000)).length).toBeLessThanOrEqual(300)
    expect(transactionKey(`${HASH} ${'x'.repeat(10_000)}`)).toBe(HASH)
  })
})
