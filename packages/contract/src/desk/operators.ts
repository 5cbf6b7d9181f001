import type { Inside } from '../codec.ts'
import { id, listOf, maybe, maybeBlank, nothing, orNull, text, time } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, role, word, yesNo } from './record.ts'

/** Somebody of the desk, as colleagues see them. */
const operator = record({
  id,
  name: text,
  role,
  /** `invited`: has not chosen a password yet. Operators are never deleted. */
  status: word(['active', 'invited', 'off']),
  hasSecondFactor: yesNo,
  lastSeenAt: orNull(time),
  createdAt: time,
})
export type DeskOperator = Inside<typeof operator>

const self = record({
  id,
  name: text,
  role,
  /** Nothing but setting it up is possible before. */
  needsSecondFactor: yesNo,
  /** When the session ends if nothing is done, and whatever is done. */
  idleEndsAt: time,
  endsAt: time,
})
/** The operator who is logged in. */
export type DeskSelf = Inside<typeof self>

const entered = record({ token: text, self })

export const logInToDesk = defineDeskEndpoint({
  name: 'logInToDesk',
  method: 'POST',
  path: '/desk/api/log-in',
  act: null,
  request: record({ name: text, password: text, code: maybeBlank(text) }),
  response: entered,
  summary: 'Starts a session of an operator; the code of the second factor is asked for once it is set up',
})

export const joinDesk = defineDeskEndpoint({
  name: 'joinDesk',
  method: 'POST',
  path: '/desk/api/join',
  act: null,
  request: record({ invitation: text, password: text }),
  response: entered,
  summary: 'Chooses the first password by an invitation, which is good once and for three days',
})

export const logOutOfDesk = defineDeskEndpoint({
  name: 'logOutOfDesk',
  method: 'POST',
  path: '/desk/api/log-out',
  act: 'ownAccess',
  isForEnrolment: true,
  request: nothing,
  response: nothing,
  summary: 'Ends this session',
})

export const getDeskSelf = defineDeskEndpoint({
  name: 'getDeskSelf',
  method: 'GET',
  path: '/desk/api/self',
  act: 'ownAccess',
  isForEnrolment: true,
  request: nothing,
  response: self,
  summary: 'Who is logged in, and until when',
})

export const prepareDeskFactor = defineDeskEndpoint({
  name: 'prepareDeskFactor',
  method: 'POST',
  path: '/desk/api/second-factor/prepare',
  act: 'ownAccess',
  isForEnrolment: true,
  request: nothing,
  response: record({ secret: text, address: text }),
  summary: 'A new secret for an authenticator app, and its address for a QR code',
})

export const confirmDeskFactor = defineDeskEndpoint({
  name: 'confirmDeskFactor',
  method: 'POST',
  path: '/desk/api/second-factor/confirm',
  act: 'ownAccess',
  isForEnrolment: true,
  request: record({ code: text }),
  response: record({ recoveryCodes: listOf(text) }),
  summary: 'Switches the second factor on by its first code',
})

export const changeDeskPassword = defineDeskEndpoint({
  name: 'changeDeskPassword',
  method: 'POST',
  path: '/desk/api/password',
  act: 'ownAccess',
  request: record({ oldPassword: text, password: text, code: text }),
  response: nothing,
  summary: 'Changes the own password and ends the other sessions',
})

export const listOperators = defineDeskEndpoint({
  name: 'listOperators',
  method: 'GET',
  path: '/desk/api/operators',
  act: 'viewOperators',
  request: nothing,
  response: record({ operators: listOf(operator) }),
  summary: 'Everybody of the desk, those switched off too',
})

/** What came of an act that may need a second person: done, or a case that waits for them. */
const doneOrWaiting = record({ approvalId: orNull(id) })
export const outcomeOfAct = doneOrWaiting
export type DeskOutcome = Inside<typeof doneOrWaiting>

export const inviteOperator = defineDeskEndpoint({
  name: 'inviteOperator',
  method: 'POST',
  path: '/desk/api/operators/invite',
  act: 'changeOperators',
  changes: true,
  request: record({ name: text, role, reason }),
  response: record({ approvalId: orNull(id), invitation: orNull(text) }),
  summary: 'Invites an operator; needs a second administrator where there is one. The link is shown once',
})

export const renewInvitation = defineDeskEndpoint({
  name: 'renewInvitation',
  method: 'POST',
  path: '/desk/api/operators/renew-invitation',
  act: 'changeOperators',
  request: record({ id, reason }),
  response: record({ invitation: text }),
  summary: 'A new invitation for somebody who has not joined yet; the old one ends',
})

export const resetOperator = defineDeskEndpoint({
  name: 'resetOperator',
  method: 'POST',
  path: '/desk/api/operators/reset',
  act: 'changeOperators',
  request: record({ id, reason }),
  response: record({ approvalId: orNull(id), invitation: orNull(text) }),
  summary:
    'Ends the password, second factor and sessions of a colleague who lost them; needs a second person where there is one. They join anew by an invitation, which is shown once',
})

export const changeOperator = defineDeskEndpoint({
  name: 'changeOperator',
  method: 'POST',
  path: '/desk/api/operators/change',
  act: 'changeOperators',
  changes: true,
  request: record({ id, role: maybe(role), isOn: maybe(yesNo), reason }),
  response: doneOrWaiting,
  summary: 'Another role, or switched off or on again; needs a second administrator where there is one',
})
