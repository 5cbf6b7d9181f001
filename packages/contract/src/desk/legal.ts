import type { Infer } from '../protocol/codec.ts'
import { listOf, nothing, text, time, withDefault } from '../protocol/field.ts'
import { userText } from '../protocol/user-text.ts'
import { LEGAL_DOCUMENTS } from '../content/legal.ts'
import { language } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, enumeration, yesNo } from './record.ts'

const document = enumeration(LEGAL_DOCUMENTS)
const legalVersion = record({
  document,
  /** The version that consents refer to. */
  version: text,
  effectiveAt: time,
  isInForce: yesNo,
  writtenAt: time,
  writtenBy: text,
  reason: text,
  languages: listOf(language),
})
/** A version of a legal document; never changed or deleted. */
export type LegalVersion = Infer<typeof legalVersion>

const legalText = record({ language, body: userText })
/** Plain text; a line is a paragraph. */
export type LegalText = Infer<typeof legalText>

/** Maximum length of a legal text in one language, in characters. */
export const LEGAL_TEXT_LENGTH = 60_000

export const listLegalVersions = defineDeskEndpoint({
  name: 'listLegalVersions',
  method: 'GET',
  path: '/desk/api/content/legal',
  permission: 'viewContent',
  request: nothing,
  response: record({ versions: listOf(legalVersion) }),
  summary: 'Every version of every legal document, the latest first',
})

export const getLegalVersion = defineDeskEndpoint({
  name: 'getLegalVersion',
  method: 'GET',
  path: '/desk/api/content/legal/version',
  permission: 'viewContent',
  request: record({ document, version: text }),
  response: record({ texts: listOf(legalText) }),
  summary: 'The texts of one version in every language',
})

export const addLegalVersion = defineDeskEndpoint({
  name: 'addLegalVersion',
  method: 'POST',
  path: '/desk/api/content/legal/add',
  permission: 'editLegalText',
  request: record({
    document,
    /** The latest version when the form was opened; empty for the first one. */
    follows: withDefault(text, ''),
    effectiveAt: time,
    texts: listOf(legalText),
    reason,
  }),
  response: record({ version: text }),
  summary: 'A new version of a document from a moment on; anybody who registers from then on agrees to it',
})
