import { isPublicPicture } from '@fairlot/contract'
import type { Attributes } from 'sanitize-html'
import { sanitizer } from '../load-when-needed.ts'

/** Deeper than any text needs. */
const NESTING_MOST = 20

const TAGS = [
  ...['p', 'br', 'h2', 'h3', 'h4', 'strong', 'em', 'u', 's', 'code', 'pre', 'blockquote'],
  ...['ul', 'ol', 'li', 'hr', 'a', 'img'],
]

/**
 * HTML as readers get it: what is not on the list of tags and attributes goes, its text stays. Links lead to http(s) addresses only,
 * pictures are files of this server.
 */
export const cleanHtml = (html: string): string =>
  sanitizer()(html, {
    allowedTags: TAGS,
    allowedAttributes: { a: ['href', 'rel'], img: ['src', 'alt'] },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    // With none allowed they need not be understood.
    parseStyleAttributes: false,
    nestingLimit: NESTING_MOST,
    transformTags: {
      ...{ b: 'strong', i: 'em', h1: 'h2', h5: 'h4', h6: 'h4', div: 'p', del: 's', strike: 's' },
      a: (_tag, { href }) => ({ tagName: 'a', attribs: linkTo(href) }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isPublicPicture(attribs['src'] ?? ''),
  }).trim()

/** Whether readers would see anything of it. `html` is clean. */
export const isBlankHtml = (html: string): boolean =>
  !/<(?:img|hr)\b/.test(html) && html.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''

/** A link that cannot be followed stays as text. */
function linkTo(href: string | undefined): Attributes {
  const address = URL.parse(href ?? '')
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:'
  return address && isWeb ? { href: address.href, rel: 'noopener noreferrer nofollow' } : {}
}
