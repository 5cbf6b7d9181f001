import type { Inside } from '../codec.ts'
import { id, listOf, nothing, text, time, whole, withDefault } from '../field.ts'
import { line } from '../typed-field.ts'
import { IDENTITY_FIELDS, type IdentityField } from '../identity.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, word, yesNo } from './record.ts'

const OF_TEXT = ['differs', 'incomplete', 'other'] as const
const OF_PICTURE = ['unreadable', 'cutOff', 'wrongSide', 'expired', 'notAccepted', 'other'] as const

/** What may be wrong with a field; `other` needs words. */
export const IDENTITY_FAULTS = {
  name: OF_TEXT,
  number: OF_TEXT,
  front: OF_PICTURE,
  reverse: OF_PICTURE,
} as const satisfies Record<IdentityField, readonly string[]>
export type IdentityFault = (typeof IDENTITY_FAULTS)[IdentityField][number]

const FAULTS = [...new Set([...OF_TEXT, ...OF_PICTURE])]
const WORDS_LENGTH = 200

const fault = record({
  field: word(IDENTITY_FIELDS),
  fault: word(FAULTS),
  words: withDefault(line(WORDS_LENGTH), ''),
})
export type FoundFault = Inside<typeof fault>

const detail = record({
  accountId: id,
  name: text,
  /** All but its end is masked. */
  number: text,
  /** Keys of both pictures, for `/desk/api/files/`. */
  front: text,
  reverse: text,
  /** It goes back with the decision: what was sent again meanwhile is looked at anew. */
  sentAt: time,
  timesSent: whole(),
  isWaiting: yesNo,
  /** Other accounts with the same number. */
  sameNumber: listOf(id),
  /** Other cases with the same pictures, or ones that look the same. */
  samePictures: listOf(text),
})
export type IdentityDetail = Inside<typeof detail>

export const getIdentity = defineDeskEndpoint({
  name: 'getIdentity',
  method: 'GET',
  path: '/desk/api/people/identity',
  act: 'viewIdentity',
  request: record({ accountId: id }),
  response: detail,
  summary: 'What a person has sent to show who they are, the number masked',
})

export const revealIdentityNumber = defineDeskEndpoint({
  name: 'revealIdentityNumber',
  method: 'POST',
  path: '/desk/api/people/identity-number',
  act: 'viewIdentity',
  request: record({ accountId: id }),
  response: record({ number: text }),
  summary: 'The number of the document that a person has sent. Every view is written down',
})

export const approveIdentity = defineDeskEndpoint({
  name: 'approveIdentity',
  method: 'POST',
  path: '/desk/api/people/approve-identity',
  act: 'verifyPerson',
  request: record({ accountId: id, sentAt: time, reason }),
  response: nothing,
  summary: 'Says that what a person has sent shows who they are: they are verified',
})

export const refuseIdentity = defineDeskEndpoint({
  name: 'refuseIdentity',
  method: 'POST',
  path: '/desk/api/people/refuse-identity',
  act: 'verifyPerson',
  request: record({ accountId: id, sentAt: time, faults: listOf(fault) }),
  response: nothing,
  summary: 'Says what is wrong with which field; the person sends these again',
})
