import { accept, type Codec } from '@fairlot/contract'

type Answer = 'instruments' | 'categories' | 'basicInfo'
type FirstData = { readonly language: string } & Readonly<Record<Answer, unknown>>

let data: FirstData | null | undefined

/** Responses of calls, in their wire format, embedded in the page by the server. Null when there are none. */
function firstData(): FirstData | null {
  if (data !== undefined) return data
  const text = typeof document === 'undefined' ? null : document.getElementById('first-data')?.textContent
  return (data = text ? (JSON.parse(text) as FirstData) : null)
}

/** When the page was requested, epoch ms: about the age of its responses. */
export const PAGE_REQUESTED_AT = performance.timeOrigin

/** The language of those responses; null when there are none. */
export const languageOfPage = (): string | null => firstData()?.language ?? null

/** A response embedded in the page; undefined when there is none. */
export function answerOfPage<T>(name: Answer, codec: Codec<T>): T | undefined {
  const page = firstData()
  const read = page && accept(codec, page[name])
  return read?.ok ? read.value : undefined
}
