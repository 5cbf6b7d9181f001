import type { Infer } from '../protocol/codec.ts'
import { id, listOf, nothing, text, time, int, withDefault } from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'
import { IDENTITY_FIELDS, type IdentityField } from '../accounts/identity.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, enumeration, yesNo } from './record.ts'

const OF_TEXT = ['differs', 'incomplete', 'other'] as const
const OF_PICTURE = ['unreadable', 'cutOff', 'wrongSide', 'expired', 'notAccepted', 'other'] as const

/** Problems of a field; `other` requires a text. */
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
  field: enumeration(IDENTITY_FIELDS),
  fault: enumeration(FAULTS),
  words: withDefault(userLine(WORDS_LENGTH), ''),
})
export type FoundFault = Infer<typeof fault>

const detail = record({
  accountId: id,
  name: text,
  /** Masked but for its end. */
  number: text,
  /** Keys of both pictures, for `/desk/api/files/`. */
  front: text,
  reverse: text,
  /** Sent with the decision: pictures sent again in the meantime need a new check. */
  sentAt: time,
  timesSent: int(),
  isWaiting: yesNo,
  /** Other accounts with the same number. */
  sameNumber: listOf(id),
  /** Other cases with the same or similar pictures. */
  samePictures: listOf(text),
  /** Which of the two pictures the operator has opened. Both are required for a verification. */
  opened: listOf(enumeration(['front', 'reverse'])),
})
export type IdentityDetail = Infer<typeof detail>

export const getIdentity = defineDeskEndpoint({
  name: 'getIdentity',
  method: 'GET',
  path: '/desk/api/people/identity',
  permission: 'viewIdentity',
  request: record({ accountId: id }),
  response: detail,
  summary: 'What a user has sent to show who they are, the number masked',
})

export const revealIdentityNumber = defineDeskEndpoint({
  name: 'revealIdentityNumber',
  method: 'POST',
  path: '/desk/api/people/identity-number',
  permission: 'viewIdentity',
  request: record({ accountId: id }),
  response: record({ number: text }),
  summary: 'The number of the document that a user has sent. Every view is written down',
})

export const approveIdentity = defineDeskEndpoint({
  name: 'approveIdentity',
  method: 'POST',
  path: '/desk/api/people/approve-identity',
  permission: 'verifyPerson',
  request: record({ accountId: id, sentAt: time, reason }),
  response: nothing,
  summary:
    'Says that what a user has sent shows who they are: they are verified. The same operator must have opened both pictures',
})

export const refuseIdentity = defineDeskEndpoint({
  name: 'refuseIdentity',
  method: 'POST',
  path: '/desk/api/people/refuse-identity',
  permission: 'verifyPerson',
  request: record({ accountId: id, sentAt: time, faults: listOf(fault) }),
  response: nothing,
  summary: 'Says what is wrong with which field; the user sends these again',
})
