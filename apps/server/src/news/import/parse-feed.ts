import { xml as xmlPackage } from '../../load-when-needed.ts'

/** What a feed says of one of its items, as it says it: nothing of it is clean. */
export type FeedItem = {
  /** What the feed knows it by. */
  readonly key: string
  readonly title: string
  readonly link: string
  /** HTML, or text. */
  readonly html: string
  /** Epoch ms; null where it says none that can be read. */
  readonly at: number | null
  /** The address of a picture, or empty. */
  readonly picture: string
}

const ITEMS_MAX = 100

const FORM = {
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false, htmlEntities: true },
  maxNestedTags: 50,
  // A document that declares entities is not read at all; what is left are those that XML and HTML have, and each is one letter.
  processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength: 10_000_000 },
}

/** The items of a feed (RSS 0.9 to 2.0, Atom), as many as one looks through; null for what is none. */
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

/** Bytes as text, by the type they came with or what the document says of itself. */
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
    ...{ key: textOf(item['guid']) || link || title, title, link },
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
    ...{ key: textOf(entry['id']) || link || title, title, link },
    html: textOf(entry['content']) || textOf(entry['summary']),
    at: momentOf(textOf(entry['published']) || textOf(entry['updated'])),
    picture: pictureOf(entry, links),
  }
}

/** The first picture that an item brings beside its text. */
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

/** The text of an element, with or without attributes, of several the first. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return textOf(value[0])
  const inner = nodeOf(value)['#text']
  return typeof inner === 'string' ? inner.trim() : ''
}
