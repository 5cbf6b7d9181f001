import { latinDigits } from '@fairlot/core/decimal'

/**
 * The key by which transaction numbers are compared: the same for one number however it was written, as it is, in an
 * explorer's link, after a label such as "TxID:", in groups, in capitals, or with "0x" before it. Empty for a text
 * without a letter or digit. The keys are stored: a change of this function needs a migration that writes them again.
 */
export function transactionKey(written: string): string {
  const text = latinDigits(written.slice(0, LENGTH_MAX).normalize('NFKC')).toLowerCase().trim()
  const hash = HASH.exec(text)?.[1]
  if (hash !== undefined) return hash
  const number = plain(withoutLabel(inLink(text) ?? text))
  // Only hexadecimal numbers are written with and without it.
  return /^0x[0-9a-f]+$/.test(number) ? number.slice(2) : number
}

/** No number or link is longer. */
const LENGTH_MAX = 300

/** The hash of a transaction on most networks: 64 hexadecimal digits, wherever they stand. */
const HASH = /(?<![0-9a-z])(?:0x)?([0-9a-f]{64})(?![0-9a-z])/

const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

const LINK = /(?:https?:\/\/|www\.)\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/\S+/
/** What stands before the number in the links of explorers: a step of the path, or a field of the query. */
const IN_LINK =
  /(?:\/(?:tx|txs|txid|transaction|transactions|transfer|extrinsic|op|ops|operation|hash)[/:]|[?&#/](?:tx|txid|txhash|tx_hash|hash|transaction|id|ref|reference)=)([^/?&#\s]+)/

/** The number in a link; null for a text without a link. */
function inLink(text: string): string | null {
  const link = LINK.exec(text)?.[0]
  if (link === undefined) return null
  const named = IN_LINK.exec(link)?.[1]
  if (named !== undefined) return named
  // Else the longest part: the others are names of hosts, networks and pages.
  const parts = link.replace(/^https?:\/\/[^/?#]*/, '').match(/[^/?&#=]+/g) ?? []
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '') || link
}

/** A label up to its colon, which has no digit: those of numbers may be part of them. */
const LABEL = /^[^\p{N}:#=№]*\p{L}[^\p{N}:#=№]*[:#=№]+/u
/** Words that stand before a number without a colon. */
const WORDS =
  /^(?:(?:tx|txn|txid|txhash|transaction|transfer|hash|id|ref|reference|utr|number|no|nr)(?:[\s.]+|(?=0x)))+(?=\S)/

const withoutLabel = (text: string): string => text.replace(LABEL, '').trim().replace(WORDS, '')
