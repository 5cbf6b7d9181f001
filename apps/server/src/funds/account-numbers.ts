import { blake2b } from '@noble/hashes/blake2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base32nopad, base58, base58xrp, bech32, bech32m, hex } from '@scure/base'
import { coinNetworkOf, type CoinNetworkCode } from '@fairlot/contract'
import {
  attempt,
  base58check,
  cashAccount,
  crc16,
  hederaAccount,
  LENGTH_MAX,
  plainAddress,
  tonAccount,
} from '../platform/database/plain-address.ts'

const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const ACCOUNT = /^[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/

/** A bank identifier code as it is stored, however it was typed: in groups, in small letters. */
export const writtenBic = (text: string): string => text.replace(/[\s\p{Cf}\p{Pd}]/gu, '').toUpperCase()

/** A bank identifier code (ISO 9362). */
export const isBic = (text: string): boolean => BIC.test(text)

/** The letters and digits of an IBAN as people write it: in groups, in small letters, with "IBAN" before it. */
export const plainIban = (text: string): string =>
  text
    .replace(/[\s\p{Cf}\p{Pd}]/gu, '')
    .toUpperCase()
    .replace(/^IBAN:?/, '')

/** An IBAN begins with its country and two check digits. */
export const hasIbanShape = (text: string): boolean => /^[A-Z]{2}\d{2}/.test(plainIban(text))

/** An account number: an IBAN with the right check digits, or one of a country that has none. */
export const isBankAccount = (text: string): boolean =>
  hasIbanShape(text) ? isIban(plainIban(text)) : ACCOUNT.test(text)

/** An account number in the form in which account numbers are compared: an IBAN as such, others in capitals. */
export const plainAccount = (account: string): string =>
  hasIbanShape(account) ? plainIban(account) : lettersAndDigits(account)

/** A bank identifier code in the form in which codes are compared: one that ends in XXX is the one of 8 characters. */
export const plainBic = (bic: string): string => lettersAndDigits(bic).replace(/^(.{8})XXX$/, '$1')

const lettersAndDigits = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()

type AccountNumbers = {
  readonly address: string
  /** The tag or memo of the coin address; empty for none. */
  readonly tag?: string
  readonly iban: string
  readonly payeeAccount: string
  readonly bic: string
}

/**
 * The key of a coin address or bank account. It is equal for the same one, however it was typed and whatever network it
 * was bound for. Keys are stored: another form needs a migration of `receiving_method` and `payout_destination`.
 */
export function accountKey({ address, tag = '', iban, payeeAccount, bic }: AccountNumbers): string {
  // Users of one exchange share an address, and differ by their tags.
  if (address !== '') return ['coin', plainAddress(address), ...(tag === '' ? [] : [tag])].join(' ')
  const account = plainAccount(iban || payeeAccount)
  if (iban !== '' || hasIbanShape(account)) return `iban ${account}`
  return `account ${plainBic(bic)} ${account}`
}

/** ISO 13616: the remainder of the rearranged digits by 97 is 1. */
function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false
  const rearranged = text.slice(4) + text.slice(0, 4)
  const digits = rearranged.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}

/**
 * The address formats of each network. Addresses of Solana, and names of accounts of NEAR and EOS, have no check digits:
 * only their length and letters are checked.
 */
const CHECKS: Readonly<Record<CoinNetworkCode, (address: string) => boolean>> = {
  BTC: (address) => isSegwit(address, 'bc') || hasVersion(address, [0x00, 0x05]),
  LTC: (address) => isSegwit(address, 'ltc') || hasVersion(address, [0x30, 0x32, 0x05]),
  DOGE: (address) => hasVersion(address, [0x1e, 0x16]),
  DASH: (address) => hasVersion(address, [0x4c, 0x10]),
  TRC20: (address) => hasVersion(address, [0x41]),
  ERC20: isEvmAddress,
  BEP20: isEvmAddress,
  POLYGON: isEvmAddress,
  ARBITRUM: isEvmAddress,
  OPTIMISM: isEvmAddress,
  BASE: isEvmAddress,
  AVAXC: isEvmAddress,
  SOL: (address) => attempt(() => base58.decode(address))?.length === 32,
  XRP: isXrpAddress,
  XLM: isStellarAddress,
  TON: (address) => tonAccount(address) !== null,
  ATOM: (address) => bech32BytesOf(address, 'cosmos')?.length === 20,
  BCH: (address) => cashAccount(address) !== null || hasVersion(address, [0x00, 0x05]),
  ETC: isEvmAddress,
  ADA: (address) => isCardanoAddress(address) || isByronAddress(address),
  DOT: isPolkadotAddress,
  NEAR: isNearAccount,
  HBAR: (address) => hederaAccount(address) !== null || isEvmAddress(address),
  EOS: (address) => /^[a-z1-5](?:[a-z1-5.]{0,10}[a-z1-5])?$/.test(address),
}

const ANY_ADDRESS = /^[\w:-]{10,120}$/

/** Whether an address can belong to a network, by the check digits of that network's addresses. */
export function isCoinAddress(network: string, address: string): boolean {
  const code = coinNetworkOf(network)
  if (address.length > LENGTH_MAX) return false
  return code === null ? ANY_ADDRESS.test(address) : CHECKS[code](address)
}

function hasVersion(address: string, versions: readonly number[]): boolean {
  const bytes = attempt(() => base58check.decode(address))
  return bytes?.length === 21 && versions.includes(bytes[0] ?? -1)
}

