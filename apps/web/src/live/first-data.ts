import { accept, type Codec } from '@fairlot/contract'

type Answer = 'instruments' | 'categories' | 'basicInfo'
type FirstData = { readonly language: string } & Readonly<Record<Answer, unknown>>

let data: FirstData | null | undefined

/** What the server has put into the page beside the first rows: answers of calls, as on the wire. Null where there is none. */
function firstData(): FirstData | null {
  if (data !== undefined) return data
  const text = typeof document === 'undefined' ? null : document.getElementById('first-data')?.textContent
  return (data = text ? (JSON.parse(text) as FirstData) : null)
}

/** When the page was asked for, epoch ms: its answers are about as old. */
export const PAGE_ASKED_AT = performance.timeOrigin

/** The language of those answers, null where there are none. */
export const languageOfPage = (): string | null => firstData()?.language ?? null

/** An answer that came with the page; undefined where none did. */
export function answerOfPage<T>(name: Answer, codec: Codec<T>): T | undefined {
  const page = firstData()
  const read = page && accept(codec, page[name])
  return read?.ok ? read.value : undefined
}
