import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, omittableOrBlank, nothing, nullable, text, time } from '../protocol/field.ts'
import { filled, typedName, userText } from '../protocol/user-text.ts'
import { factorCode } from '../accounts/user.wire.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, role, enumeration, yesNo } from './record.ts'

/** Longer than any name, which is compared as it was typed. */
const NAME_LENGTH = 100
const operatorName = typedName(NAME_LENGTH)

/** An operator, as colleagues see them. */
const operator = record({
  id,
  name: text,
  role,
  /** `invited`: has not chosen a password yet. Operators are never deleted. */
  status: enumeration(['active', 'invited', 'off']),
  hasSecondFactor: yesNo,
  lastSeenAt: nullable(time),
  createdAt: time,
})
export type DeskOperator = Infer<typeof operator>

/** A log-in granted by the server's owner with a command on the server (`npm run recover`). */
const recovery = record({
  name: text,
  role,
  /** The name is not that of an existing operator. */
  isNew: yesNo,
  effectiveAt: time,
  reason: text,
})
export type Recovery = Infer<typeof recovery>

const self = record({
  id,
  name: text,
  role,
  /** Until then only setting it up is possible. */
  needsSecondFactor: yesNo,
  /** When the session ends without activity, and its absolute end. */
  idleEndsAt: time,
  endsAt: time,
})
/** The operator who is logged in. */
export type DeskSelf = Infer<typeof self>

/** The answer to a log-in. */
export const entered = record({ token: text, self })

export const logInToDesk = defineDeskEndpoint({
  name: 'logInToDesk',
  method: 'POST',
  path: '/desk/api/log-in',
  permission: null,
  request: record({
    name: filled(operatorName),
    password: filled(text),
    code: omittableOrBlank(factorCode),
  }),
  response: entered,
  summary: 'Starts a session of an operator; the code of the second factor is requested once it is set up',
})

export const joinDesk = defineDeskEndpoint({
  name: 'joinDesk',
  method: 'POST',
  path: '/desk/api/join',
  permission: null,
  request: record({ invitation: userText, confirmation: userText, password: text }),
  response: entered,
  summary:
    'Chooses the first password by two keys, the invitation and its confirmation, which are good once and for three days',
})

export const logOutOfDesk = defineDeskEndpoint({
  name: 'logOutOfDesk',
  method: 'POST',
  path: '/desk/api/log-out',
  permission: 'ownAccess',
  isForEnrolment: true,
  request: nothing,
  response: nothing,
  summary: 'Ends this session',
})

export const getDeskSelf = defineDeskEndpoint({
  name: 'getDeskSelf',
  method: 'GET',
  path: '/desk/api/self',
  permission: 'ownAccess',
  isForEnrolment: true,
  request: nothing,
  response: self,
  summary: 'Who is logged in, and until when',
})

export const prepareDeskFactor = defineDeskEndpoint({
  name: 'prepareDeskFactor',
  method: 'POST',
  path: '/desk/api/second-factor/prepare',
  permission: 'ownAccess',
  isForEnrolment: true,
  request: nothing,
  response: record({ secret: text, address: text }),
  summary: 'A new secret for an authenticator app, and its address for a QR code',
})

export const confirmDeskFactor = defineDeskEndpoint({
  name: 'confirmDeskFactor',
  method: 'POST',
  path: '/desk/api/second-factor/confirm',
  permission: 'ownAccess',
  isForEnrolment: true,
  request: record({ code: factorCode }),
  response: record({ recoveryCodes: listOf(text) }),
  summary: 'Switches the second factor on by its first code',
})

export const renewDeskFactor = defineDeskEndpoint({
  name: 'renewDeskFactor',
  method: 'POST',
  path: '/desk/api/second-factor/renew',
  permission: 'ownAccess',
  request: record({ code: factorCode }),
  response: nothing,
  summary:
    'A code of the second factor, or the signature of a passkey; actions that move money or rights need one of the last 5 minutes',
})

export const changeDeskPassword = defineDeskEndpoint({
  name: 'changeDeskPassword',
  method: 'POST',
  path: '/desk/api/password',
  permission: 'ownAccess',
  request: record({ oldPassword: text, password: text, code: factorCode }),
  response: nothing,
  summary: 'Changes the own password and ends the other sessions',
})

export const listOperators = defineDeskEndpoint({
  name: 'listOperators',
  method: 'GET',
  path: '/desk/api/operators',
  permission: 'viewOperators',
  request: nothing,
  response: record({ operators: listOf(operator) }),
  summary: 'Everybody of the desk, those switched off too',
})

export const getOperatorMode = defineDeskEndpoint({
  name: 'getOperatorMode',
  method: 'GET',
  path: '/desk/api/operators/mode',
  permission: 'viewOperators',
  request: nothing,
  response: record({
    /**
     * There is a single operator: actions that need two are refused until a second with the permission has joined.
     */
    isSingleOperator: yesNo,
    recovery: nullable(recovery),
  }),
  summary: 'Whether the desk has a single operator, and the recovery that is announced',
})

export const callOffRecovery = defineDeskEndpoint({
  name: 'callOffRecovery',
  method: 'POST',
  path: '/desk/api/operators/call-off-recovery',
  permission: 'callOffRecovery',
  changes: true,
  request: record({ reason }),
  response: nothing,
  summary: 'Calls a recovery off before it is in effect',
})

/**
 * The keys to a log-in, each shown once: the invitation to the operator who requested it, the confirmation to the
 * second one, who approved it. Both go to the same operator only where the desk has a single one.
 */
const keys = record({ approvalId: nullable(id), invitation: nullable(text), confirmation: nullable(text) })
export type DeskKeys = Infer<typeof keys>

/** The result of an action that may need a second operator: done, or a case that waits for one. */
const doneOrWaiting = record({ approvalId: nullable(id) })
export const outcomeOfEntry = doneOrWaiting
export type DeskOutcome = Infer<typeof doneOrWaiting>

export const inviteOperator = defineDeskEndpoint({
  name: 'inviteOperator',
  method: 'POST',
  path: '/desk/api/operators/invite',
  permission: 'changeOperators',
  needsFreshFactor: true,
  changes: true,
  request: record({ name: operatorName, role, reason }),
  response: keys,
  summary:
    'Invites an operator, which a second operator must approve. The invitation is shown once and opens nothing before, nor without the confirmation',
})

export const renewInvitation = defineDeskEndpoint({
  name: 'renewInvitation',
  method: 'POST',
  path: '/desk/api/operators/renew-invitation',
  permission: 'changeOperators',
  needsFreshFactor: true,
  changes: true,
  request: record({ id, reason }),
  response: keys,
  summary:
    'New keys for somebody who has not joined yet, which a second operator must approve; the old ones end then',
})

export const resetOperator = defineDeskEndpoint({
  name: 'resetOperator',
  method: 'POST',
  path: '/desk/api/operators/reset',
  permission: 'changeOperators',
  needsFreshFactor: true,
  changes: true,
  request: record({ id, reason }),
  response: keys,
  summary:
    'Ends the password, second factor and sessions of a colleague who lost them, which a second operator must approve. They join again by two keys, each shown once',
})

export const changeOperator = defineDeskEndpoint({
  name: 'changeOperator',
  method: 'POST',
  path: '/desk/api/operators/change',
  permission: 'changeOperators',
  needsFreshFactor: true,
  changes: true,
  request: record({ id, role: omittable(role), isOn: omittable(yesNo), reason }),
  response: doneOrWaiting,
  summary: 'Another role, or switched off or on again; needs a second administrator where there is one',
})
