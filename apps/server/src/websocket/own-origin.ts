import type { FastifyRequest } from 'fastify'

/** A browser tells where a page comes from; other clients do not. Foreign pages are refused. */
export function isOwnOrigin({ headers }: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin).host
  return from !== '' && (from === host || (publicUrl !== null && from === new URL(publicUrl).host))
}