/** The highest version that BIP 141 defines; the encoding could express higher ones. */
const SEGWIT_VERSION_MAX = 16

function isSegwit(address: string, prefix: string): boolean {
  for (const encoding of [bech32, bech32m]) {
    const read = attempt(() => encoding.decode(address as `${string}1${string}`))
    const [version, ...program] = read?.prefix === prefix ? read.words : []
    const bytes = version === undefined ? null : attempt(() => encoding.fromWords(program))
    if (bytes && (version === 0) === (encoding === bech32))
      return (version ?? 0) <= SEGWIT_VERSION_MAX && [20, 32].includes(bytes.length)
  }
  return false
}

function bech32BytesOf(address: string, prefix: string): Uint8Array | null {
  const read = attempt(() => bech32.decode(address as `${string}1${string}`, LENGTH_MAX))
  return read?.prefix === prefix ? attempt(() => bech32.fromWords(read.words)) : null
}

/** Base58 in the letters of the XRP Ledger: the version 0, 20 bytes, and 4 check bytes. */
function isXrpAddress(address: string): boolean {
  const bytes = attempt(() => base58xrp.decode(address))
  if (bytes?.length !== 25 || bytes[0] !== 0) return false
  const check = sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4)
  return hex.encode(check) === hex.encode(bytes.subarray(21))
}

/** SEP-23: the version of an account, 32 bytes, and the CRC-16, low byte first. */
function isStellarAddress(address: string): boolean {
  const bytes = attempt(() => base32nopad.decode(address))
  if (bytes?.length !== 35 || bytes[0] !== 6 << 3) return false
  const check = crc16(bytes.subarray(0, 33))
  return bytes[33] === (check & 0xff) && bytes[34] === check >> 8
}

/** Lengths of addresses that are paid to (CIP-19): a key or script with a stake beside it (kinds 0 to 3), or alone (6, 7). */
const CARDANO_LENGTHS = [57, 57, 57, 57, null, null, 29, 29]
const CARDANO_MAIN = 1

function isCardanoAddress(address: string): boolean {
  const [head, ...rest] = bech32BytesOf(address, 'addr') ?? []
  if (head === undefined || (head & 0x0f) !== CARDANO_MAIN) return false
  return CARDANO_LENGTHS[head >> 4] === rest.length + 1
}

/** The heads of CBOR in an address of Cardano's first era: two items, of which the first is tagged bytes. */
const BYRON_HEAD = [0x82, 0xd8, 0x18, 0x58]
/** Within: three items, the first of 28 bytes, the second its attributes: none, or the one that wallets use. */
const BYRON_ROOT = [0x83, 0x58, 0x1c]
const BYRON_ATTRIBUTES = [[0xa0], [0xa1, 0x01]]

/** The second item is the CRC-32 of the bytes. Addresses of a test network have an attribute more. */
function isByronAddress(address: string): boolean {
  const bytes = attempt(() => base58.decode(address))
  if (!bytes || !startsWith(bytes, BYRON_HEAD)) return false
  const end = 5 + (bytes[4] ?? 0)
  const payload = bytes.subarray(5, end)
  const attributes = payload.subarray(31)
  if (!startsWith(payload, BYRON_ROOT) || !BYRON_ATTRIBUTES.some((each) => startsWith(attributes, each)))
    return false
  // As CBOR writes numbers: a small one is shorter.
  const check = crc32(payload).toString(16)
  const written = check.length > 4 ? `1a${check.padStart(8, '0')}` : `19${check.padStart(4, '0')}`
  return hex.encode(bytes.subarray(end)) === written
}

/** CRC-32 as in ISO 3309. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const startsWith = (bytes: Uint8Array, head: readonly number[]): boolean =>
  head.every((byte, index) => bytes[index] === byte)

/** SS58: the network 0, 32 bytes of a key, and two bytes of a BLAKE2b checksum. */
function isPolkadotAddress(address: string): boolean {
  const bytes = attempt(() => base58.decode(address))
  if (bytes?.length !== 35 || bytes[0] !== 0) return false
  const check = blake2b(concatBytes(utf8ToBytes('SS58PRE'), bytes.subarray(0, 33)))
  return hex.encode(check.subarray(0, 2)) === hex.encode(bytes.subarray(33))
}

const NEAR_LENGTH_MAX = 64
const NEAR_PART = '[a-z0-9]+(?:[_-][a-z0-9]+)*'
const NEAR_NAME = new RegExp(`^(?:${NEAR_PART}\\.)+(?:near|tg)$`)

/** An account with a name, or one that is the hexadecimal form of its key or of an address of Ethereum. */
function isNearAccount(address: string): boolean {
  if (address.length > NEAR_LENGTH_MAX) return false
  return NEAR_NAME.test(address) || /^(?:[0-9a-f]{64}|0x[0-9a-f]{40})$/.test(address)
}

/** Mixed case carries a checksum (EIP-55); all lower case or all upper case carries none. */
function isEvmAddress(address: string): boolean {
  const digits = /^0x([0-9a-f]{40})$/i.exec(address)?.[1]
  if (digits === undefined) return false
  const lower = digits.toLowerCase()
  if (digits === lower || digits === digits.toUpperCase()) return true
  const hash = hex.encode(keccak_256(utf8ToBytes(lower)))
  return lower.split('').every((digit, index) => {
    const isUpper = parseInt(hash[index] ?? '0', 16) >= 8
    return digits[index] === (isUpper ? digit.toUpperCase() : digit)
  })
}
