import { sha256 } from '@noble/hashes/sha2.js'
import { base64urlnopad, bech32, createBase58check, hex } from '@scure/base'

/** Base58 with four check bytes, as Bitcoin and its relatives write addresses. */
export const base58check = createBase58check(sha256)

/** Formats that mean the same in any letters although an address may mix them: hexadecimal digits and bech32. */
const SAME_IN_ANY_CASE = /^(?:(?:0x|-?\d+:)?[0-9a-f]+|(?:bc|tb|ltc)1[0-9a-z]+)$/i

/**
 * A coin address in the form in which addresses are compared, whatever network it was typed for: the form shows which
 * kind it is. Where letters of both cases stand side by side they are part of the address, except in the formats above;
 * where all are of one case, the case says nothing. Formats with several spellings of one account have one here.
 * Keys with this form are stored: a change of it needs a migration that writes them again.
 */
export function plainAddress(address: string): string {
  if (address.length > LENGTH_MAX) return address
  const ofNetwork =
    tonAccount(address) ?? scriptOfLitecoin(address) ?? cashAccount(address) ?? hederaAccount(address)
  if (ofNetwork !== null) return ofNetwork
  const small = address.toLowerCase()
  const isOneCase = address === small || address === address.toUpperCase()
  return isOneCase || SAME_IN_ANY_CASE.test(address) ? small : address
}

/** No address is longer: longer texts are not decoded, which would take long. */
export const LENGTH_MAX = 120

/**
 * The account of a user-friendly address of TON, as `workchain:hash`; null for other texts. The address has flags, the
 * workchain, 32 bytes, and the CRC-16, high byte first; the flags say only how to send. Those of the test network are none.
 */
export function tonAccount(address: string): string | null {
  const bytes = attempt(() => base64urlnopad.decode(address.replaceAll('+', '-').replaceAll('/', '_')))
  if (bytes?.length !== 36 || ![0x11, 0x51].includes(bytes[0] ?? 0)) return null
  const check = crc16(bytes.subarray(0, 34))
  if (bytes[34] !== check >> 8 || bytes[35] !== (check & 0xff)) return null
  const [workchain = 0] = new Int8Array(bytes.subarray(1, 2))
  return `${workchain}:${hex.encode(bytes.subarray(2, 34))}`
}

const SCRIPT = 0x05
/** The version that Litecoin gave its scripts later, so that they look other than those of Bitcoin: `M…` for `3…`. */
const LITECOIN_SCRIPT = 0x32

function scriptOfLitecoin(address: string): string | null {
  if (!address.startsWith('M')) return null
  const bytes = attempt(() => base58check.decode(address))
  if (bytes?.length !== 21 || bytes[0] !== LITECOIN_SCRIPT) return null
  return base58check.encode(Uint8Array.of(SCRIPT, ...bytes.subarray(1)))
}

const CASH_PREFIX = 'bitcoincash'
const CASH_LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** The check digits of an address, of five bits each. */
const CASH_CHECK = 8
const KEY = 0x00
/** Kinds in the version byte: a key and a script, and both for wallets that know tokens. */
const CASH_VERSIONS = [KEY, SCRIPT, KEY, SCRIPT]
const LONG_HASH = { code: 3, length: 32 }

/**
 * The account of an address of Bitcoin Cash (CashAddr), with or without its prefix, in the form of Bitcoin, which that
 * network takes too; null for other texts. Hashes of 32 bytes have no such form: theirs is without the prefix.
 */
export function cashAccount(address: string): string | null {
  const small = address.toLowerCase()
  if (address !== small && address !== address.toUpperCase()) return null
  const text = small.replace(`${CASH_PREFIX}:`, '')
  const words = text.split('').map((letter) => CASH_LETTERS.indexOf(letter))
  const prefix = CASH_PREFIX.split('').map((letter) => (letter.codePointAt(0) ?? 0) & 0x1f)
  if (words.includes(-1) || cashRemainder([...prefix, 0, ...words]) !== 0n) return null
  const [version = 0, ...hash] = attempt(() => bech32.fromWords(words.slice(0, -CASH_CHECK))) ?? []
  const kind = CASH_VERSIONS[version >> 3]
  if (kind === undefined) return null
  if ((version & 7) === LONG_HASH.code && hash.length === LONG_HASH.length) return text
  return (version & 7) === 0 && hash.length === 20 ? base58check.encode(Uint8Array.of(kind, ...hash)) : null
}

const CASH_GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]

/** The checksum of CashAddr: 0 for an address whose check digits are right. */
function cashRemainder(words: readonly number[]): bigint {
  const remainder = words.reduce((so, word) => {
    const next = ((so & 0x07ffffffffn) << 5n) ^ BigInt(word)
    const top = Number(so >> 35n)
    return CASH_GENERATORS.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), next)
  }, 1n)
  return remainder ^ 1n
}

const HEDERA = /^(0\.0\.[1-9]\d{0,18})(?:-([a-z]{5}))?$/i

/** The number of an account of Hedera without its check letters, which may be left out; null where they are wrong. */
export function hederaAccount(address: string): string | null {
  const [, account, check] = HEDERA.exec(address) ?? []
  if (account === undefined) return null
  return check === undefined || check.toLowerCase() === hederaCheck(account) ? account : null
}

/** HIP-15: five letters for an account of the main network, whose ledger has the number 0. */
function hederaCheck(account: string): string {
  const [short, long] = [26 ** 3, 26 ** 5]
  const digits = account.split('').map((digit) => (digit === '.' ? 10 : Number(digit)))
  const sum = (parity: number) =>
    digits.filter((_digit, index) => index % 2 === parity).reduce((so, digit) => so + digit, 0) % 11
  const weighted = digits.reduce((so, digit) => (so * 31 + digit) % short, 0)
  const mixed = ((((digits.length % 5) * 11 + sum(0)) * 11 + sum(1)) * short + weighted) % long
  const number = (mixed * 1_000_003) % long
  return [4, 3, 2, 1, 0]
    .map((place) => String.fromCodePoint(97 + (Math.floor(number / 26 ** place) % 26)))
    .join('')
}

/** CRC-16/XMODEM. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc
}

/** What work gives; null if it throws. */
export function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
