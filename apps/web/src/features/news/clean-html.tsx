import { createElement, Fragment, useMemo } from 'react'
import type { ReactNode } from 'react'

/** The allowed tags with their styles: the server's list, checked a second time where it is rendered. */
const TAGS: Readonly<Record<string, string>> = {
  p: '',
  strong: 'font-bold',
  em: 'italic',
  u: 'underline',
  s: 'line-through',
  h2: 'text-lead font-bold',
  h3: 'font-bold',
  h4: 'font-bold',
  code: 'font-mono',
  pre: 'overflow-x-auto rounded-field bg-surface p-3',
  blockquote: 'border-s-2 border-line ps-3 text-second',
  ul: 'list-disc ps-5',
  ol: 'list-decimal ps-5',
  li: '',
  br: '',
  hr: 'border-line',
  caption: 'pb-1 text-start text-note text-second',
  thead: '',
  tbody: '',
  tfoot: '',
  tr: 'border-b border-line',
  td: 'min-w-16 px-2 py-1.5 align-top',
  th: 'min-w-16 px-2 py-1.5 text-start align-top font-bold',
}
/** Elements whose children are elements only: the white space between these is no text. */
const WITHOUT_TEXT = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr'])
const VOID = new Set(['br', 'hr'])
/** Tags whose content is not text for readers. */
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math'])

/** The path of a picture on this server: one on another server would let its owner track readers. */
const OWN_PICTURE = /^\/[\w-]+(?:\/[\w.-]+)+$/

/** Renders HTML as React elements: it is never passed to the browser as HTML, so no script in it can run. */
export function CleanHtml({ html }: { html: string }) {
  const content = useMemo(() => {
    // A detached document runs no script and loads no picture.
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    return childrenOf(body)
  }, [html])
  return <div className="break-words [&>*+*]:mt-3">{content}</div>
}

const childrenOf = (node: Node): ReactNode[] => [...node.childNodes].map(elementOf)

function elementOf(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE)
    return WITHOUT_TEXT.has(node.parentElement?.localName ?? '') ? null : node.textContent
  if (!(node instanceof Element) || DROPPED.has(node.localName)) return null
  const name = node.localName
  if (name === 'a')
    return <ExternalLink key={key} href={node.getAttribute('href')} content={childrenOf(node)} />
  if (name === 'img') return <OwnPicture key={key} image={node} />
  if (name === 'table') return <WideTable key={key}>{childrenOf(node)}</WideTable>
  if (name === 'td' || name === 'th') return <Cell key={key} cell={node} tag={name} />
  if (!Object.hasOwn(TAGS, name)) return <Fragment key={key}>{childrenOf(node)}</Fragment>
  return createElement(name, { key, className: TAGS[name] }, ...(VOID.has(name) ? [] : childrenOf(node)))
}

/** A table that scrolls sideways where it is wider than the screen. */
const WideTable = ({ children }: { children: ReactNode }) => (
  <div className="overflow-x-auto">
    <table className="border-collapse break-normal">{children}</table>
  </div>
)

function Cell({ cell, tag: Tag }: { cell: Element; tag: 'td' | 'th' }) {
  return (
    <Tag colSpan={spanOf(cell, 'colspan')} rowSpan={spanOf(cell, 'rowspan')} className={TAGS[Tag]}>
      {childrenOf(cell)}
    </Tag>
  )
}

/** How many columns or rows a cell spans, at most 99; undefined: one. */
function spanOf(cell: Element, name: 'colspan' | 'rowspan'): number | undefined {
  const text = cell.getAttribute(name) ?? ''
  return /^[1-9]\d?$/.test(text) ? Number(text) : undefined
}

/** A link that opens in a new tab without a referrer; an address other than http(s) stays plain text. */
function ExternalLink({ href, content }: { href: string | null; content: ReactNode }) {
  const protocol = URL.parse(href ?? '')?.protocol
  if (href === null || (protocol !== 'https:' && protocol !== 'http:')) return content
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="underline decoration-line underline-offset-4"
    >
      {content}
    </a>
  )
}

function OwnPicture({ image }: { image: Element }) {
  const src = image.getAttribute('src') ?? ''
  if (!OWN_PICTURE.test(src)) return null
  return (
    <img
      src={src}
      alt={image.getAttribute('alt') ?? ''}
      loading="lazy"
      className="max-w-full rounded-field"
    />
  )
}
