import { latinDigits } from '@fairlot/core/decimal'

/** A network that coins are sent on, and what is known of its addresses. */
type Network = {
  /** As it is shown in lists. */
  readonly name: string
  /** Names that stand for this network alone, in capital letters and digits. */
  readonly words: readonly string[]
  /** Names of its coin, which stand for it only where nothing else does: `ETH` in `ETH-BEP20` is the coin. */
  readonly coins: readonly string[]
  /** What an address needs besides where several users share it. `number`: at most 2^32 - 1. Lengths in bytes of UTF-8. */
  readonly tag?: 'number' | { readonly textMax: number }
  /** The chain id (EIP-155) of networks with the addresses of Ethereum. */
  readonly chain?: number
}

/** The networks whose addresses can be checked. The keys are stored with deposit addresses and payout currencies. */
export const COIN_NETWORKS = {
  TRC20: { name: 'Tron (TRC20)', words: ['TRC20', 'TRON'], coins: ['TRX'] },
  ERC20: { name: 'Ethereum (ERC20)', words: ['ERC20', 'ETHEREUM'], coins: ['ETH'], chain: 1 },
  BEP20: {
    name: 'BNB Smart Chain (BEP20)',
    words: ['BEP20', 'BSC', 'BNBSMARTCHAIN', 'BINANCESMARTCHAIN'],
    coins: ['BNB'],
    chain: 56,
  },
  POLYGON: { name: 'Polygon', words: ['POLYGON'], coins: ['POL', 'MATIC'], chain: 137 },
  ARBITRUM: {
    name: 'Arbitrum One',
    words: ['ARBITRUM', 'ARBITRUMONE', 'ARB1'],
    coins: ['ARB'],
    chain: 42_161,
  },
  OPTIMISM: { name: 'Optimism', words: ['OPTIMISM'], coins: ['OP'], chain: 10 },
  BASE: { name: 'Base', words: ['BASE'], coins: [], chain: 8_453 },
  AVAXC: {
    name: 'Avalanche C-Chain',
    words: ['AVAXC', 'AVALANCHE', 'AVALANCHECCHAIN', 'CCHAIN'],
    coins: ['AVAX'],
    chain: 43_114,
  },
  SOL: { name: 'Solana', words: ['SOLANA', 'SPL'], coins: ['SOL'] },
  TON: {
    name: 'TON',
    words: ['THEOPENNETWORK', 'JETTON'],
    coins: ['TON', 'TONCOIN'],
    tag: { textMax: 120 },
  },
  BTC: { name: 'Bitcoin', words: [], coins: ['BTC', 'BITCOIN'] },
  LTC: { name: 'Litecoin', words: [], coins: ['LTC', 'LITECOIN'] },
  DOGE: { name: 'Dogecoin', words: [], coins: ['DOGE', 'DOGECOIN'] },
  DASH: { name: 'Dash', words: [], coins: ['DASH'] },
  XRP: { name: 'XRP Ledger', words: ['XRPL', 'XRPLEDGER'], coins: ['XRP', 'RIPPLE'], tag: 'number' },
  XLM: { name: 'Stellar', words: ['STELLAR'], coins: ['XLM'], tag: { textMax: 28 } },
  ATOM: { name: 'Cosmos Hub', words: ['COSMOS', 'COSMOSHUB'], coins: ['ATOM'], tag: { textMax: 256 } },
  BCH: { name: 'Bitcoin Cash', words: ['BITCOINCASH'], coins: ['BCH'] },
  ETC: { name: 'Ethereum Classic', words: ['ETHEREUMCLASSIC'], coins: ['ETC'], chain: 61 },
  ADA: { name: 'Cardano', words: ['CARDANO'], coins: ['ADA'] },
  DOT: { name: 'Polkadot', words: ['POLKADOT'], coins: ['DOT'] },
  NEAR: { name: 'NEAR', words: [], coins: ['NEAR'] },
  HBAR: { name: 'Hedera', words: ['HEDERA', 'HASHGRAPH'], coins: ['HBAR'], tag: { textMax: 100 } },
  EOS: { name: 'EOS (Vaulta)', words: ['VAULTA'], coins: ['EOS'], tag: { textMax: 256 } },
} as const satisfies Record<string, Network>

export type CoinNetworkCode = keyof typeof COIN_NETWORKS

const ENTRIES = Object.entries(COIN_NETWORKS) as [CoinNetworkCode, Network][]

