import {
  chainOf,
  COIN_NETWORKS,
  coinNetworkName,
  coinNetworkOf,
  coinTagRule,
  type CoinNetworkCode,
  readCoinTag,
} from '@fairlot/contract'
import { atField, isRefusal, refuse, type Refusal } from '../platform/refusal.ts'

/** The networks of links, by scheme. Links of Ethereum name their chain, see `EVM`. */
const SCHEMES: Readonly<Record<string, CoinNetworkCode>> = {
  bitcoin: 'BTC',
  litecoin: 'LTC',
  dogecoin: 'DOGE',
  dash: 'DASH',
  tron: 'TRC20',
  solana: 'SOL',
  ripple: 'XRP',
  xrp: 'XRP',
  xrpl: 'XRP',
  'web+stellar': 'XLM',
  stellar: 'XLM',
  ton: 'TON',
  cosmos: 'ATOM',
  bitcoincash: 'BCH',
  cardano: 'ADA',
  'web+cardano': 'ADA',
  polkadot: 'DOT',
  near: 'NEAR',
  hedera: 'HBAR',
  hbar: 'HBAR',
  eos: 'EOS',
}
const EVM = 'ethereum'

const LINK = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is
/** EIP-681: the target, its chain, and the function that is called. */
const EVM_TARGET = /^(?:pay-)?([^@/]+)(?:@(\d+))?(?:\/(\w+))?$/

/** An address with the tag that belongs to it; empty for none. */
export type CoinTarget = { readonly address: string; readonly tag: string }

type Read = CoinTarget & { readonly chain: number | null }

/**
 * The address and the tag in a payment link, such as `bitcoin:…?amount=…` or `ethereum:…@1`, which must be for the
 * network. Any other text is an address as it stands.
 */
export function coinTargetIn(text: string, network: string): CoinTarget | Refusal {
  const [, scheme = '', rest = ''] = LINK.exec(text) ?? []
  if (scheme === '') return { address: text, tag: '' }
  const own = coinNetworkOf(network)
  const named = SCHEMES[scheme.toLowerCase()]
  const isEvm = scheme.toLowerCase() === EVM
  // Some networks write their addresses with a prefix of their own.
  if (named === undefined && !isEvm) {
    const isAddress = own === null && !rest.includes('?')
    return isAddress ? { address: text, tag: '' } : refuse('paymentLinkUnreadable')
  }
  const read = targetOf(rest, isEvm)
  if (read === null) return refuse('paymentLinkUnreadable')
  const { chain, ...target } = read
  const ownChain = chainOf(network)
  const isSame = isEvm ? ownChain !== null && (chain === null || chain === ownChain) : named === own
  const name = named ?? (chain === null ? 'ERC20' : networkOfChain(chain))
  return isSame
    ? target
    : refuse('paymentLinkOtherNetwork', {
        name: coinNetworkName(name),
        network: coinNetworkName(network),
      })
}

const networkOfChain = (chain: number): string =>
  Object.keys(COIN_NETWORKS).find((code) => chainOf(code) === chain) ?? `chain ${chain}`

/** Null for a link that asks for something that is not understood. */
function targetOf(rest: string, isEvm: boolean): Read | null {
  const [path = '', query = ''] = rest.split(/\?(.*)/s)
  const values = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]))
  // BIP 21: a wallet that does not understand a required parameter must not pay.
  if ([...values.keys()].some((name) => name.startsWith('req-'))) return null
  const tag = ['dt', 'tag', 'memo', 'text'].map((name) => values.get(name)).find(Boolean) ?? ''
  if (isEvm) return evmTargetOf(path, values)
  const address = values.get('destination') ?? decoded(path.replace(/^(?:transfer|pay|send)\//i, ''))
  return address === null || address === '' || address.includes('/') ? null : { address, tag, chain: null }
}

function evmTargetOf(path: string, values: ReadonlyMap<string, string>): Read | null {
  const [, address = '', chain, called] = EVM_TARGET.exec(path) ?? []
  // A transfer of a token: the target is its contract, the receiver a parameter.
  const receiver = called === 'transfer' ? values.get('address') : address
  if ((called !== undefined && called !== 'transfer') || !receiver) return null
  return { address: receiver, tag: '', chain: chain === undefined ? null : Number(chain) }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** A coin address and its tag as typed, the address maybe within a payment link; and the names of the two fields. */
type TypedCoin = CoinTarget & { readonly network: string; readonly fields: CoinTarget }

/** The address and the tag by themselves, as they are stored. */
export function readCoin({ network, address, tag, fields }: TypedCoin): CoinTarget | Refusal {
  const target = coinTargetIn(address, network)
  if (isRefusal(target)) return atField(target, fields.address)
  const own = coinTagOf(network, { typed: tag, linked: target.tag, field: fields.tag })
  return isRefusal(own) ? own : { address: target.address, tag: own }
}

type TypedTag = { readonly typed: string; readonly linked: string; readonly field: string }

/** The tag that was typed, or that came with a payment link; empty for none. */
export function coinTagOf(network: string, { typed, linked, field }: TypedTag): string | Refusal {
  const [own, other] = [readCoinTag(network, typed), readCoinTag(network, linked)]
  if (own === null || other === null) {
    const { rule, most } = coinTagRule(network)
    return refuse('coinTagInvalid', { name: coinNetworkName(network), rule, most: String(most), field })
  }
  return own !== '' && other !== '' && own !== other ? refuse('coinTagDiffers', { field }) : own || other
}
