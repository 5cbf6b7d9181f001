import { isPublicPicture } from '@fairlot/contract'
import type { Attributes } from 'sanitize-html'
import { sanitizer } from '../../platform/lazy-packages.ts'

/** Deeper than any text needs. */
const NESTING_MAX = 20

const TAGS = [
  'p',
  'br',
  'h2',
  'h3',
  'h4',
  'strong',
  'em',
  'u',
  's',
  'code',
  'pre',
  'blockquote',
  'ul',
  'ol',
  'li',
  'hr',
  'a',
  'img',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'td',
  'th',
]

/** Tags that are not kept, but set their text apart. */
const PARAGRAPHS = [
  'div',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'aside',
  'address',
  'center',
  'figure',
  'figcaption',
  'dt',
  'dd',
]

/**
 * Sanitizes HTML for readers: tags and attributes that are not listed are removed, their text stays. Links lead to
 * http(s) addresses only, pictures are files of this server.
 */
export const cleanHtml = (html: string): string =>
  sanitizer()(html, {
    allowedTags: TAGS,
    allowedAttributes: {
      a: ['href', 'rel'],
      img: ['src', 'alt'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    // Style attributes are not allowed, so they need no parsing.
    parseStyleAttributes: false,
    nestingLimit: NESTING_MAX,
    transformTags: {
      b: 'strong',
      i: 'em',
      h1: 'h2',
      h5: 'h4',
      h6: 'h4',
      ...Object.fromEntries(PARAGRAPHS.map((tag) => [tag, 'p'])),
      del: 's',
      strike: 's',
      td: (tagName, attributes) => ({ tagName, attribs: spansOf(attributes) }),
      th: (tagName, attributes) => ({ tagName, attribs: spansOf(attributes) }),
      a: (_tag, { href }) => ({ tagName: 'a', attribs: linkTo(href) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isPublicPicture(attribs['src'] ?? ''),
  }).trim()

/** Whether sanitized HTML shows nothing. */
export const isBlankHtml = (html: string): boolean =>
  !/<(?:img|hr)\b/.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''

/** How many columns and rows a cell spans: at most 99. */
const spansOf = (given: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => (name === 'colspan' || name === 'rowspan') && /^[1-9]\d?$/.test(value),
    ),
  )

/** The attributes of a link; none for an address that is not http(s), so that its text stays. */
function linkTo(href: string | undefined): Attributes {
  const address = URL.parse(href ?? '')
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return address && isWeb ? { href: address.href, rel: 'noopener noreferrer nofollow' } : {}
}
