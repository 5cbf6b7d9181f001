import type { FastifyInstance } from 'fastify'

/** Where browsers of a desktop find the app: at the address they asked for, or on the host `pc.` beside it. */
export type DesktopHost = 'same' | 'pc'

const DESKTOP_SYSTEM = /\b(?:Windows NT|Macintosh|CrOS|X11)\b/
/** A phone, a tablet or a television names its own kind beside the system. */
const OTHER_DEVICE = /Mobi|Android|Tablet|iPad|iPhone|iPod|Silk|TV/

/** Whether a User-Agent is that of a desktop browser. An iPad that asks for desktop pages looks like one. */
export const isDesktopBrowser = (userAgent: string): boolean =>
  DESKTOP_SYSTEM.test(userAgent) && !OTHER_DEVICE.test(userAgent)

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** At least three labels, the last one not a number, as in an IP address; with the port. */
const NAMED_HOST = new RegExp(`^(${LABEL})((?:\\.${LABEL})+\\.(?!\\d+(?::|$))${LABEL}(?::\\d{1,5})?)$`)

/**
 * The host (with its port) whose first label is `pc` in place of that of `host`. Null where this is that host already, and where a
 * host has no label to replace: the rest of a name of two labels would belong to somebody else.
 */
export function pcHostOf(host: string): string | null {
  const [, label, rest] = NAMED_HOST.exec(host.toLowerCase()) ?? []
  return label === undefined || label === 'pc' ? null : `pc${rest}`
}

/** Sends browsers of a desktop that open the app to its host for them, if the setting says so. */
export function redirectDesktops(server: FastifyInstance, live: { readonly desktopHost: DesktopHost }): void {
  server.addHook('onRequest', async (request, reply) => {
    if (live.desktopHost === 'same' || request.method !== 'GET' || !/^\/(?:\?|$)/.test(request.url)) return
    reply.header('vary', 'user-agent')
    const host = isDesktopBrowser(request.headers['user-agent'] ?? '') ? pcHostOf(request.host) : null
    if (host === null) return
    // Without the scheme, which a proxy in front may have ended; the browser keeps its own, and what follows a `#`.
    return reply.header('cache-control', 'no-store').redirect(`//${host}${request.url}`, 302)
  })
}
