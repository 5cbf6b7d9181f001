import { plainLine } from '@fairlot/contract'
import { CONTENT_LENGTH } from '@fairlot/contract/desk'
import { sanitizer } from '../../load-when-needed.ts'
import { cleanHtml, isBlankHtml } from '../clean-html.ts'
import type { FeedItem } from './parse-feed.ts'

export type FeedText = { readonly title: string; readonly summary: string; readonly body: string }

/** An item as a text of ours: clean, as long as ours may be, with a link to where it comes from. Null for one without a title. */
export function feedText({ title, html, link }: FeedItem, source: string): FeedText | null {
  const shownTitle = plain(title)
  if (shownTitle === '') return null
  const text = plain(html)
  const summary = shortened(text, CONTENT_LENGTH.summary)
  const origin = URL.canParse(link)
    ? cleanHtml(`<p><a href="${escaped(link)}">${escaped(source)}</a></p>`)
    : ''
  const whole = cleanHtml(html)
  const isWhole = !isBlankHtml(whole) && whole.length + origin.length <= CONTENT_LENGTH.body
  const body = isWhole ? whole : `<p>${escaped(summary === '' ? shownTitle : summary)}</p>`
  return { title: shortened(shownTitle, CONTENT_LENGTH.title), summary, body: body + origin }
}

/** Without any markup, in one line. */
const plain = (html: string): string =>
  plainLine(
    unescaped(
      sanitizer()(html.replace(/<(?:\/p|br)\b/gi, ' $&'), { allowedTags: [], allowedAttributes: {} }),
    ),
  ).replace(/\s+/g, ' ')

/** Of letters, not of halves of them. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}

const LETTERS: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Back from the only letters that the cleaner writes as entities. */
const unescaped = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => LETTERS[entity] ?? entity)

const escaped = (text: string): string =>
  text.replace(/[<>"&]/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`)
