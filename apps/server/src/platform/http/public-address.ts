import { isIP, type LookupFunction } from 'node:net'
import { lookup } from 'node:dns'
import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address is on the public internet: not of this machine, its network, a link or a cloud service, and not
 * an IPv6 form of such an address.
 */
export function isPublicAddress(address: string): boolean {
  // The library also accepts abbreviated addresses.
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast'
}

/** The host of a URL as an IP address without brackets; null for a name. */
export function literalIn(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

/** Names that are always internal, with or without the trailing dot of the root. */
const INTERNAL_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/

/** Whether an address may be requested, judging by its text. Names are checked again after their lookup. */
export function mayBeFetched(address: string, isAllowed = isPublicAddress): boolean {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  const literal = literalIn(url.hostname)
  if (literal !== null) return isAllowed(literal)
  return /\.[^.]/.test(url.hostname) && !INTERNAL_NAMES.test(url.hostname)
}

/** The address of a request is internal, or its name belongs to an internal address. */
export class AddressRefused extends Error {}

/** Looks up a name for a request, and fails with AddressRefused unless all of its addresses are allowed. */
export const lookupAllowed =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, answer) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return answer(error ?? new Error(`${hostname} has no address`), '')
      if (!addresses.every(({ address }) => isAllowed(address)))
        return answer(new AddressRefused(`${hostname} is an internal address`), '')
      return options.all === true ? answer(null, addresses) : answer(null, first.address, first.family)
    })
  }
