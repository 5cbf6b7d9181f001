import type { Inside } from '../codec.ts'
import { listOf, nothing, text, time, withDefault } from '../field.ts'
import { typed } from '../typed-field.ts'
import { LEGAL_DOCUMENTS } from '../legal.ts'
import { language } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, word, yesNo } from './record.ts'

const document = word(LEGAL_DOCUMENTS)
const legalVersion = record({
  document,
  /** What consents name it by. */
  version: text,
  effectiveAt: time,
  isInForce: yesNo,
  writtenAt: time,
  writtenBy: text,
  reason: text,
  languages: listOf(language),
})
/** One wording of a legal document; it never changes and never goes. */
export type LegalVersion = Inside<typeof legalVersion>

const legalText = record({ language, body: typed })
/** Plain text; a line is a paragraph. */
export type LegalText = Inside<typeof legalText>

/** Characters of a legal text in one language. */
export const LEGAL_TEXT_LENGTH = 60_000

export const listLegalVersions = defineDeskEndpoint({
  name: 'listLegalVersions',
  method: 'GET',
  path: '/desk/api/content/legal',
  act: 'viewContent',
  request: nothing,
  response: record({ versions: listOf(legalVersion) }),
  summary: 'Every version of every legal document, the latest first',
})

export const getLegalVersion = defineDeskEndpoint({
  name: 'getLegalVersion',
  method: 'GET',
  path: '/desk/api/content/legal/version',
  act: 'viewContent',
  request: record({ document, version: text }),
  response: record({ texts: listOf(legalText) }),
  summary: 'The texts of one version in every language',
})

export const addLegalVersion = defineDeskEndpoint({
  name: 'addLegalVersion',
  method: 'POST',
  path: '/desk/api/content/legal/add',
  act: 'editLegalText',
  request: record({
    document,
    /** The latest version when the form was opened; empty for the first one. */
    follows: withDefault(text, ''),
    effectiveAt: time,
    texts: listOf(legalText),
    reason,
  }),
  response: record({ version: text }),
  summary: 'A new version of a document from a moment on; whoever registers from then on agrees to it',
})
