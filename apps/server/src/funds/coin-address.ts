import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32, bech32m, createBase58check, hex } from '@scure/base'

const base58check = createBase58check(sha256)

/** How addresses of a network are written; a network that is not listed has no check of its own. */
const NETWORKS: readonly (readonly [name: RegExp, isRight: (address: string) => boolean])[] = [
  [/^(?:btc|bitcoin)$/i, (address) => isSegwit(address, 'bc') || hasVersion(address, [0x00, 0x05])],
  [/^(?:trc-?20|trx|tron)$/i, (address) => hasVersion(address, [0x41])],
  [/^(?:erc-?20|eth|ethereum|bep-?20|bsc|polygon|arbitrum|optimism|base)$/i, isAccount],
]

const ANY_ADDRESS = /^[\w:-]{10,120}$/

/** Whether an address may be one of a network, by the checksum that the network's addresses have. */
export function isCoinAddress(network: string, address: string): boolean {
  const known = NETWORKS.find(([name]) => name.test(network.trim()))
  return known ? known[1](address) : ANY_ADDRESS.test(address)
}

function hasVersion(address: string, versions: readonly number[]): boolean {
  const bytes = attempt(() => base58check.decode(address))
  return bytes?.length === 21 && versions.includes(bytes[0] ?? -1)
}

/** BIP 141 knows no higher one, though its letters could say it. */
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

/** Letters in both cases carry a checksum (EIP-55); all small or all large ones carry none. */
function isAccount(address: string): boolean {
  const digits = /^0x([0-9a-f]{40})$/i.exec(address)?.[1]
  if (digits === undefined) return false
  const small = digits.toLowerCase()
  if (digits === small || digits === digits.toUpperCase()) return true
  const hash = hex.encode(keccak_256(utf8ToBytes(small)))
  return small.split('').every((digit, index) => {
    const isLarge = parseInt(hash[index] ?? '0', 16) >= 8
    return digits[index] === (isLarge ? digit.toUpperCase() : digit)
  })
}

function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
