import type { LookupFunction } from 'node:net'
import { lookup as lookupAll } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FeedProblem } from '@fairlot/contract/desk'
import { request as requestHttp } from '../../../platform/http/node-http.ts'
import {
  AddressRefused,
  isPublicAddress,
  literalIn,
  lookupAllowed,
  mayBeFetched,
} from '../../../platform/http/public-address.ts'

export type Fetched = { readonly bytes: Buffer; readonly contentType: string }

export type FetchTerms = {
  readonly accept: string
  readonly bytesMax: number
  /** For the whole fetch, including redirects and body. */
  readonly withinMs: number
  /** Aborts the fetch. */
  readonly signal?: AbortSignal
}

/** Fetches a resource on the public internet, or returns the code of the problem. Never throws. */
export type FetchPublic = (address: string, terms: FetchTerms) => Promise<Fetched | FeedProblem>

const REDIRECTS_MAX = 3

class FetchAborted extends Error {
  readonly problem: FeedProblem
  constructor(problem: FeedProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Fetches from allowed addresses only. Each address, also of a redirect, is checked after its name is resolved, and the
 * connection is made to the checked address. Nothing is decompressed, so the size limit is reliable.
 */
export const createFetchPublic = (isAllowed: (address: string) => boolean = isPublicAddress): FetchPublic => {
  const guardedLookup = lookupAllowed(isAllowed)
  return async (address, { signal, ...terms }) => {
    const late = AbortSignal.timeout(terms.withinMs)
    const until = signal ? AbortSignal.any([late, signal]) : late
    try {
      const request = (url: URL) => answerOf(checkedUrl(url, isAllowed), terms.accept, guardedLookup, until)
      return await bodyOf(await follow(address, request), terms.bytesMax)
    } catch (error) {
      if (error instanceof FetchAborted) return error.problem
      if (error instanceof AddressRefused) return 'addressRefused'
      return late.aborted ? 'tooSlow' : 'unreachable'
    }
  }
}

/** All addresses of a name; empty if it does not resolve now. */
export type AddressesOf = (hostname: string) => Promise<readonly string[]>

/** An operator is waiting for the response. */
const LOOK_UP_WITHIN_MS = 3_000

const addressesBySystem: AddressesOf = async (hostname) => {
  const found = lookupAll(hostname, { all: true }).then((all) => all.map(({ address }) => address))
  const late = sleep(LOOK_UP_WITHIN_MS, [], { ref: false })
  return Promise.race([found, late]).catch(() => [])
}

/**
 * Whether an address may be stored for later fetches: neither it nor any address that its name resolves to now is
 * internal. A name that does not resolve now may do so later; each fetch checks again.
 */
export async function mayBeKept(address: string, addressesOf = addressesBySystem): Promise<boolean> {
  const url = URL.parse(address)
  if (!url || !mayBeFetched(address)) return false
  return literalIn(url.hostname) !== null || (await addressesOf(url.hostname)).every(isPublicAddress)
}

function checkedUrl(url: URL, isAllowed: (address: string) => boolean): URL {
  const isWeb = /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  const literal = literalIn(url.hostname)
  // The system connects to an IP address without a lookup, so it is checked here.
  if (!isWeb || (literal !== null && !isAllowed(literal))) throw new FetchAborted('addressRefused')
  return url
}

async function follow(
  address: string,
  request: (url: URL) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  let url = URL.parse(address)
  for (let hops = 0; url && hops <= REDIRECTS_MAX; hops += 1) {
    const answer = await request(url)
    const { statusCode = 0, headers } = answer
    if (statusCode === 200) return answer
    answer.destroy()
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined)
      throw new FetchAborted('answerRefused')
    url = URL.parse(headers.location, url.href)
  }
  throw new FetchAborted(url ? 'tooManyRedirects' : 'addressRefused')
}

const answerOf = (
  url: URL,
  accept: string,
  guarded: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'Fairlot' }
    // A new connection each time: a reused one was checked for another name.
    const request = send(url, { agent: false, lookup: guarded, signal, headers }, resolve)
    request.on('error', reject)
    request.end()
  })

async function bodyOf(answer: IncomingMessage, bytesMax: number): Promise<Fetched> {
  const { 'content-encoding': encoding = 'identity', 'content-type': contentType = '' } = answer.headers
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (encoding !== 'identity') throw new FetchAborted('answerRefused')
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new FetchAborted('tooLarge')
      chunks.push(chunk)
    }
    return { bytes: Buffer.concat(chunks), contentType }
  } finally {
    answer.destroy()
  }
}