/** A tag on a network that is not listed, in bytes. */
const UNKNOWN_TAG_MAX = 120

/** Longer texts name no network. */
const NAME_LENGTH = 60

/** Names of two words, of which the first one alone is another network. */
const TWO_WORDS = /(?<!\p{L})(BITCOIN|ETHEREUM)[^\p{L}\p{N}]+(CASH|CLASSIC)(?!\p{L})/gu

/** Words beside the name of a network that do not make it another one, as `Gold` does. */
const BESIDE = [
  'USDT',
  'USDC',
  'DAI',
  'COIN',
  'TOKEN',
  'NATIVE',
  'NETWORK',
  'PROTOCOL',
  'CHAIN',
  'MAINNET',
  'SEGWIT',
  'ON',
  'THE',
]

/**
 * The network of a name as people write it (`TRC-20`, `USDT-TRC20`, `Tron (TRC20)`); null if it is none of the list, or
 * more than one.
 */
export function coinNetworkOf(written: string): CoinNetworkCode | null {
  if (written.length > NAME_LENGTH) return null
  const text = latinDigits(written.normalize('NFKC')).toUpperCase().replaceAll(TWO_WORDS, '$1$2')
  const whole = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !BESIDE.includes(word))
  const isIn = (names: readonly string[]) => names.some((name) => name === whole || words.includes(name))
  // A standard of tokens says its network, whatever stands beside it.
  const byStandard = ENTRIES.filter(([, network]) =>
    network.words.some((name) => name.endsWith('20') && whole.includes(name)),
  )
  const byName = ENTRIES.filter(([, network]) => isIn(network.words))
  const found = [byStandard, byName, ENTRIES.filter(([, network]) => isIn(network.coins))].find(
    (each) => each.length > 0,
  )
  const [code] = found?.length === 1 ? (found[0] ?? []) : []
  if (code === undefined) return null
  const isKnown = (word: string) =>
    ENTRIES.some(([, { words: own, coins }]) => [...own, ...coins].includes(word))
  const isWhole = [...COIN_NETWORKS[code].words, ...COIN_NETWORKS[code].coins].some((name) => name === whole)
  return byStandard.length > 0 || isWhole || words.every(isKnown) ? code : null
}

const networkNamed = (written: string): Network | null => {
  const code = coinNetworkOf(written)
  return code && COIN_NETWORKS[code]
}

/** The name of a network for messages; one that is not listed keeps its own. */
export const coinNetworkName = (written: string): string => networkNamed(written)?.name ?? written

/** The chain id of a network with the addresses of Ethereum; null for others. */
export const chainOf = (written: string): number | null => networkNamed(written)?.chain ?? null

/** Whether addresses of a network may have a tag: `yes`, `no`, or `unknown` for one that is not listed. */
export function takesCoinTag(written: string): 'yes' | 'no' | 'unknown' {
  const network = networkNamed(written)
  if (network === null) return 'unknown'
  return network.tag === undefined ? 'no' : 'yes'
}

const TAG_NUMBER_MAX = 4_294_967_295

/** What a tag or memo on a network is: a whole number, a text of at most so many bytes, or nothing at all. */
type CoinTagRule = { readonly rule: 'number' | 'text' | 'none'; readonly most: number }

export function coinTagRule(network: string): CoinTagRule {
  const known = networkNamed(network)
  const tag = known ? known.tag : { textMax: UNKNOWN_TAG_MAX }
  if (tag === undefined) return { rule: 'none', most: 0 }
  return tag === 'number' ? { rule: tag, most: TAG_NUMBER_MAX } : { rule: 'text', most: tag.textMax }
}

/**
 * A tag or memo as it is stored: numbers in Latin digits without leading zeros, texts without surrounding spaces. Empty
 * for none; null if the network cannot have it.
 */
export function readCoinTag(network: string, typed: string): string | null {
  const tag = typed.trim()
  if (tag === '') return ''
  const { rule, most } = coinTagRule(network)
  if (rule === 'none') return null
  if (rule === 'number') {
    const digits = latinDigits(tag.normalize('NFKC'))
    return /^\d{1,10}$/.test(digits) && Number(digits) <= most ? String(Number(digits)) : null
  }
  // Wallets and exchanges compare memos byte by byte: other characters only look the same.
  return /^[\x20-\x7e]+$/.test(tag) && tag.length <= most ? tag : null
}
