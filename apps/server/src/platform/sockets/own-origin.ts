import type { FastifyRequest } from 'fastify'

/** True for a page of this server, and for clients that are no browser and send no origin. */
export function isOwnOrigin({ headers }: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin).host
  return from !== '' && (from === host || (publicUrl !== null && from === new URL(publicUrl).host))
}
