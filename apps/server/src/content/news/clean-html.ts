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
]

/**
 * Sanitizes HTML for readers: tags and attributes that are not listed are removed, their text stays. Links lead to
 * http(s) addresses only, pictures are files of this server.
 */
export const cleanHtml = (html: string): string =>
  sanitizer()(html, {
    allowedTags: TAGS,
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt'] },
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
      div: 'p',
      del: 's',
      strike: 's',
      a: (_tag, { href }) => ({ tagName: 'a', attribs: linkTo(href) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isPublicPicture(attribs['src'] ?? ''),
  }).trim()

/** Whether sanitized HTML shows nothing. */
export const isBlankHtml = (html: string): boolean =>
  !/<(?:img|hr)\b/.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''

/** The attributes of a link; none for an address that is not http(s), so that its text stays. */
function linkTo(href: string | undefined): Attributes {
  const address = URL.parse(href ?? '')
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return address && isWeb ? { href: address.href, rel: 'noopener noreferrer nofollow' } : {}
}
