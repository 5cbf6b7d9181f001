import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address is one of the open internet: not of this machine, its network, a link, a cloud's own services, and none that
 * carries such a one inside it.
 */
export function isPublicAddress(address: string): boolean {
  // The library also takes what is only short for one.
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast'
}

/** The IP address that a host of a URL is, without the brackets; null for a name. */
export function literalIn(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}
