import { lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { FeedProblem } from '@fairlot/contract/desk'
import { request as requestHttp } from '../../http/node-http.ts'
import { isPublicAddress, literalIn } from './public-address.ts'

export type Fetched = { readonly bytes: Buffer; readonly contentType: string }

export type FetchTerms = {
  readonly accept: string
  readonly bytesMax: number
  /** For all of it, redirects and body too. */
  readonly withinMs: number
  /** Given up when the server stops. */
  readonly signal?: AbortSignal
}

/** Gets what an address on the open internet holds; a word for why not. Never throws. */
export type FetchPublic = (address: string, terms: FetchTerms) => Promise<Fetched | FeedProblem>

const REDIRECTS_MAX = 3

/** Why a fetch was given up. */
class GivenUp extends Error {
  readonly problem: FeedProblem
  constructor(problem: FeedProblem) {
    super(problem)
    this.problem = problem
  }
}

/**
 * Fetches from addresses that are allowed and from no others: an address is judged after its name was looked up, and the connection goes
 * to the very address that was judged. So it is with each redirect. Nothing is decompressed, so what is counted is what there is.
 */
export const createFetchPublic = (isAllowed: (address: string) => boolean = isPublicAddress): FetchPublic => {
  const guardedLookup = lookupAllowed(isAllowed)
  return async (address, { signal, ...terms }) => {
    const late = AbortSignal.timeout(terms.withinMs)
    const until = signal ? AbortSignal.any([late, signal]) : late
    try {
      const ask = (url: URL) => answerOf(judged(url, isAllowed), terms.accept, guardedLookup, until)
      return await bodyOf(await follow(address, ask), terms.bytesMax)
    } catch (error) {
      if (error instanceof GivenUp) return error.problem
      return late.aborted ? 'tooSlow' : 'unreachable'
    }
  }
}

/** Whether an address may be asked at all, as far as it says itself; names are judged when they are looked up. */
export function mayBeAsked(address: string, isAllowed = isPublicAddress): boolean {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  const literal = literalIn(url.hostname)
  if (literal !== null) return isAllowed(literal)
  return url.hostname.includes('.') && !/\.(?:localhost|local|internal)\.?$/.test(url.hostname)
}

function judged(url: URL, isAllowed: (address: string) => boolean): URL {
  const isWeb = /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  const literal = literalIn(url.hostname)
  // The system connects to an address without looking it up.
  if (!isWeb || (literal !== null && !isAllowed(literal))) throw new GivenUp('addressRefused')
  return url
}

async function follow(
  address: string,
  ask: (url: URL) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  let url = URL.parse(address)
  for (let hops = 0; url && hops <= REDIRECTS_MAX; hops += 1) {
    const answer = await ask(url)
    const { statusCode = 0, headers } = answer
    if (statusCode === 200) return answer
    answer.destroy()
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined)
      throw new GivenUp('answerRefused')
    url = URL.parse(headers.location, url.href)
  }
  throw new GivenUp(url ? 'tooManyRedirects' : 'addressRefused')
}

const answerOf = (
  url: URL,
  accept: string,
  guarded: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'Fairlot' }
    // A connection of its own each time: one that is kept was judged under another name.
    const asking = request(url, { agent: false, lookup: guarded, signal, headers }, resolve)
    asking.on('error', reject)
    asking.end()
  })

async function bodyOf(answer: IncomingMessage, bytesMax: number): Promise<Fetched> {
  const { 'content-encoding': encoding = 'identity', 'content-type': contentType = '' } = answer.headers
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (encoding !== 'identity') throw new GivenUp('answerRefused')
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new GivenUp('tooLarge')
      chunks.push(chunk)
    }
    return { bytes: Buffer.concat(chunks), contentType }
  } finally {
    answer.destroy()
  }
}

/** Looks a name up and answers nothing unless each of its addresses is allowed. */
const lookupAllowed =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, answer) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return answer(error ?? new GivenUp('unreachable'), '')
      if (!addresses.every(({ address }) => isAllowed(address)))
        return answer(new GivenUp('addressRefused'), '')
      return options.all === true ? answer(null, addresses) : answer(null, first.address, first.family)
    })
  }
