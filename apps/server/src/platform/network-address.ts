import { isIPv6 } from 'node:net'

/** The key that rate limits per address count by: an IPv4 address, or the /64 network of an IPv6 address, since one user can have all of its addresses. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(missing, 0)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Without leading zeros, so that a network has one name. */
const groupsOf = (part: string): string[] =>
  part === '' ? [] : part.split(':').map((group) => group.replace(/^0+(?=.)/, ''))

/** An address masked for other users: enough to distinguish networks, too little to identify its owner. */
export function maskedAddress(address: string): string {
  const network = networkOf(address)
  if (!isIPv6(address) || network.includes('.')) return network.replace(/\.\d+$/, '.*')
  return `${network.split(':').slice(0, 3).join(':')}:*`
}
