import { isIP } from 'node:net'

/** Where passkeys work. */
export type PasskeySite = {
  /** The domain that they are made for (the RP id); a key works at no other. */
  readonly domain: string
  /** The addresses of pages that may use them, at this domain or below it. */
  readonly origins: readonly string[]
}

type Given = {
  readonly domain: string | undefined
  /** Separated by commas. */
  readonly origins: string | undefined
  readonly publicUrl: string | null
  readonly port: number
}

const LOCAL = 'localhost'

/** Browsers offer passkeys to pages over https, and to those of the own machine. */
const isSecure = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || hostname === LOCAL

/** Of an address in figures; IPv6 ones stand in brackets. */
const isNumber = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0

const isAt = (domain: string, { hostname }: URL): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`)

/**
 * The site of passkeys. Without settings it is that of the public address, or of `localhost` where none is set; null
 * where browsers offer no passkeys, such as at an address that is a number. A wrong setting is a problem.
 */
export function passkeySite({
  domain,
  origins,
  publicUrl,
  port,
}: Given): PasskeySite | { readonly problem: string } | null {
  const page = new URL(publicUrl ?? `http://${LOCAL}:${port}`)
  if (domain === undefined && origins === undefined)
    return isSecure(page) && !isNumber(page.hostname)
      ? { domain: page.hostname, origins: [page.origin] }
      : null
  const chosen = (domain ?? page.hostname).toLowerCase()
  const isDomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(chosen)
  if (!isDomain || isIP(chosen) !== 0 || (!chosen.includes('.') && chosen !== LOCAL))
    return { problem: 'The setting PASSKEY_DOMAIN is wrong: must be a domain such as trade.example.' }
  const pages = origins?.split(',').map((each) => each.trim()) ?? [
    isAt(chosen, page) ? page.origin : `https://${chosen}`,
  ]
  const areRight = pages.every(
    (each) => URL.canParse(each) && isSecure(new URL(each)) && isAt(chosen, new URL(each)),
  )
  if (!areRight)
    return {
      problem: `The setting PASSKEY_ORIGINS is wrong: must be https addresses at ${chosen}, separated by commas, such as https://www.${chosen}.`,
    }
  return { domain: chosen, origins: pages.map((each) => new URL(each).origin) }
}
