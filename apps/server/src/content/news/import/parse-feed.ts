import { sanitizer, xml as xmlPackage } from '../../../platform/lazy-packages.ts'
import { plainLine } from '@fairlot/contract'
import { CONTENT_LENGTH } from '@fairlot/contract/desk'
import { cleanHtml, isBlankHtml } from '../clean-html.ts'

/** An item as it is in the feed, not sanitized. */
export type FeedItem = {
  /** Its id in the feed. */
  readonly key: string
  readonly title: string
  readonly link: string
  /** HTML, or text. */
  readonly html: string
  /** Epoch ms; null for none or an invalid one. */
  readonly at: number | null
  /** The address of a picture, or empty. */
  readonly picture: string
}

const ITEMS_MAX = 100

const FORM = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  htmlEntities: true,
  maxNestedTags: 50,
  // Documents that declare entities are refused, so only those of XML and HTML remain, each a single character.
  processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength: 10_000_000 },
}

/** The first items of a feed (RSS 0.9 to 2.0, Atom); null if it is not a feed. */
export function parseFeed(xml: string): FeedItem[] | null {
  if (/<!(?:ENTITY|ELEMENT|ATTLIST)/i.test(xml)) return null
  const { XMLParser, XMLValidator } = xmlPackage()
  try {
    if (XMLValidator.validate(xml) !== true) return null
    const document = nodeOf(new XMLParser(FORM).parse(xml))
    const rss = nodeOf(nodeOf(document['rss'])['channel'])
    const rdf = nodeOf(document['rdf:RDF'])
    const atom = nodeOf(document['feed'])
    const isFeed = ['rss', 'rdf:RDF', 'feed'].some((root) => Object.hasOwn(document, root))
    if (!isFeed) return null
    const items = [...listOf(rss['item']), ...listOf(rdf['item'])].map(rssItem)
    return [...items, ...listOf(atom['entry']).map(atomItem)]
      .filter(({ key, title }) => key !== '' && title !== '')
      .slice(0, ITEMS_MAX)
  } catch {
    return null
  }
}

/** Decodes XML by the charset of its content type, or of its declaration. */
export function textOfXml(bytes: Buffer, contentType: string): string {
  const declared = /encoding=["']([\w-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
  const named = /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? declared ?? 'utf-8'
  try {
    return new TextDecoder(named).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

type Node = { readonly [name: string]: unknown }

function rssItem(raw: unknown): FeedItem {
  const item = nodeOf(raw)
  const [title, link] = [textOf(item['title']), textOf(item['link'])]
  return {
    key: textOf(item['guid']) || link || title,
    title,
    link,
    html: textOf(item['content:encoded']) || textOf(item['description']),
    at: momentOf(textOf(item['pubDate']) || textOf(item['dc:date'])),
    picture: pictureOf(item),
  }
}

function atomItem(raw: unknown): FeedItem {
  const entry = nodeOf(raw)
  const title = textOf(entry['title'])
  const links = listOf(entry['link']).map(nodeOf)
  const own = links.find((link) => [undefined, 'alternate'].includes(link['@rel'] as string | undefined))
  const link = textOf(own?.['@href'])
  return {
    key: textOf(entry['id']) || link || title,
    title,
    link,
    html: textOf(entry['content']) || textOf(entry['summary']),
    at: momentOf(textOf(entry['published']) || textOf(entry['updated'])),
    picture: pictureOf(entry, links),
  }
}

/** The address of the first picture of an item outside its text; empty for none. */
function pictureOf(item: Node, links: readonly Node[] = []): string {
  const enclosed = [
    ...listOf(item['enclosure']).map(nodeOf),
    ...links.filter((link) => link['@rel'] === 'enclosure'),
  ]
  const media = listOf(item['media:content']).map(nodeOf)
  const isPicture = (node: Node) => node['@medium'] === 'image' || textOf(node['@type']).startsWith('image/')
  const [found] = [
    ...[...media, ...enclosed].filter(isPicture),
    ...listOf(item['media:thumbnail']).map(nodeOf),
  ]
  return textOf(found?.['@url'] ?? found?.['@href'])
}

function momentOf(text: string): number | null {
  const at = Date.parse(text)
  return Number.isFinite(at) && at > 0 ? at : null
}

const nodeOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value]

/** The text of an element with or without attributes; of several elements, that of the first. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return textOf(value[0])
  const inner = nodeOf(value)['#text']
  return typeof inner === 'string' ? inner.trim() : ''
}

export type FeedText = { readonly title: string; readonly summary: string; readonly body: string }

/** An item as a sanitized text of at most our length, with a link to its source. Null if it has no title. */
export function feedText({ title, html, link }: FeedItem, source: string): FeedText | null {
  const shownTitle = plain(title)
  if (shownTitle === '') return null
  const text = plain(html)
  const summary = shortened(text, CONTENT_LENGTH.summary)
  const origin = URL.canParse(link)
    ? cleanHtml(`<p><a href="${escaped(link)}">${escaped(source)}</a></p>`)
    : ''
  const full = cleanHtml(html)
  const fits = !isBlankHtml(full) && full.length + origin.length <= CONTENT_LENGTH.body
  const body = fits ? full : `<p>${escaped(summary === '' ? shownTitle : summary)}</p>`
  return { title: shortened(shownTitle, CONTENT_LENGTH.title), summary, body: body + origin }
}

/** Where a text ends that stands apart from the next. */
const TEXT_ENDS =
  /<(?:\/(?:p|div|li|t[dhr]|caption|h[1-6]|d[dt]|section|article|blockquote|figcaption)|[bh]r)\b/gi

/** Removes all markup and line breaks. */
const plain = (html: string): string =>
  plainLine(
    unescaped(sanitizer()(html.replace(TEXT_ENDS, ' $&'), { allowedTags: [], allowedAttributes: {} })),
  ).replace(/\s+/g, ' ')

/** Shortens a text without splitting a surrogate pair. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}

const LETTERS: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** Decodes the entities that the sanitizer writes. */
const unescaped = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => LETTERS[entity] ?? entity)

const escaped = (text: string): string =>
  text.replace(/[<>"&]/g, (letter) => `&#${letter.codePointAt(0) ?? 0};`)
